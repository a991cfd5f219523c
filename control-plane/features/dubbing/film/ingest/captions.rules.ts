// The subtitles that a page offers. Pure.

import type { Caption } from '#control-plane/features/dubbing/store/caption.store.ts'
import { MAX_SUBTITLE_CHARS, parseSubtitles } from '#shared/subtitles/parse/parse.ts'

const CUES = 20_000

/** In the order of their start, without overlaps. Empty for a file without cues, or a larger one than is read. */
export function captionsOf(file: string): Caption[] {
  if (file.length > MAX_SUBTITLE_CHARS) return []
  return parseSubtitles(file)
    .cues.slice(0, CUES)
    .map(({ startUs, endUs, text }) => ({ start_us: startUs, end_us: endUs, text: text.replaceAll('\n', ' ') }))
}
