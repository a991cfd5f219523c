// The media threads: assigns streams to threads, and replaces a thread that died.
import type { Worker } from 'node:worker_threads'
import { Failure } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import { createLane, type LaneInside, type MediaLane } from './lane.ts'
import type { FromThread, LaneSettings } from './messages.ts'
import { startThread } from './start-thread.ts'

export type MediaPool = Service & {
  /** A lane on the thread with the fewest lanes. Throws NOT_READY after the stop. */
  readonly open: (settings: LaneSettings) => MediaLane
}
export type PoolParts = {
  readonly log: Log
  readonly entry: URL
  readonly threads: number
  /** The threads run when other work leaves a processor free. Default: false. */
  readonly isBackground?: boolean
}

type Thread = { readonly worker: Worker; readonly lanes: Map<number, LaneInside> }

export function createMediaPool({ log, entry, threads, isBackground = false }: PoolParts): MediaPool {
  const name = isBackground ? 'background-media' : 'media'
  const slots: (Thread | null)[] = Array.from({ length: threads }, () => null)
  let nextLane = 0
  let stopped = false

  const spawn = (slot: number): Thread => {
    const thread: Thread = { worker: startThread(entry, `${name}-${slot}`, isBackground), lanes: new Map() }
    thread.worker.on('message', (message: FromThread) => thread.lanes.get(message.lane)?.receive(message))
    thread.worker.on('error', (error) => log.error({ thread: slot, error: error.message }, 'a media thread failed'))
    thread.worker.on('exit', (code) => {
      // The next stream starts a new thread. A thread that always dies immediately then costs one stream each and not a restart loop.
      if (slots[slot] === thread) slots[slot] = null
      const reason = stopped
        ? new Failure('NOT_READY', 'The studio is stopping.')
        : new Failure('UNKNOWN', `The encoder stopped unexpectedly (exit ${code}).`)
      for (const lane of [...thread.lanes.values()]) lane.close(reason)
    })
    slots[slot] = thread
    return thread
  }

  return {
    name,
    /** Starts the first thread, so that the first request does not wait for one. Others, and those in the background, start with the streams that need them. */
    start() {
      stopped = false
      if (!slots[0] && !isBackground) spawn(0)
    },
    async stop() {
      stopped = true
      await Promise.all(slots.map((thread) => thread?.worker.terminate()))
    },
    open(settings) {
      if (stopped) throw new Failure('NOT_READY', 'The studio is stopping.')
      const load = slots.map((thread) => thread?.lanes.size ?? 0)
      const slot = load.indexOf(Math.min(...load))
      const { worker, lanes } = slots[slot] ?? spawn(slot)
      const id = nextLane++
      const lane = createLane({
        id,
        settings,
        send: (message, transfer) => worker.postMessage(message, transfer),
        closed: () => lanes.delete(id),
      })
      lanes.set(id, lane)
      return lane
    },
  }
}
