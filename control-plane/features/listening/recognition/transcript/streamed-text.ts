// The text of a recognition while it is made: the output of its task, for recognisers with `streams`.

import type { Inference, Request } from '#control-plane/inference/run.ts'
import type { ResultOf } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLines } from '#shared/protocol/fields/clean-text.ts'

/**
 * Yields the pieces of the text, and returns the result, whose text they are. A second attempt that differs from what was yielded is the failure
 * UPLOAD_INCOMPLETE, or with `isReplaceable` the end of the pieces. Throws what `Inference.run` throws. The task is cancelled when the reader leaves.
 */
export async function* streamedText(
  { stream }: Pick<Inference, 'stream'>,
  request: Request<'asr'>,
  isReplaceable: boolean,
  signal: AbortSignal,
): AsyncGenerator<string, ResultOf<'asr'>> {
  const { pieces, result, abandon } = await stream({ ...request, params: { ...request.params, stream: true } }, signal)
  const outcome = result() // now, because progress is reported to a caller that waits
  outcome.catch(() => {}) // awaited below, or the failure of the output is thrown first
  let isOver = false
  try {
    // Not fatal: the attempt of bytes that are no text fails, because its result differs.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    try {
      for await (const { bytes } of pieces) {
        const text = cleanLines(decoder.decode(bytes, { stream: true }))
        if (text !== '') yield text
      }
    } catch (error) {
      if (!isReplaceable || Failure.from(error).code !== 'UPLOAD_INCOMPLETE') throw error
    }
    const ended = await outcome
    isOver = true
    return ended
  } finally {
    if (!isOver) abandon()
  }
}
