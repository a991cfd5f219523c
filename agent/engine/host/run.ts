// One run in the engine host: pulls events from the engine, converts samples to bytes, and sends no more than the credit allows.

import { toS16le } from '#agent/engine/audio/pcm.ts'
import type { Engine, EngineEvent } from '#agent/engine/seam/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AUDIO_EVENT_BYTES, eventCost, type HostEvent } from './messages.ts'

export type HostRun = { readonly cancel: () => void; readonly addCredit: (amount: number) => void; readonly done: Promise<void> }

type Deps = {
  engine: Pick<Engine, 'run'>
  /** Loads the model; called once. */
  ready: () => Promise<void>
  isReady: boolean
  operation: string
  model?: string
  params: unknown
  owner?: string
  /** Reads the inputs; called once. */
  inputs?: () => Promise<ReadonlyMap<string, Uint8Array>>
  credit: number
  /** Resolves when the event was written to the channel. */
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
  owner = '',
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
    // One event may overdraw the credit and the next one waits, so that no event is too large to be sent.
    while (room <= 0 && !abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    abort.signal.throwIfAborted()
    room -= eventCost(event)
    // The event loop writes the channel, and the next step of the engine may block it, so the event must be written first.
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
    if (!isReady) await sendWithin({ kind: 'loading', detail: 'Loading the model.' })
    await ready()
    const given = await inputs()
    await sendWithin({ kind: 'running' })
    for await (const event of engine.run(operation, params, abort.signal, given, model, owner)) {
      onStep()
      await forward(event)
    }
  }
  const done = work().then(
    () => ended(null),
    (error) => ended(abort.signal.aborted ? new Failure('CANCELLED', 'The task was cancelled.') : Failure.from(error, 'WORKER_FAILED')),
  )
  return {
    cancel: () => {
      abort.abort(new Failure('CANCELLED', 'The task was cancelled.'))
      wake()
    },
    addCredit: (amount) => {
      room += amount
      wake()
    },
    done,
  }
}
