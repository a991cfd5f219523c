// One run inside the engine host: pulls the engine's events, turns samples into bytes, and sends no more than its consumer has room for.
import { Failure } from '#shared/protocol/failure.ts'
import { toS16le } from '../audio/pcm.ts'
import type { Engine, EngineEvent } from '../seam/engine.ts'
import { AUDIO_EVENT_BYTES, eventCost, type HostEvent } from './messages.ts'

export type HostRun = { readonly cancel: () => void; readonly addCredit: (amount: number) => void; readonly done: Promise<void> }

type Deps = {
  engine: Pick<Engine, 'run'>
  /** Resolves when the engine can run; called once. */
  ready: () => Promise<void>
  isReady: boolean
  operation: string
  model?: string
  params: unknown
  /** Reads what the run was given; called once. */
  inputs?: () => Promise<ReadonlyMap<string, Uint8Array>>
  credit: number
  /** Resolves when the event has left this process. */
  send: (event: HostEvent) => Promise<void>
  ended: (failure: Failure | null) => void
  onStep: () => void
}

export function startHostRun({
  engine,
  ready,
  isReady,
  operation,
  model = '',
  params,
  inputs = async () => new Map(),
  credit,
  send,
  ended,
  onStep,
}: Deps): HostRun {
  const abort = new AbortController()
  let room = credit
  let wake: () => void = () => {}

  const sendWithin = async (event: HostEvent) => {
    // An event may overdraw the credit once; the next one waits. So no event is ever too large to be sent.
    while (room <= 0 && !abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    abort.signal.throwIfAborted()
    room -= eventCost(event)
    // The channel is written by the event loop, which the engine's next step may hold for long: what is sent must leave before it begins.
    await send(event)
  }
  const forward = async (event: EngineEvent) => {
    if (event.kind !== 'audio') return await sendWithin(event)
    const bytes = toS16le(event.samples)
    for (let at = 0; at < bytes.length; at += AUDIO_EVENT_BYTES) {
      await sendWithin({ kind: 'audio', part: event.part, bytes: bytes.subarray(at, at + AUDIO_EVENT_BYTES) })
    }
  }
  const work = async () => {
    if (!isReady) await sendWithin({ kind: 'loading', detail: 'loading the model' })
    await ready()
    const given = await inputs()
    await sendWithin({ kind: 'running' })
    for await (const event of engine.run(operation, params, abort.signal, given, model)) {
      onStep()
      await forward(event)
    }
  }
  const done = work().then(
    () => ended(null),
    (error) => ended(abort.signal.aborted ? new Failure('CANCELLED', 'cancelled') : Failure.from(error, 'WORKER_FAILED')),
  )
  return {
    cancel: () => {
      abort.abort(new Failure('CANCELLED', 'cancelled'))
      wake()
    },
    addCredit: (amount) => {
      room += amount
      wake()
    },
    done,
  }
}
