// The failures of a language-model call: six fixed kinds with a fixed sentence each. The text of the provider is never repeated, because it may
// contain the prompt or a part of the key.

export const LLM_FAILURES = {
  config: 'The provider is not configured. Enter its address, its model and, if it needs one, its key.',
  auth: 'The provider rejected the key. Check the key and what it may use.',
  not_found: 'The provider does not have this model or address. Check the model name and the address.',
  rate_limit: 'The provider limits the number of requests. Wait a moment, or check the plan of the account.',
  network: 'The provider cannot be reached or did not answer in time. Check the address and the network.',
  error: 'The provider answered with an error or with an invalid response. Try again, or choose another model.',
} as const

export type LlmFailureKind = keyof typeof LLM_FAILURES

/** The only error that a call throws besides the reason of the caller's signal. `cause` is for tests, not for logs. */
export class LlmFailure extends Error {
  readonly kind: LlmFailureKind
  /** From Retry-After, when the provider sent it; at most one hour. */
  readonly retryAfterSeconds: number | null
  /** True if the time limit of the call has passed. */
  readonly isTimeout: boolean

  constructor(
    kind: LlmFailureKind,
    {
      retryAfterSeconds = null,
      isTimeout = false,
      cause,
    }: { retryAfterSeconds?: number | null; isTimeout?: boolean; cause?: unknown } = {},
  ) {
    super(LLM_FAILURES[kind], { cause })
    this.name = 'LlmFailure'
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
    this.isTimeout = isTimeout
  }
}

const LONGEST_WAIT_S = 3600

/** Seconds of a Retry-After header in its numeric form; null for a missing or another one. */
export const retryAfterOf = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text.trim()) ? Math.min(Number(text), LONGEST_WAIT_S) : null

/** The kind for an HTTP status of 300 or more. */
export function kindOfStatus(status: number): LlmFailureKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  return status === 429 ? 'rate_limit' : 'error'
}
