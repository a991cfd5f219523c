// Shares the engines of one machine between several controllers. A free permit goes to the controller with the fewest running attempts, and
// among equals to the oldest claim, so that 500 tasks of one person never starve the single task of another. A claim counts from the moment its
// inputs are complete: a controller that sends slowly keeps no one else waiting.

import type { GivenInput } from '#agent/engine/host/messages.ts'
import type { EnginePool, PoolEvent } from '#agent/engine/host/pool.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fairestTurn } from '#shared/runtime/fair-turn.ts'

/** An attempt that runs or waits on an engine. `arrival` grows with every claim. */
export type Claim = { readonly controller: string; readonly arrival: number }

/** The claims on one engine. `receiving`: their inputs are not complete, so they take no part in the sharing. */
export type Claims = { readonly running: readonly Claim[]; readonly waiting: readonly Claim[]; readonly receiving: readonly Claim[] }

/**
 * A controller may hold as many claims as there are permits, of all kinds together. Further claims would only wait behind its own work, and
 * its studio may place them on another machine.
 */
export function admission(controller: string, { running, waiting, receiving }: Claims, permits: number): 'run' | 'wait' | 'decline' {
  const own = [...running, ...waiting, ...receiving].filter((claim) => claim.controller === controller)
  if (own.length >= permits) return 'decline'
  return running.length < permits && waiting.length === 0 ? 'run' : 'wait'
}

/** Null when no claim waits. */
export const nextClaim = <C extends Claim>(running: readonly Claim[], waiting: readonly C[]): C | null =>
  fairestTurn(waiting, {
    sharersOf: ({ controller }) => [controller],
    running: (controller) => running.filter((claim) => claim.controller === controller).length,
  })

export type SharedPool = Pick<EnginePool, 'run' | 'freePermits' | 'check'>
type PoolRun = Parameters<EnginePool['run']>[0]
/** `inputs` resolves when all of them have arrived. Aborting the signal ends the wait. */
export type SharedRequest = Omit<PoolRun, 'inputs' | 'owner' | 'onEnd'> & { readonly inputs?: Promise<readonly GivenInput[]> }
type Waiting = Claim & {
  readonly request: PoolRun
  readonly grant: (events: AsyncIterableIterator<PoolEvent>) => void
  readonly refuse: (error: unknown) => void
}
type Queue = { running: readonly Claim[]; waiting: readonly Waiting[]; receiving: readonly Claim[] }

export type FairShare = {
  /** Same as `Pool.run`, on behalf of one controller. */
  readonly run: (controller: string, request: SharedRequest) => AsyncIterable<PoolEvent>
  readonly waiting: () => number
}

/** Must be the only user of the pool: a permit that was taken elsewhere would become free without waking a waiting claim. */
export function createFairShare(pool: SharedPool): FairShare {
  const queues = new Map<string, Queue>()
  let arrivals = 0

  const queueOf = (engine: string): Queue => {
    const queue = queues.get(engine) ?? { running: [], waiting: [], receiving: [] }
    queues.set(engine, queue)
    return queue
  }
  const start = (queue: Queue, claim: Claim, request: PoolRun): AsyncIterableIterator<PoolEvent> => {
    const end = () => {
      queue.running = queue.running.filter((other) => other !== claim)
      advance(queue, request.engine)
    }
    // Before the call, because a run whose signal has aborted ends within it.
    queue.running = [...queue.running, claim]
    try {
      return pool.run({ ...request, owner: claim.controller, onEnd: end })
    } catch (error) {
      queue.running = queue.running.filter((other) => other !== claim)
      throw error
    }
  }
  const advance = (queue: Queue, engine: string): void => {
    // Without a running claim no end would wake the waiting ones, so they start, or learn from the pool why they cannot.
    while (pool.freePermits(engine) > 0 || queue.running.length === 0) {
      const next = nextClaim(queue.running, queue.waiting)
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

  /** Resolves with the inputs. The claim is in `receiving` until then. */
  async function receive(
    queue: Queue,
    controller: string,
    inputs: Promise<readonly GivenInput[]>,
    signal: AbortSignal,
  ): Promise<readonly GivenInput[]> {
    const claim: Claim = { controller, arrival: arrivals }
    const aborted = Promise.withResolvers<never>()
    const giveUp = () => aborted.reject(cancelled('it received its inputs', signal))
    queue.receiving = [...queue.receiving, claim]
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      return await Promise.race([inputs, aborted.promise])
    } finally {
      signal.removeEventListener('abort', giveUp)
      queue.receiving = queue.receiving.filter((other) => other !== claim)
    }
  }

  async function* waitForPermit(queue: Queue, controller: string, { inputs, ...rest }: SharedRequest): AsyncGenerator<PoolEvent> {
    const { signal, engine } = rest
    const request: PoolRun = inputs ? { ...rest, inputs: await receive(queue, controller, inputs, signal) } : rest
    const turn = Promise.withResolvers<AsyncIterableIterator<PoolEvent>>()
    turn.promise.catch(() => {}) // a claim that left before its turn ignores the rejection
    const claim: Waiting = { controller, arrival: ++arrivals, request, grant: turn.resolve, refuse: turn.reject }
    const giveUp = () => {
      leave(queue, claim)
      turn.reject(cancelled('it waited for a free engine', signal))
    }
    queue.waiting = [...queue.waiting, claim]
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      advance(queue, engine)
      if (queue.waiting.includes(claim)) yield { kind: 'loading', detail: 'waiting for a free engine' }
      yield* await turn.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
      leave(queue, claim)
      turn.reject(new Error('left'))
      // The permit may have been granted after the reader left; release it.
      await turn.promise.then(
        (events) => events.return?.(),
        () => {},
      )
    }
  }

  return {
    run(controller, request) {
      pool.check(request)
      const { engine } = request
      const queue = queueOf(engine)
      const permits = pool.freePermits(engine) + queue.running.length
      const answer = admission(controller, queue, permits)
      if (answer === 'decline') throw new Failure('WORKER_AT_CAPACITY', `All permits of ${engine} are taken.`)
      const { inputs, ...rest } = request
      if (answer === 'run' && !inputs) return start(queue, { controller, arrival: ++arrivals }, rest)
      return startEagerly(waitForPermit(queue, controller, request))
    },
    waiting: () => [...queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
  }
}

const cancelled = (when: string, { reason }: AbortSignal) =>
  new Failure('CANCELLED', `The task was cancelled while ${when}.`, { cause: reason })

/** Requests the first value at once: a generator starts lazily, and the claim must enter the queue now. */
function startEagerly(generator: AsyncGenerator<PoolEvent>): AsyncIterable<PoolEvent> {
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
