// The question when two browsers changed one project, loaded when it is asked.

import { strings } from '#messages/shared.ts'
import { Action } from '../lib/controls.tsx'

/** `beginning`: of the other text */
export const Question = ({
  question,
  beginning,
  onChoice,
}: {
  question: string
  beginning: string
  onChoice: (keep: 'mine' | 'theirs') => Promise<void>
}) => (
  <div class="callout" role="alert">
    <p>
      <strong>{question}</strong> {strings.savedElsewhereHint}
    </p>
    <p class="text clip" dir="auto">
      {beginning}
    </p>
    <div class="row">
      <Action onPress={() => onChoice('mine')}>{strings.keepMine}</Action>
      <Action onPress={() => onChoice('theirs')}>{strings.takeTheirs}</Action>
    </div>
  </div>
)
