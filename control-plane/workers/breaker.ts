// One breaker for each worker and engine:model that has failed. The library holds the three states and admits one probe;
// breaker-policy.ts decides which failures count, when a breaker opens and how long it rests. Rests are counted on the monotonic clock,
// because a jump of the wall clock must neither release nor hold a worker.
import { EventEmitter } from 'node:events'
import CircuitBreaker from 'opossum'
import type { BreakerRow } from '#control-plane/store/rows.ts'
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { BreakerStore } from './breaker.store.ts'
import { isChargeable, isMassFailure, MASS_WINDOW_MS, reasonOf, restLeftMs, restMs, summaryOf, TRIPS_AT } from './breaker-policy.ts'

/** Number of tasks that a breaker which is not closed admits: one probe, or none. */
export type Admits = 'one' | 'none'
export type BreakerView = {
  readonly worker_id: string
  readonly model_key: string
  readonly state: 'open' | 'half_open'
  readonly trips: number
  readonly retry_at: number | null
  readonly summary: string
}
/** An attempt, as the breakers identify it. */
export type TriedAttempt = { readonly workerId: string; readonly modelKey: string; readonly attemptId: string }
export type AttemptFault = { readonly code: FailureCode; readonly message: string }
export type Breakers = ReturnType<typeof createBreakers>
type Deps = {
  readonly store: BreakerStore
  readonly clock: Clock
  readonly log: Log
  /** The number of workers, this machine included. */
  readonly workerCount: () => number
  /** A breaker admits more tasks than before. */
  readonly onEased: (workerId: string) => void
}
type State = BreakerRow['state']
type Breaker = {
  readonly workerId: string
  readonly modelKey: string
  circuit: CircuitBreaker<[Promise<void>], void>
  /** Chargeable failures in a row while closed. */
  failures: number
  /** Attempts up to this one began before the last counted end of a process. */
  countedUpTo: number
  trips: number
  reason: string
  /** Monotonic: when the rest is over. */
  until: number
  probe: { readonly attemptId: string; readonly resolve: () => void; readonly reject: (error: Error) => void } | null
  cancelTimer: () => void
}
/** The library's own timer does not use our clock, so it gets the longest delay and ours is always first. */
const NEVER_MS = 2 ** 31 - 1
/** Runs share a process: the attempts that end with it are one piece of evidence. */
const PROCESS_ENDS: ReadonlySet<FailureCode> = new Set(['ENGINE_CRASHED', 'ENGINE_HUNG'])
const NO_BREAKERS: ReadonlyMap<string, Admits> = new Map()

