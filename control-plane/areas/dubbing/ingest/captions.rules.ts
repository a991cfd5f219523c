// The subtitles that a page offers, with the lines that a running caption repeats only once. Pure.
import { MOST_SUBTITLE_CHARS, parseSubtitles } from '#shared/subtitles/parse/parse.ts'
import type { Caption } from '../store/caption.store.ts'

const CUES = 20_000

/** In the order of their start, without overlaps. Empty for a file without cues, or a larger one than is read. */
export function captionsOf(file: string): Caption[] {
  if (file.length > MOST_SUBTITLE_CHARS) return []
  const found: Caption[] = []
  let shown: readonly string[] = []
  for (const { startUs, endUs, text } of parseSubtitles(file, null).cues) {
    const lines = text.split('\n')
    // A running caption shows its last line again above the next one.
    const fresh = lines.filter((line) => !shown.includes(line)).join(' ')
    shown = lines
    if (fresh !== '') found.push({ start_us: startUs, end_us: endUs, text: fresh })
    if (found.length >= CUES) break
  }
  return found
}
