// Policy of breakers: the failures that count against a worker, how many open its breaker, and how long it then rests. Pure; the library
// has the states.
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'

/** Chargeable failures in a row that open a breaker. */
export const TRIPS_AT = 3
const SECOND = 1000
const FIRST_REST_MS = 60 * SECOND
const LONGEST_REST_MS = 1800 * SECOND
/** Failures of several workers within this time have a common cause, which is none of the workers. */
export const MASS_WINDOW_MS = 60 * SECOND
const MASS_WORKERS = 3
const MASS_SHARE = 0.5
const REASON_LENGTH = 200

/** Codes of charged classes that are no evidence about the worker: the studio stopped, the link broke, or the time was too short. */
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

/** Milliseconds that a breaker stays open after its nth trip. */
export const restMs = (trips: number): number => Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (trips - 1))

/**
 * The rest that is left after a restart, in milliseconds. Wall clocks jump: one that was set back must not extend a rest beyond its whole
 * length.
 */
export const restLeftMs = (retryAt: number, trips: number, now: number): number => Math.min(restMs(trips), Math.max(0, retryAt - now))

/** True if the newest failure is one of many. `failedAt`: the last failure of each worker, monotonic ms. `workerCount`: the number of workers. */
export function isMassFailure(failedAt: ReadonlyMap<string, number>, workerCount: number, now: number): boolean {
  const failing = [...failedAt.values()].filter((at) => now - at < MASS_WINDOW_MS).length
  return workerCount >= MASS_WORKERS && failing >= workerCount * MASS_SHARE
}

/** The failure message of a worker, reduced to one line. */
export const reasonOf = (message: string): string =>
  message.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim().slice(0, REASON_LENGTH).toWellFormed() || 'no reason given'

export const summaryOf = (state: 'open' | 'half_open', reason: string, leftMs: number): string =>
  state === 'half_open'
    ? 'testing recovery: the next task decides'
    : `paused after ${TRIPS_AT} failures (${reason}), retrying in ${Math.ceil(leftMs / SECOND)} s`
