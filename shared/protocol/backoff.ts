// How long to wait before trying again.

/**
 * Full jitter: a moment anywhere between zero and the cap of this attempt, so that many machines that failed together do not return together.
 * `attempt` counts from 0; `random` is in [0, 1); the result is in milliseconds and below `capMs`.
 */
export const backoff = (attempt: number, random: number, baseMs: number, capMs: number): number =>
  random * Math.min(capMs, baseMs * 2 ** attempt)
