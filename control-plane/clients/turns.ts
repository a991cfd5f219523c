// Limits how much work of one kind runs at the same time. More of it waits, and clients take turns: a thousand waiting requests of one
// client delay the single request of another one by one turn.
import { type Client, currentClient } from './client.ts'
import { createLine, type InLine, type Limit } from './line.ts'
import { createPlaces } from './places.ts'

export type Turns = ReturnType<typeof createTurns>
export type TurnsOptions = Limit & {
  /** Purpose of the turns, after "places for". */
  readonly what: string
  /** Default: without limit. */
  readonly waitingPerClient?: number
}
type WaitingTurn = InLine & { readonly begin: () => void }

export function createTurns({ what, waitingPerClient = Number.POSITIVE_INFINITY, ...limit }: TurnsOptions) {
  const line = createLine(limit)
  const places = createPlaces({ perClient: waitingPerClient, what: `waiting ${what}` })
  const waiting = new Set<WaitingTurn>()
  let arrivals = 0

  function pump(): void {
    for (let next = line.next(waiting); next; next = line.next(waiting)) {
      waiting.delete(next)
      line.begin(next.client)
      next.begin()
    }
  }

  async function wait(client: Client, signal: AbortSignal): Promise<void> {
    const giveBack = places.take()
    const turn = Promise.withResolvers<void>()
    const entry = { client, arrival: ++arrivals, begin: turn.resolve }
    waiting.add(entry)
    const leave = () => {
      if (waiting.delete(entry)) turn.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      await turn.promise
    } finally {
      signal.removeEventListener('abort', leave)
      giveBack()
    }
  }

  /** The result of `work`, which runs for the current client. Throws what it throws, the reason of the signal while it waits, and QUEUE_FULL. */
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const client = currentClient()
    if (line.mayRun(client)) line.begin(client)
    else await wait(client, signal)
    try {
      return await work()
    } finally {
      line.end(client)
      pump()
    }
  }
}
