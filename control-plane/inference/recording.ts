// Operations on a recording, on the machine of an offer.
import type { OperationId, ParamsInput } from '#shared/operations/table.ts'
import type { Offer } from './offers.ts'
import type { Inference, Request } from './run.ts'

export type Recording = {
  readonly wav: Uint8Array
  /** Seconds that the engine processes. */
  readonly seconds: number
  /** Time limit of the task in milliseconds, including its time in the queue. */
  readonly withinMs: number
  readonly signal: AbortSignal
  readonly traceparent: string
}

/** The request, with the recording stored as its input `audio`. Throws the reason of the signal, BAD_REQUEST, STORAGE_FULL. */
export async function recordingRequest<Id extends OperationId>(
  { keepInput }: Pick<Inference, 'keepInput'>,
  { engine, model, workerId }: Offer,
  operation: Id,
  params: ParamsInput<Id>,
  { wav, seconds, withinMs, signal, traceparent }: Recording,
): Promise<Request<Id>> {
  const audio = await keepInput('audio', wav)
  signal.throwIfAborted()
  return { operation, engine, model, params, inputs: [audio], seconds, target: workerId, withinMs, ephemeral: true, traceparent }
}
