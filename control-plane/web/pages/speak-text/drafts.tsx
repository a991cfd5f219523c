// The state of the draft, and the question when two browsers changed one.

import { SavedElsewhere, SavedState } from '#control-plane/web/kept-project/conflict.tsx'
import { strings } from '#messages/create/speak.ts'
import { draftKeeper } from './kept.ts'

export const DraftState = () => <SavedState keeper={draftKeeper} states={strings.draftStates} />

export const DraftConflict = () => (
  <SavedElsewhere keeper={draftKeeper} question={strings.changedElsewhere} beginningOf={({ text }) => text} />
)
