import type { chosenForDictation } from './dictation.service.ts'

export type DictationApi = {
  /** Whether an offer is the model that the owner selected for dictation. */
  readonly isChosen: ReturnType<typeof chosenForDictation>
}
