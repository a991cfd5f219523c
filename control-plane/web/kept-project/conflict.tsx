// The state of a project that a page keeps, and the question when two browsers changed it.

import { strings } from '#messages/shared.ts'
import { whenOpened } from '../lib/later.tsx'
import type { Keeper } from './keeper.ts'

const SHOWN_CHARS = 160

const Question = whenOpened(() => import('./question.tsx').then((module) => module.Question), { isQuiet: true })

/** `states`: the words of the page */
export function SavedState<Content extends object>({
  keeper,
  states,
}: {
  keeper: Keeper<Content>
  states: Partial<Readonly<Record<string, string>>>
}) {
  const { state, error } = keeper.useKept()
  return (
    <span class="caption" data-draft={state} role="status" title={error || undefined}>
      {states[state] ?? strings.savedStates[state]}
    </span>
  )
}

/** `question`: of the page. `beginningOf`: text that tells the other version from this one */
export function SavedElsewhere<Content extends object>({
  keeper,
  question,
  beginningOf,
}: {
  keeper: Keeper<Content>
  question: string
  beginningOf: (content: Content) => string
}) {
  const { state, theirs } = keeper.useKept()
  if (state !== 'conflict' || !theirs) return null
  return <Question.View question={question} beginning={beginningOf(theirs).slice(0, SHOWN_CHARS)} onChoice={keeper.settle} />
}
