// The subtitles that a page offers.

import type { Caption } from '#control-plane/features/dubbing/store/caption.store.ts'
import { UnreadableSubtitles } from '#shared/subtitles/unreadable.ts'

const CUES = 20_000

/** In the order of their start, without overlaps. Empty for a file without cues, and for one that is refused. `language`: of the file. */
export async function captionsOf(file: Uint8Array, language: string): Promise<Caption[]> {
  // The parser of XML is not loaded at the start of a studio.
  const { readSubtitles } = await import('#shared/subtitles/read.ts')
  try {
    return readSubtitles(file, { language })
      .cues.slice(0, CUES)
      .map(({ startUs, endUs, text }) => ({ start_us: startUs, end_us: endUs, text: text.replaceAll('\n', ' ') }))
  } catch (error) {
    if (error instanceof UnreadableSubtitles) return []
    throw error
  }
}
