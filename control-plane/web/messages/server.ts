// The type of the texts for what the studio writes. It writes English; a page in another language shows these texts in their place, and the English
// ones as details.

import type { SentenceId } from './sentences.ts'

/** Names and figures of a failure, as the answer has them. */
export type FailureValues = Readonly<Record<string, string | number | undefined>>

export type ServerTexts = {
  /**
   * By the code of the failure: what happened, '' for what the studio says itself; and what to do, '' if there is nothing to do. English has a part
   * of the codes, other languages all of them.
   */
  readonly failures: Readonly<Record<string, readonly [sentence: string | ((values: FailureValues) => string), hint: string]>>
  /** By the id of the control: its title and its help. */
  readonly settings: Readonly<Record<string, readonly [title: string, help: string]>>
  /** By the id of the check: its name. */
  readonly checks: Readonly<Record<string, string>>
  /** With the names of the English sentence. English has those that read better for people, other languages all of them. */
  readonly sentences: Readonly<Partial<Record<SentenceId, string>>>
}
