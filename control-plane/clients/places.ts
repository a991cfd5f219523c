// Something of which there is a limited amount, such as connections, waiting requests or bytes in memory: who takes it gets it at once or is
// refused, and no client takes what others need.
import { Failure } from '#shared/protocol/failure.ts'
import { type Client, currentClient } from './client.ts'
import { createCounts } from './counts.ts'
import { type HeldShare, mayTake, mostOf } from './share.ts'

export type ClientPlaces = ReturnType<typeof createPlaces>
export type PlacesOptions = {
  /** Limit for one client. */
  readonly perClient: number
  /** Purpose of the places, after "places for". */
  readonly what: string
  /** They are bytes. Default false. */
  readonly areBytes?: boolean
}
/** Places of one piece of work. */
export type Holding = {
  /** Takes more. Throws QUEUE_FULL, and then takes nothing. */
  readonly take: (amount?: number) => void
  /** Gives everything back. Further calls do nothing. */
  readonly giveBack: () => void
}

/** The failure of a client that may take no more; null if it may. */
export function refusalOf(client: Client, held: HeldShare, options: PlacesOptions, amount = 1): Failure | null {
  return mayTake(client, held, options.perClient, amount) ? null : new Failure('QUEUE_FULL', sentenceOf(held, options, amount))
}

function sentenceOf({ own, source, all }: HeldShare, { perClient, what, areBytes = false }: PlacesOptions, amount: number): string {
  const size = (count: number) => (areBytes ? `${Math.ceil(count / 1024 ** 2)} MiB` : `${count} ${count === 1 ? 'place' : 'places'}`)
  const have = (count: number) => (areBytes ? `${Math.ceil(count / 1024 ** 2)}` : `${count}`)
  if (own + amount > perClient)
    return `One client has at most ${size(perClient)} for ${what}, and this one has ${have(own)}. Try again when its own work has ended.`
  if (source > own)
    return `The clients of this address have ${size(source)} for ${what}, and the rest is kept for others. Try again when some of their work has ended.`
  if (own > 0) return `This client has ${size(own)} for ${what}, and the rest is kept for others. Try again when its own work has ended.`
  return `Other clients have ${have(all)} of ${size(mostOf(perClient))} for ${what}, and this one can have none now. Try again in a moment.`
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
