// @ts-check
// Short messages at the edge of the page.
import { html, useEffect, useRef, useState } from './html.js'

/** @typedef {{ text: string, tone: 'good' | 'error', at: number, action: { label: string, run: () => void } | null }} Notice */

/** @type {(notice: Notice) => void} */
let listener = () => {}

/** A line at the edge of the page, announced by screen readers. @param {string} text @param {Notice['tone']} [tone] @param {Notice['action']} [action] */
export const notify = (text, tone = 'good', action = null) => listener({ text, tone, action, at: performance.now() })

/** Shown again with each notice: otherwise a dialog that was opened since would cover it in the top layer. */
export function Notices() {
  const [notices, setNotices] = useState(/** @type {Notice[]} */ ([]))
  const ref = useRef(/** @type {HTMLElement | null} */ (null))
  const drop = (/** @type {Notice} */ notice) => setNotices((all) => all.filter((one) => one !== notice))
  const act = (/** @type {Notice} */ notice) => {
    drop(notice)
    notice.action?.run()
  }
  useEffect(() => {
    ref.current?.hidePopover()
    ref.current?.showPopover()
  }, [notices.at(-1)])
  useEffect(() => {
    listener = (notice) => {
      setNotices((all) => [...all.slice(-3), notice])
      setTimeout(() => drop(notice), notice.tone === 'error' || notice.action ? 12_000 : 5_000)
    }
  }, [])
  return html`<div ref=${ref} class="notices" popover="manual" role="status" aria-live="polite">
    ${notices.map((one) => html`<p key=${one.at} class=${one.tone}>${one.text}${one.action && html` <button type="button" class="quiet" onClick=${() => act(one)}>${one.action.label}</button>`}</p>`)}
  </div>`
}
