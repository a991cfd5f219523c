// Subtitles as they are shown in the picture: at most two lines at a time. Pure.
import type { DrawnCue } from '#shared/subtitles/ass.ts'
import { displayCues } from '#shared/subtitles/display/cues.ts'
import { linesOfPicture } from '#shared/subtitles/display/split.ts'
import { lineLimitsOf } from '#shared/subtitles/display/width.ts'
import { displayWords } from '#shared/subtitles/display/words.ts'
import type { WrittenCue } from '#shared/subtitles/write.ts'

type Display = {
  readonly language: string
  readonly originalLanguage: string
  readonly framesPerSecond: number
  readonly cutsUs: readonly number[]
}

/** Cues as they are drawn. The original below a long text is divided as the text is. */
export function drawnCues(cues: readonly WrittenCue[], { originalLanguage, ...options }: Display): DrawnCue[] {
  const spoken = (cue: WrittenCue) => ({ ...cue, wordStartsUs: null })
  if (cues.every(({ original }) => !original)) return displayCues(cues.map(spoken), options)
  const limits = lineLimitsOf(originalLanguage)
  return cues.flatMap((cue) => {
    const pictures = displayCues([spoken(cue)], options)
    const words = (cue.original ?? '').split(/\s+/).filter((word) => word !== '')
    const upTo = (count: number) => Math.round((count * words.length) / pictures.length)
    return pictures.map((picture, at) => {
      const part = words.slice(upTo(at), upTo(at + 1)).join(' ')
      return { ...picture, originals: part === '' ? [] : linesOfPicture(displayWords(part, originalLanguage, limits), limits) }
    })
  })
}
