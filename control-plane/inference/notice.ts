// The notice about a response: a substitute engine was used, or a part of the request was ignored. A value; http/respond.ts writes it into
// headers.

/** The values are part of the public API. */
export type Routing = 'stand_in' | 'cpu_fallback' | 'notice' | 'remote_failed'
export type Notice = {
  readonly routing: Routing
  /** Sentences for the user. */
  readonly reason: string
}

/** Null without reasons. `isSubstitute`: another engine than the requested one was used. */
export function noticeOf(reasons: readonly (string | null | undefined)[], isSubstitute: boolean): Notice | null {
  const sentences = reasons.filter((reason) => reason != null && reason !== '')
  return sentences.length === 0 ? null : { routing: isSubstitute ? 'stand_in' : 'notice', reason: sentences.join(' ') }
}
