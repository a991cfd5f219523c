// Small things that every page is made of. Each is a native element with a class: keyboard and screen reader come with it.
import { html, useCallback, useEffect, useRef, useState } from '../html.js'

/** A button that shows that it works, cannot be pressed twice, and tells a failure through `onError`. */
export function Action({ onPress, children, kind = 'plain', onError, disabled = false, ...rest }) {
  const [busy, setBusy] = useState(false)
  const press = useCallback(async () => {
    setBusy(true)
    try {
      await onPress()
    } catch (error) {
      notify(error.message, 'error')
      onError?.(error)
    } finally {
      setBusy(false)
    }
  }, [onPress])
  return html`<button type="button" class=${kind} disabled=${busy || disabled} aria-busy=${busy} onClick=${press} ...${rest}>${children}</button>`
}

/** A state in words, with a colour that only repeats it. tone: good, busy, warn, bad or quiet. */
export const Badge = ({ tone = 'quiet', children }) => html`<span class=${`badge ${tone}`}>${children}</span>`

export const Field = ({ label, hint, children }) =>
  html`<label class="field"><span>${label}</span>${children}${hint && html`<small>${hint}</small>`}</label>`

export const Progress = ({ value, label }) => html`<progress max="1" value=${value ?? undefined} aria-label=${label}></progress>`

/** A modal window; Escape and the button close it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }) {
  const ref = useRef(null)
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    // What opened it may be gone by then: a machine that was approved has no button to approve it.
    return () => (before?.isConnected ? before : document.getElementById('main'))?.focus()
  }, [])
  return html`<dialog ref=${ref} aria-label=${title} onClose=${onClose}>
    <header><h2>${title}</h2><button type="button" class="quiet" aria-label="Close" onClick=${() => ref.current.close()}>✕</button></header>
    ${children}
  </dialog>`
}

/** Asks before what cannot be undone. */
export function Confirm({ title, children, action, onYes, onClose }) {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    ${children}
    <footer>
      <button type="button" onClick=${onClose}>Keep it as it is</button>
      <${Action} kind="danger" onPress=${async () => {
        await onYes()
        onClose()
      }}>${action}<//>
    </footer>
  <//>`
}

let listener = () => {}
/** A line at the edge of the page, read out by screen readers. */
export const notify = (text, tone = 'good') => listener({ text, tone, at: performance.now() })

/** In the top layer, shown anew with each notice: a dialog that was opened since would lie above it. */
export function Notices() {
  const [notices, setNotices] = useState([])
  const ref = useRef(null)
  useEffect(() => {
    ref.current.hidePopover()
    ref.current.showPopover()
  }, [notices.at(-1)])
  useEffect(() => {
    listener = (notice) => {
      setNotices((all) => [...all.slice(-3), notice])
      setTimeout(() => setNotices((all) => all.filter((one) => one !== notice)), notice.tone === 'error' ? 12_000 : 5_000)
    }
  }, [])
  return html`<div ref=${ref} class="notices" popover="manual" role="status" aria-live="polite">
    ${notices.map((one) => html`<p key=${one.at} class=${one.tone}>${one.text}</p>`)}
  </div>`
}

/** Seconds since the epoch as words; renewed by whoever draws. */
export function ago(seconds) {
  if (seconds === null || seconds === undefined) return 'never'
  const past = Math.max(0, Date.now() / 1000 - seconds)
  if (past < 60) return `${Math.round(past)} s ago`
  if (past < 3600) return `${Math.round(past / 60)} min ago`
  return past < 86_400 ? `${Math.round(past / 3600)} h ago` : new Date(seconds * 1000).toLocaleDateString()
}

export const bytes = (size) => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3))
  return `${(size / 1000 ** step).toFixed(step > 1 ? 1 : 0)} ${units[step]}`
}
