// One breaker for each worker and engine:model that has failed. The library holds the three states and lets one probe through; when a
// failure counts, when a breaker trips and how long it rests is breaker-policy.ts. Rests are counted on the monotonic clock, because a
// wall clock that jumps must neither free nor hold a worker.
import { EventEmitter } from 'node:events'
import CircuitBreaker from 'opossum'
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { BreakerRow } from '../store/rows.ts'
import type { BreakerStore } from './breaker.store.ts'
import { isChargeable, isMassFailure, MASS_WINDOW_MS, reasonOf, restLeftMs, restMs, summaryOf, TRIPS_AT } from './breaker-policy.ts'

/** How many tasks a breaker that is not closed lets through: one probe, or none. */
export type Admits = 'one' | 'none'
export type BreakerView = {
  readonly worker_id: string
  readonly model_key: string
  readonly state: 'open' | 'half_open'
  readonly trips: number
  readonly retry_at: number | null
  readonly summary: string
}
/** An attempt as the breakers know it. */
export type Tried = { readonly workerId: string; readonly modelKey: string; readonly attemptId: string }
export type Fault = { readonly code: FailureCode; readonly message: string }
export type Breakers = ReturnType<typeof createBreakers>
type Deps = {
  readonly store: BreakerStore
  readonly clock: Clock
  readonly log: Log
  /** How many workers there are, this machine included. */
  readonly known: () => number
  /** A breaker lets through more than before. */
  readonly eased: () => void
}
type State = BreakerRow['state']
type Breaker = {
  readonly workerId: string
  readonly modelKey: string
  circuit: CircuitBreaker<[Promise<void>], void>
  /** Chargeable failures in a row while closed. */
  failures: number
  trips: number
  reason: string
  /** Monotonic: when the rest is over. */
  until: number
  probe: { readonly attemptId: string; readonly resolve: () => void; readonly reject: (error: Error) => void } | null
  forgetTimer: () => void
}
/** The library's own timer reads no clock of ours: it is set to its longest, and ours is always first. */
const NEVER_MS = 2 ** 31 - 1
const NO_BREAKERS: ReadonlyMap<string, Admits> = new Map()

