// The most sound that a stream of speech may have. Callers keep streams in memory, and a faulty machine may send sound without end.

import type { OutputPiece } from '#control-plane/tasks/output.ts'
import type { ParamsInput } from '#shared/operations/table.ts'
import { mostSoundSeconds } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** 16 bit, mono, at 96 kHz. */
const BYTES_PER_SECOND = 2 * 96_000

/** Pure. */
export const mostSoundBytes = (params: Pick<ParamsInput<'tts'>, 'segments' | 'duration'>): number =>
  Math.ceil(mostSoundSeconds(params) * BYTES_PER_SECOND)

/** Throws INVALID_RESULT at the piece that exceeds the limit. */
export async function* limitedSound(pieces: AsyncGenerator<OutputPiece>, mostBytes: number): AsyncGenerator<OutputPiece> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.bytes.length
    if (bytes > mostBytes) throw new Failure('INVALID_RESULT', 'The engine returned much more sound than the text can last.')
    yield piece
  }
}
