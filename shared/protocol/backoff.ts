// The wait before a retry.

/**
 * Full jitter: a random wait between zero and the cap of this attempt, so that machines that failed together do not retry together.
 * `attempt` counts from 0; `random` is in [0, 1); the result is in milliseconds and below `capMs`.
 */
export const backoff = (attempt: number, random: number, baseMs: number, capMs: number): number =>
  random * Math.min(capMs, baseMs * 2 ** attempt)

/** Milliseconds for which a studio keeps a task for a disconnected machine. */
export const AWAY_PATIENCE_MS = 30_000
/** The longest wait of an agent before it dials its studio again: a studio that was away for long must see its machines before it gives up on them. */
export const REDIAL_CAP_MS = AWAY_PATIENCE_MS / 2

/** Longest random part of a wait that was asked for, in seconds. The other side gives a time of its own to each caller, in whole seconds. */
const ASKED_SPREAD_SECONDS = 2
/** The wait after an answer that asks for `seconds`: never shorter, and at most two seconds or as long again longer. `random` is in [0, 1); in milliseconds. */
export const waitAsAsked = (seconds: number, random: number): number => (seconds + random * Math.min(seconds, ASKED_SPREAD_SECONDS)) * 1_000
