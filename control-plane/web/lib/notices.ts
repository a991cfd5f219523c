// Short messages at the edge of the page, from everywhere; look/notices.tsx shows them.
import { strings as shared } from '#messages/shared.ts'
import { messageOf } from './api.ts'

export type Notice = { text: string; tone: 'good' | 'error'; at: number; action: { label: string; run: () => void } | null }

let listener: (notice: Notice) => void = () => {}

/** The part of the page that shows notices from now on. */
export function showNotices(show: (notice: Notice) => void) {
  listener = show
}

/** A line at the edge of the page, announced by screen readers. */
export const notify = (text: string, tone: Notice['tone'] = 'good', action: Notice['action'] = null) =>
  listener({ text, tone, action, at: performance.now() })

/** A failure of something that nothing on the page waits for. */
export const reportFailure = (error: unknown) => notify(messageOf(error), 'error')

/** The button of a notice that brings back what was deleted. */
export const undoBy = (run: () => Promise<unknown>) => ({
  label: shared.undo,
  run: () => void run().catch(reportFailure),
})