// Long factory: every function moves the same breakers between their states.
export function createBreakers({ store, clock, log, workerCount, onEased }: Deps) {
  const breakers = new Map<string, Map<string, Breaker>>()
  const failedAt = new Map<string, number>() // worker -> its last chargeable failure, monotonic
  const begun = new Map<string, number>() // attempt under way -> its place in the order of offers
  let offers = 0

  const stateOf = ({ circuit }: Breaker): State => (circuit.closed ? 'closed' : circuit.opened ? 'open' : 'half_open')
  const find = ({ workerId, modelKey }: TriedAttempt) => breakers.get(workerId)?.get(modelKey)

  function add(workerId: string, modelKey: string, state: State, trips: number, reason: string): Breaker {
    const breaker: Breaker = {
      workerId,
      modelKey,
      circuit: circuitIn(state),
      failures: 0,
      countedUpTo: 0,
      trips,
      reason,
      until: 0,
      probe: null,
      cancelTimer: () => {},
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
  /** The library enters `half open` only by its own timer and never twice, so a new circuit starts in that state. */
  function test(breaker: Breaker): void {
    breaker.circuit.shutdown()
    breaker.circuit = circuitIn('half_open')
    breaker.probe = null
    listen(breaker)
    onEased(breaker.workerId)
  }

  function save(breaker: Breaker): void {
    const { workerId, modelKey, trips, reason, until } = breaker
    const state = stateOf(breaker)
    const retryAt = state === 'open' ? Math.round(clock.now() + until - clock.mono()) : null
    store.put({ workerId, modelKey, state, trips, retryAt, reason })
  }
  function rest(breaker: Breaker, ms: number): void {
    breaker.until = clock.mono() + ms
    breaker.cancelTimer = clock.after(ms, () => {
      test(breaker)
      save(breaker)
      log.info({ workerId: breaker.workerId, modelKey: breaker.modelKey }, 'a paused machine gets one task to prove its recovery')
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
    onEased(breaker.workerId)
  }

  /** When many workers fail at once, none is at fault: the failures counted in this time are removed. */
  function discountFailures(now: number): void {
    for (const [workerId, at] of failedAt)
      if (now - at < MASS_WINDOW_MS) for (const breaker of breakers.get(workerId)?.values() ?? []) breaker.failures = 0
  }

  function drop(workerId: string): void {
    for (const { circuit, cancelTimer } of breakers.get(workerId)?.values() ?? []) {
      cancelTimer()
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
    /** An attempt was offered. A breaker that waits for a probe takes it as its probe. */
    began(tried: TriedAttempt): void {
      begun.set(tried.attemptId, ++offers)
      const breaker = find(tried)
      if (!breaker?.circuit.pendingClose) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      breaker.probe = { attemptId: tried.attemptId, resolve, reject }
      breaker.circuit.fire(promise).catch(() => {}) // the event `open` follows
    },
    /** An attempt has ended. `fault` null: it succeeded, or is no evidence, by `succeeded`. */
    ended(tried: TriedAttempt, succeeded: boolean, fault: AttemptFault | null): void {
      const place = begun.get(tried.attemptId) ?? 0
      begun.delete(tried.attemptId)
      const isCharged = fault !== null && isChargeable(fault.code)
      const endsProcess = fault !== null && PROCESS_ENDS.has(fault.code)
      const now = clock.mono()
      if (isCharged) failedAt.set(tried.workerId, now)
      const isMass = isCharged && isMassFailure(failedAt, workerCount(), now)
      if (isMass) discountFailures(now)
      const charged = isCharged && !isMass ? fault : null
      const breaker = find(tried) ?? (charged ? add(tried.workerId, tried.modelKey, 'closed', 0, '') : undefined)
      // An attempt from before the breaker opened is no evidence about the worker now.
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
      } else if (charged && !(endsProcess && place <= breaker.countedUpTo)) {
        if (endsProcess) breaker.countedUpTo = offers
        if (++breaker.failures >= TRIPS_AT) breaker.circuit.open()
      }
    },
    /** `engine:model` -> admitted tasks. A missing key means that the breaker is closed. */
    of(workerId: string): ReadonlyMap<string, Admits> {
      const ofWorker = breakers.get(workerId)
      if (!ofWorker) return NO_BREAKERS
      const refusing = [...ofWorker.values()].filter(({ circuit }) => !circuit.closed)
      return new Map(refusing.map(({ modelKey, circuit }) => [modelKey, circuit.pendingClose ? 'one' : 'none']))
    },
    /** States of every breaker that is not closed. */
    *states(): Generator<Exclude<State, 'closed'>> {
      for (const ofWorker of breakers.values())
        for (const breaker of ofWorker.values()) {
          const state = stateOf(breaker)
          if (state !== 'closed') yield state
        }
    },
    /** Breakers that refuse work now, and those that test their worker, for the owner. */
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
    /** The owner resumed or removed the worker: closes its breakers and removes their history. */
    clear(workerId: string): void {
      failedAt.delete(workerId)
      if (!breakers.has(workerId)) return
      store.remove(workerId)
      drop(workerId)
      onEased(workerId)
    },
    /** Cancels every timer; for the end of the process. */
    stop(): void {
      for (const workerId of [...breakers.keys()]) drop(workerId)
    },
  }
}

/** A circuit that opens only by `open()` or when its probe fails. */
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
