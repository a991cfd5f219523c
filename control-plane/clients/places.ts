// Something of which there is a limited amount, such as connections, waiting requests or bytes in memory: who takes it gets it at once or is
// refused, and no client takes what others need.
import { Failure } from '#shared/protocol/failure.ts'
import { type Client, currentClient } from './client.ts'
import { createCounts } from './counts.ts'
import { type HeldShare, mayTake, mostOf } from './share.ts'

export type ClientPlaces = ReturnType<typeof createPlaces>
export type PlacesOptions = {
  /** What one client may hold. */
  readonly perClient: number
  /** What they are for, after "places for". */
  readonly what: string
  /** They are bytes. Default false. */
  readonly areBytes?: boolean
}
/** What one piece of work holds. */
export type Holding = {
  /** Takes more. Throws QUEUE_FULL, and then takes nothing. */
  readonly take: (amount?: number) => void
  /** Gives everything back. Further calls do nothing. */
  readonly giveBack: () => void
}

/** The failure of a client that may take no more; null if it may. */
export function refusalOf(
  client: Client,
  held: HeldShare,
  { perClient, what, areBytes = false }: PlacesOptions,
  amount = 1,
): Failure | null {
  if (mayTake(client, held, perClient, amount)) return null
  const size = (count: number) => (areBytes ? `${Math.ceil(count / 1024 ** 2)} MiB` : `${count}`)
  const places = areBytes ? `for ${what}` : `${perClient === 1 ? 'place' : 'places'} for ${what}`
  if (held.own + amount > perClient)
    return new Failure(
      'QUEUE_FULL',
      `One client has at most ${size(perClient)} ${places}, and this one has ${size(held.own)}. Try again when its own work has ended.`,
    )
  if (held.source > held.own)
    return new Failure(
      'QUEUE_FULL',
      `The clients of this address have ${size(held.source)} ${places}, and the rest is kept for others. Try again when some of their work has ended.`,
    )
  return new Failure(
    'QUEUE_FULL',
    `Other clients have ${size(held.all - held.source)} of ${size(mostOf(perClient))} ${places}, and no more is free for this one. Try again in a moment.`,
  )
}

export function createPlaces(options: PlacesOptions) {
  const counts = createCounts()
  const refusal = (client: Client, amount = 1): Failure | null => refusalOf(client, counts.of(client), options, amount)

  function open(client: Client = currentClient()): Holding {
    let held = 0
    return {
      take(amount = 1) {
        const refused = refusal(client, amount)
        if (refused) throw refused
        counts.add(client, amount)
        held += amount
      },
      giveBack() {
        counts.add(client, -held)
        held = 0
      },
    }
  }

  /** Throws QUEUE_FULL. The returned function gives it back; further calls of it do nothing. */
  function take(amount = 1, client: Client = currentClient()): () => void {
    const holding = open(client)
    holding.take(amount)
    return holding.giveBack
  }

  return {
    open,
    take,
    refusal,
    /** Holds a place while the work runs. Throws QUEUE_FULL, and what the work throws. */
    async hold<T>(work: () => Promise<T>): Promise<T> {
      const giveBack = take()
      try {
        return await work()
      } finally {
        giveBack()
      }
    },
    /** The values, with a place until they or their reader end, or the signal aborts. Throws QUEUE_FULL at once. */
    during<T>(signal: AbortSignal, values: () => AsyncGenerator<T>): AsyncGenerator<T> {
      const giveBack = take()
      // Also on the signal, because an unread generator runs no code.
      signal.addEventListener('abort', giveBack, { once: true })
      if (signal.aborted) giveBack()
      const opened = values()
      return (async function* () {
        try {
          yield* opened
        } finally {
          signal.removeEventListener('abort', giveBack)
          giveBack()
        }
      })()
    },
    taken: counts.total,
  }
}
