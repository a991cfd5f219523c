// A text of subtitles as the tests of its parts look at it.
import { readSubtitles } from '#shared/subtitles/read.ts'

export function parseSubtitles(text: string, mediaUs: number | null = null) {
  const { cues, counts } = readSubtitles(text, { mediaUs })
  return { cues, counts }
}
