// Requests to a store that may be away for a moment: which errors pass, and how long they are tried again.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'

export type RetryLimits = {
  /** Requests at most, the first one included. */
  readonly attempts: number
  /** Milliseconds before the second request; doubled for each further one. */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** Milliseconds after which no further request begins. */
  readonly totalMs: number
}
export const USUAL_RETRIES: RetryLimits = { attempts: 6, firstWaitMs: 200, longestWaitMs: 5_000, totalMs: 60_000 }

/** Names of errors whose request may be repeated although the status says that the client is wrong. */
const REPEATED = ['RequestTimeout', 'RequestTimeTooSkewed', 'SlowDown', 'XAmzContentSHA256Mismatch', 'BadDigest', 'IncompleteBody']
const SAID = 200

type StoreError = { readonly name?: string; readonly message?: string; readonly $metadata?: { readonly httpStatusCode?: number } }

/** The status of the answer; 0 without one. */
export const statusOf = (error: unknown): number => (error as StoreError)?.$metadata?.httpStatusCode ?? 0
/** The code that the store gave, such as NoSuchKey. */
export const storeReasonOf = (error: unknown): string => String((error as StoreError)?.name ?? 'unknown')

export function mayRepeat(error: unknown): boolean {
  if (error instanceof Failure) return false
  const status = statusOf(error)
  // Without an answer: refused, cut, timed out. The SDK gives errors of its own, such as missing credentials, a name that ends in ProviderError.
  if (status === 0) return !/ProviderError$/.test(storeReasonOf(error))
  return (status >= 500 && status !== 501 && status !== 507) || status === 429 || REPEATED.includes(storeReasonOf(error))
}

/** The failure that a caller sees. Neither credentials nor the request are in its message. */
export function failureOf(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error
  const status = statusOf(error)
  const reason = [storeReasonOf(error).slice(0, SAID), ...(status > 0 ? [status] : [])].join(', ')
  if (status === 507) return new Failure('STORAGE_FULL', `The store has no room to ${what} (${reason}).`, { cause: error })
  return new Failure('STORAGE_UNAVAILABLE', `The store did not ${what} (${reason}).`, { cause: error })
}

/** Sends the request until it succeeds, fails for good, or the limits are reached; then throws the last error as it came. */
export async function repeatedly<T>(
  request: () => Promise<T>,
  { clock, random, limits }: { readonly clock: Clock; readonly random: Random; readonly limits: RetryLimits },
): Promise<T> {
  const since = clock.mono()
  for (let attempt = 1, waitMs = limits.firstWaitMs; ; attempt++, waitMs = Math.min(2 * waitMs, limits.longestWaitMs)) {
    try {
      return await request()
    } catch (error) {
      const isOver = attempt >= limits.attempts || clock.mono() - since + waitMs > limits.totalMs
      if (isOver || !mayRepeat(error)) throw error
      await clock.sleep(waitMs * (0.5 + random.unit() / 2))
    }
  }
}
