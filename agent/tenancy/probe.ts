// The operation that needs no engine: it sends back what it was sent, or as many bytes as were asked for. It measures the way to this
// machine and back, nothing else, and is answered by the agent itself.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { ARTIFACT_LIMIT_BYTES, PIECE_BYTES } from './spool.ts'

export const PROBE = 'probe'
export const PROBE_PERMITS = 256
const Params = z.strictObject({
  echo: z
    .string()
    .max(64 * 1024)
    .default(''),
  bytes: z.number().int().min(0).max(ARTIFACT_LIMIT_BYTES).default(0),
})
const block = Buffer.alloc(PIECE_BYTES, 'voice studio probe ')

export type WorkEvent =
  | { readonly kind: 'loading'; readonly detail: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'progress'; readonly progress: number; readonly stage: string }
  | { readonly kind: 'audio'; readonly part: number; readonly bytes: Buffer }
  | { readonly kind: 'result'; readonly result: Record<string, unknown> }

/** Throws INVALID_TASK_PARAMS. */
export async function* probe(
  params: unknown,
  pace: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<WorkEvent> {
  const parsed = Params.safeParse(params)
  if (!parsed.success)
    throw new Failure('INVALID_TASK_PARAMS', `probe: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`)
  const { echo, bytes } = parsed.data
  yield { kind: 'running' }
  if (echo !== '') yield { kind: 'audio', part: 0, bytes: Buffer.from(echo) }
  for (let left = bytes; left > 0; left -= PIECE_BYTES) {
    await pace(signal)
    signal.throwIfAborted()
    yield { kind: 'audio', part: 0, bytes: left < PIECE_BYTES ? block.subarray(0, left) : block }
  }
  yield { kind: 'result', result: { echoed: echo.length, bytes } }
}
