// When a failure counts against a worker, how many trip its breaker, and how long it then rests. Pure; the states are the library's.
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'

/** Chargeable failures in a row that open a breaker. */
export const TRIPS_AT = 3
const SECOND = 1000
const FIRST_REST_MS = 60 * SECOND
const LONGEST_REST_MS = 1800 * SECOND
/** Failures of several workers within this time have one cause, and it is none of them. */
export const MASS_WINDOW_MS = 60 * SECOND
const MASS_WORKERS = 3
const MASS_SHARE = 0.5
const REASON_LENGTH = 200

/** Of the classes that are charged, those that say nothing about the worker: we stopped, the link broke, or time was too short. */
const BLAMELESS: ReadonlySet<FailureCode> = new Set([
  'CANCELLED',
  'WORKER_DISCONNECTED',
  'SERVER_RESTART',
  'TASK_DEADLINE_EXCEEDED',
  'WORKER_DRAINING',
])
export const isChargeable = (code: FailureCode): boolean => {
  const kind = FAILURES[code].class
  return (kind === 'transient' || kind === 'timeout') && !BLAMELESS.has(code)
}

/** How long a breaker stays open after its nth trip. */
export const restMs = (trips: number): number => Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (trips - 1))

/**
 * What is left of a rest that was written down before a restart. Wall clocks jump: one that was set back must not keep a worker away for
 * longer than its rest ever was.
 */
export const restLeftMs = (retryAt: number, trips: number, now: number): number => Math.min(restMs(trips), Math.max(0, retryAt - now))

/** Whether the newest failure is one of many. `failedAt`: when each worker failed last. `known`: how many workers there are. */
export function isMassFailure(failedAt: ReadonlyMap<string, number>, known: number, now: number): boolean {
  const failing = [...failedAt.values()].filter((at) => now - at < MASS_WINDOW_MS).length
  return known >= MASS_WORKERS && failing >= known * MASS_SHARE
}

/** What a worker said went wrong, fit for one line. */
export const reasonOf = (message: string): string =>
  message.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim().slice(0, REASON_LENGTH).toWellFormed() || 'no reason given'

export const summaryOf = (state: 'open' | 'half_open', reason: string, leftMs: number): string =>
  state === 'half_open'
    ? 'testing recovery: the next task decides'
    : `paused after ${TRIPS_AT} failures (${reason}), retrying in ${Math.ceil(leftMs / SECOND)} s`
