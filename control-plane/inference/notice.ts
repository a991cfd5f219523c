// What a client should know about an answer: another engine made it, or something it requested was not done. A value; http/respond.ts
// writes it into headers.

/** The words are part of the public API. */
export type Routing = 'stand_in' | 'notice' | 'remote_failed'
export type Notice = {
  readonly routing: Routing
  /** Sentences for the user. */
  readonly reason: string
}

/** Null when there is nothing to say. `isSubstitute`: another engine answered than the requested one. */
export function noticeOf(reasons: readonly (string | null | undefined)[], isSubstitute: boolean): Notice | null {
  const said = reasons.filter((reason) => reason != null && reason !== '')
  return said.length === 0 ? null : { routing: isSubstitute ? 'stand_in' : 'notice', reason: said.join(' ') }
}
