// The notice about a response: a substitute answered, or the user should know something about the result. A value; http/respond.ts writes
// it into headers.
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'

/** The values are part of the public API. */
export const ROUTINGS = ['stand_in', 'cpu_fallback', 'notice', 'remote_failed'] as const
export type Routing = (typeof ROUTINGS)[number]
export type Notice = {
  readonly routing: Routing
  /** Sentences for the user. With `stand_in`: what was substituted and why. */
  readonly reason: string
  /** Sentences that do not concern a substitute, such as a parameter without effect. */
  readonly information: readonly string[]
  /** The missing model because of which something was left out. */
  readonly needs?: ModelNeed
}

/** Null without sentences. `isSubstitute`: another engine than the requested one was used; `reasons` are about that. */
export function noticeOf(
  reasons: readonly (string | null | undefined)[],
  isSubstitute: boolean,
  information: readonly string[] = [],
): Notice | null {
  const sentences = reasons.filter((reason) => reason != null && reason !== '')
  if (sentences.length > 0) return { routing: isSubstitute ? 'stand_in' : 'notice', reason: inSentences(...sentences), information }
  return information.length === 0 ? null : { routing: 'notice', reason: inSentences(...information), information }
}

/** All sentences of a notice, each once. */
export const sentencesOf = ({ reason, information = [] }: Pick<Notice, 'reason'> & Partial<Notice>): string =>
  inSentences(reason, inSentences(...information))
