// The operation without an engine: it echoes a text or sends the requested number of bytes. It measures the round trip to this machine, and
// the agent answers it itself.
import { ProbeParams, type ProbeResult } from '#shared/operations/probe.ts'
import { parseParams } from '#shared/operations/table.ts'
import { OUTPUT_CHUNK_BYTES } from './spool.ts'

const block = Buffer.alloc(OUTPUT_CHUNK_BYTES, 'voice studio probe ')

export type WorkEvent =
  | { readonly kind: 'loading'; readonly detail: string }
  /** `machine`: the one of a pool that runs it. */
  | { readonly kind: 'running'; readonly machine?: string }
  | { readonly kind: 'progress'; readonly progress: number; readonly stage: string }
  | { readonly kind: 'audio'; readonly part: number; readonly bytes: Buffer }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'result'; readonly result: Record<string, unknown> }

/** Throws INVALID_TASK_PARAMS. */
export async function* runProbe(
  params: unknown,
  pace: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<WorkEvent> {
  const { echo, bytes } = parseParams(ProbeParams, params)
  yield { kind: 'running' }
  if (echo !== '') yield { kind: 'audio', part: 0, bytes: Buffer.from(echo) }
  for (let left = bytes; left > 0; left -= OUTPUT_CHUNK_BYTES) {
    await pace(signal)
    signal.throwIfAborted()
    yield { kind: 'audio', part: 0, bytes: left < OUTPUT_CHUNK_BYTES ? block.subarray(0, left) : block }
  }
  const result: ProbeResult = { echoed: echo.length, bytes }
  yield { kind: 'result', result }
}
