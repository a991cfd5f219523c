// The most sound that a stream of speech may have. Callers keep streams in memory, and a faulty machine may send sound without end.
import type { ParamsInput } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { OutputPiece } from '../tasks/output.ts'

/** No engine spends more on a character, at the lowest speed. */
const SECONDS_PER_CHARACTER = 1
/** For each segment: some engines speak even one character for a while. */
const FREE_SECONDS = 60
/** 16 bit, mono, at 96 kHz. */
const BYTES_PER_SECOND = 2 * 96_000

/** Pure. */
export function mostSoundBytes({ segments, duration = null }: Pick<ParamsInput<'tts'>, 'segments' | 'duration'>): number {
  let seconds = duration ?? 0
  for (const { text, pause_after_ms: pauseMs = 0 } of segments)
    seconds += FREE_SECONDS + text.length * SECONDS_PER_CHARACTER + pauseMs / 1000
  return Math.ceil(seconds * BYTES_PER_SECOND)
}

/** Throws INVALID_RESULT at the piece that exceeds the limit. */
export async function* limitedSound(pieces: AsyncGenerator<OutputPiece>, mostBytes: number): AsyncGenerator<OutputPiece> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.bytes.length
    if (bytes > mostBytes) throw new Failure('INVALID_RESULT', 'The engine returned much more sound than the text can last.')
    yield piece
  }
}
