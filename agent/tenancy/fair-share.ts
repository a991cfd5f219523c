// Who goes next when several masters share the engines of one machine. A permit that frees goes to the master that runs the fewest, and
// among equals to the one that has waited longest, so that 500 tasks of one person never starve the single task of another.
import { Failure } from '#shared/protocol/failure.ts'
import type { Pool, PoolEvent } from '../engine/host/pool.ts'

/** One that runs or waits on an engine. `turn` grows with every arrival. */
export type Claim = { readonly master: string; readonly turn: number }

/**
 * A master may claim as many places as there are permits, running and waiting together: more would only wait behind its own work, and
 * its studio can do better than that elsewhere.
 */
export function admission(
  master: string,
  running: readonly Claim[],
  waiting: readonly Claim[],
  permits: number,
): 'run' | 'wait' | 'decline' {
  const isOwn = (claim: Claim) => claim.master === master
  if (running.filter(isOwn).length + waiting.filter(isOwn).length >= permits) return 'decline'
  return running.length < permits && waiting.length === 0 ? 'run' : 'wait'
}

/** Null when nobody waits. */
export function nextTurn<C extends Claim>(running: readonly Claim[], waiting: readonly C[]): C | null {
  const runs = (master: string) => running.filter((claim) => claim.master === master).length
  return waiting.reduce<C | null>((first, claim) => {
    if (!first) return claim
    const difference = runs(claim.master) - runs(first.master)
    return difference < 0 || (difference === 0 && claim.turn < first.turn) ? claim : first
  }, null)
}

export type SharedPool = Pick<Pool, 'run' | 'freePermits' | 'check'>
type Request = Parameters<Pool['run']>[0]
type Waiting = Claim & {
  readonly request: Request
  readonly grant: (events: AsyncIterableIterator<PoolEvent>) => void
  readonly refuse: (error: unknown) => void
}
type Queue = { running: readonly Claim[]; waiting: readonly Waiting[] }

export type FairShare = {
  /** As `Pool.run`, on behalf of one master. */
  readonly run: (master: string, request: Request) => AsyncIterable<PoolEvent>
  readonly waiting: () => number
}

/** The only user of the pool: permits taken elsewhere would free without anybody's turn coming. */
export function createFairShare(pool: SharedPool): FairShare {
  const queues = new Map<string, Queue>()
  let arrivals = 0

  const queueOf = (engine: string): Queue => {
    const queue = queues.get(engine) ?? { running: [], waiting: [] }
    queues.set(engine, queue)
    return queue
  }
  const start = (queue: Queue, claim: Claim, request: Request): AsyncIterableIterator<PoolEvent> => {
    const end = () => {
      queue.running = queue.running.filter((other) => other !== claim)
      advance(queue, request.engine)
    }
    // Before the call: a run whose signal has aborted ends within it.
    queue.running = [...queue.running, claim]
    try {
      return pool.run({ ...request, onEnd: end })
    } catch (error) {
      queue.running = queue.running.filter((other) => other !== claim)
      throw error
    }
  }
  const advance = (queue: Queue, engine: string): void => {
    while (pool.freePermits(engine) > 0) {
      const next = nextTurn(queue.running, queue.waiting)
      if (!next) return
      leave(queue, next)
      try {
        next.grant(start(queue, next, next.request))
      } catch (error) {
        next.refuse(error)
      }
    }
  }
  const leave = (queue: Queue, waiting: Claim): void => {
    queue.waiting = queue.waiting.filter((other) => other !== waiting)
  }

  async function* whenItsTurn(queue: Queue, master: string, request: Request): AsyncGenerator<PoolEvent> {
    const { signal } = request
    const turn = Promise.withResolvers<AsyncIterableIterator<PoolEvent>>()
    turn.promise.catch(() => {}) // whoever left before its turn hears nothing of it
    const claim: Waiting = { master, turn: ++arrivals, request, grant: turn.resolve, refuse: turn.reject }
    const giveUp = () => {
      leave(queue, claim)
      turn.reject(new Failure('CANCELLED', 'the task was cancelled while it waited for its turn', { cause: signal.reason }))
    }
    queue.waiting = [...queue.waiting, claim]
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      yield { kind: 'loading', detail: 'waiting for its turn' }
      yield* await turn.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
      leave(queue, claim)
      turn.reject(new Error('left'))
      // Its turn may have come while nobody listened any more: the permit must not stay taken.
      await turn.promise.then(
        (events) => events.return?.(),
        () => {},
      )
    }
  }

  return {
    run(master, request) {
      pool.check(request)
      const { engine } = request
      const queue = queueOf(engine)
      const permits = pool.freePermits(engine) + queue.running.length
      const answer = admission(master, queue.running, queue.waiting, permits)
      if (answer === 'decline') throw new Failure('WORKER_AT_CAPACITY', `all permits of ${engine} are taken`)
      if (answer === 'run') return start(queue, { master, turn: ++arrivals }, request)
      return begun(whenItsTurn(queue, master, request))
    },
    waiting: () => [...queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
  }
}

/** A generator only begins when it is asked for its first value; a place in the queue is taken at once. */
function begun(generator: AsyncGenerator<PoolEvent>): AsyncIterable<PoolEvent> {
  let first: Promise<IteratorResult<PoolEvent>> | null = generator.next()
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const ready = first
        first = null
        return ready ?? generator.next()
      },
      return: () => generator.return(undefined),
    }),
  }
}
