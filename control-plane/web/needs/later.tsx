// The grey line for a missing model, loaded when something is missing.
import { ApiError } from '../lib/api.ts'
import { whenOpened } from '../lib/later.tsx'

export const Needs = whenOpened(() => import('./needs-model.tsx').then(({ NeedsModel }) => NeedsModel), { isQuiet: true })

/** Points to the line that says what is missing. Returns false if the failure is another one, or the page has no such line. */
export function showNeed(error: unknown): boolean {
  const needs = error instanceof ApiError ? error.needs : null
  const line = needs && document.querySelector(`[data-needs="${needs.for}"]`)
  if (!line) return false
  line.scrollIntoView({ block: 'nearest' })
  line.animate([{ background: 'var(--accent-tint)' }, {}], 900)
  return true
}
