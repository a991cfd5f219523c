// A line on its way through the steps of a translation.
import type { TermHit } from '../glossary/glossary.rules.ts'

export type LineDraft = {
  /** Our own id: ids of a request may be equal, or contain anything. */
  readonly key: string
  readonly id: string
  readonly source: string
  readonly target: string
  readonly manner: string
  /** Seconds; null without a time. */
  readonly available: number | null
  readonly hits: readonly TermHit[]
  /** The translation; the source while there is none. */
  text: string
  /** Reason why it is not translated; null when it is. */
  error: string | null
  degraded: boolean
  literal: string | null
  critique: string | null
  /** A shorter wording that is proposed and not used. */
  suggested: string | null
  /** Reason why a line that is too long was not made shorter; null otherwise. */
  rateError: string | null
}