export function createBreakers({ store, clock, log, known, eased }: Deps) {
  const breakers = new Map<string, Map<string, Breaker>>()
  const failedAt = new Map<string, number>() // worker -> its last chargeable failure, monotonic

  const stateOf = ({ circuit }: Breaker): State => (circuit.closed ? 'closed' : circuit.opened ? 'open' : 'half_open')
  const find = ({ workerId, modelKey }: Tried) => breakers.get(workerId)?.get(modelKey)

  function add(workerId: string, modelKey: string, state: State, trips: number, reason: string): Breaker {
    const breaker: Breaker = {
      workerId,
      modelKey,
      circuit: circuitIn(state),
      failures: 0,
      trips,
      reason,
      until: 0,
      probe: null,
      forgetTimer: () => {},
    }
    const ofWorker = breakers.get(workerId) ?? new Map<string, Breaker>()
    breakers.set(workerId, ofWorker.set(modelKey, breaker))
    listen(breaker)
    return breaker
  }
  function listen(breaker: Breaker): void {
    breaker.circuit.on('open', () => trip(breaker))
    breaker.circuit.on('close', () => recover(breaker))
  }
  /** The library has no way into `half open` but its own timer, and none to try once more: a circuit that begins there has both. */
  function test(breaker: Breaker): void {
    breaker.circuit.shutdown()
    breaker.circuit = circuitIn('half_open')
    breaker.probe = null
    listen(breaker)
    eased()
  }

  function save(breaker: Breaker): void {
    const { workerId, modelKey, trips, reason, until } = breaker
    const state = stateOf(breaker)
    const retryAt = state === 'open' ? Math.round(clock.now() + until - clock.mono()) : null
    store.put({ workerId, modelKey, state, trips, retryAt, reason })
  }
  function rest(breaker: Breaker, ms: number): void {
    breaker.until = clock.mono() + ms
    breaker.forgetTimer = clock.after(ms, () => {
      test(breaker)
      save(breaker)
      log.info({ workerId: breaker.workerId, modelKey: breaker.modelKey }, 'a paused machine gets one task to show that it is well')
    })
  }
  function trip(breaker: Breaker): void {
    breaker.failures = 0
    breaker.probe = null
    breaker.trips++
    const ms = restMs(breaker.trips)
    rest(breaker, ms)
    save(breaker)
    const { workerId, modelKey, trips, reason } = breaker
    log.warn({ workerId, modelKey, trips, seconds: ms / 1000, reason }, 'a machine is paused after repeated failures')
  }
  function recover(breaker: Breaker): void {
    breaker.failures = 0
    breaker.probe = null
    save(breaker)
    log.info({ workerId: breaker.workerId, modelKey: breaker.modelKey }, 'a machine that was paused works again')
    eased()
  }

  /** Nobody is at fault when many fail at once: what was counted in this time is taken back. */
  function forgive(now: number): void {
    for (const [workerId, at] of failedAt)
      if (now - at < MASS_WINDOW_MS) for (const breaker of breakers.get(workerId)?.values() ?? []) breaker.failures = 0
  }

  function drop(workerId: string): void {
    for (const { circuit, forgetTimer } of breakers.get(workerId)?.values() ?? []) {
      forgetTimer()
      circuit.shutdown()
    }
    breakers.delete(workerId)
  }

  for (const { workerId, modelKey, state, trips, retryAt, reason } of store.all()) {
    const left = retryAt === null ? 0 : restLeftMs(retryAt, trips, clock.now())
    const breaker = add(workerId, modelKey, state === 'open' && left === 0 ? 'half_open' : state, trips, reason)
    if (stateOf(breaker) === 'open') rest(breaker, left)
  }

  return {
    /** An attempt was offered: the probe of a breaker that waits for one. */
    began(tried: Tried): void {
      const breaker = find(tried)
      if (!breaker?.circuit.pendingClose) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      breaker.probe = { attemptId: tried.attemptId, resolve, reject }
      breaker.circuit.fire(promise).catch(() => {}) // `open` tells the rest
    },
    /** An attempt is over. null: it succeeded or says nothing, by `succeeded`. */
    ended(tried: Tried, succeeded: boolean, fault: Fault | null): void {
      const isCharged = fault !== null && isChargeable(fault.code)
      const now = clock.mono()
      if (isCharged) failedAt.set(tried.workerId, now)
      const isMass = isCharged && isMassFailure(failedAt, known(), now)
      if (isMass) forgive(now)
      const charged = isCharged && !isMass ? fault : null
      const breaker = find(tried) ?? (charged ? add(tried.workerId, tried.modelKey, 'closed', 0, '') : undefined)
      // What began before a breaker opened says nothing about how its worker is now.
      const isProbe = breaker?.probe?.attemptId === tried.attemptId
      if (!breaker || !(isProbe || breaker.circuit.closed)) return
      if (charged) breaker.reason = reasonOf(charged.message)
      if (isProbe) {
        if (charged) breaker.probe!.reject(new Error(charged.code))
        else if (succeeded) breaker.probe!.resolve()
        else test(breaker)
      } else if (succeeded) {
        breaker.failures = 0
        if (breaker.trips === 0) breakers.get(tried.workerId)!.delete(tried.modelKey)
      } else if (charged && ++breaker.failures >= TRIPS_AT) breaker.circuit.open()
    },
    /** `engine:model` of what the worker gets at most one task for. What is not in it is closed. */
    of(workerId: string): ReadonlyMap<string, Admits> {
      const ofWorker = breakers.get(workerId)
      if (!ofWorker) return NO_BREAKERS
      const refusing = [...ofWorker.values()].filter(({ circuit }) => !circuit.closed)
      return new Map(refusing.map(({ modelKey, circuit }) => [modelKey, circuit.pendingClose ? 'one' : 'none']))
    },
    /** Of every breaker that is not closed. */
    *states(): Generator<Exclude<State, 'closed'>> {
      for (const ofWorker of breakers.values())
        for (const breaker of ofWorker.values()) {
          const state = stateOf(breaker)
          if (state !== 'closed') yield state
        }
    },
    /** As the owner sees them: those that refuse work now, and those that test. */
    list(workerId: string): BreakerView[] {
      return [...(breakers.get(workerId)?.values() ?? [])].flatMap((breaker) => {
        const state = stateOf(breaker)
        if (state === 'closed') return []
        const left = Math.max(0, breaker.until - clock.mono())
        return {
          worker_id: workerId,
          model_key: breaker.modelKey,
          state,
          trips: breaker.trips,
          retry_at: state === 'open' ? (clock.now() + left) / 1000 : null,
          summary: summaryOf(state, breaker.reason, left),
        }
      })
    },
    /** The owner says it is well, or it was removed: everything is closed and nothing remembered. */
    clear(workerId: string): void {
      failedAt.delete(workerId)
      if (!breakers.has(workerId)) return
      store.remove(workerId)
      drop(workerId)
      eased()
    },
    /** No timer of it speaks any more; for the end of the process. */
    stop(): void {
      for (const workerId of [...breakers.keys()]) drop(workerId)
    },
  }
}

/** A circuit that opens only when it is told to or when its probe fails. */
function circuitIn(state: State): Breaker['circuit'] {
  return new CircuitBreaker<[Promise<void>], void>((outcome) => outcome, {
    timeout: false,
    resetTimeout: NEVER_MS,
    errorThresholdPercentage: 100, // of the tries must be exceeded: never
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    rotateBucketController: new EventEmitter(), // keeps its statistics from starting an interval
    state: { closed: state === 'closed', open: state === 'open', halfOpen: state === 'half_open' },
  } as CircuitBreaker.Options<[Promise<void>]>)
}
