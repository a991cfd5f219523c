// One question to an engine of this machine about a recording, as a task like any other: placed, counted and cancelled when nobody waits.

import type { Listener } from '../areas/recognition/recognisers.ts'
import { failureOf, type Tasks } from '../tasks/tasks.ts'
import { LOCAL } from '../workers/worker.store.ts'

export type Recording = {
  readonly wav: Uint8Array
  /** Of it, what the engine looks at. */
  readonly seconds: number
  readonly deadlineAt: number
  readonly signal: AbortSignal
  readonly traceparent: string
}
/** What the engine answers, unread. Throws as the task ended. */
export type Ask = (engine: Listener, operation: string, params: object, recording: Recording) => Promise<unknown>

export const createAsk =
  (tasks: Tasks): Ask =>
  async (listener, operation, params, { wav, seconds, deadlineAt, signal, traceparent }) => {
    const audio = await tasks.keepInput('audio', wav)
    signal.throwIfAborted()
    const { task } = await tasks.submit({
      operation,
      engine: listener.engine,
      model: listener.model,
      params: JSON.stringify(params),
      priority: 0,
      target: LOCAL,
      size: Math.ceil(seconds),
      deadlineAt,
      idempotencyKey: null,
      ephemeral: true,
      inputs: [audio],
      traceparent,
    })
    const hangUp = () => void tasks.cancel(task.id)
    signal.addEventListener('abort', hangUp, { once: true })
    if (signal.aborted) hangUp()
    const ended = await tasks.outcome(task.id, signal).finally(() => signal.removeEventListener('abort', hangUp))
    const failure = failureOf(ended)
    if (failure) throw failure
    return JSON.parse(ended.result!.result)
  }
