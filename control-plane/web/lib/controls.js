// @ts-check
// Controls that every page uses. Each is a native element with a class, so keyboard and screen reader support come with it.
import { messageOf } from './api.js'
import { html, useCallback, useEffect, useRef, useState } from './html.js'
import { notify } from './notices.js'
import { strings } from './strings.js'

/** @import { ComponentChildren } from 'preact' */
/** @typedef {'good' | 'busy' | 'warn' | 'bad' | 'quiet'} Tone */

/**
 * A button for an asynchronous action: busy and disabled while it runs; a failure becomes a notice.
 * @param {{ onPress: () => unknown, children?: ComponentChildren, kind?: string, disabled?: boolean } & Record<string, unknown>} props
 */
export function Action({ onPress, children, kind = 'plain', disabled = false, ...rest }) {
  const [busy, setBusy] = useState(false)
  const press = useCallback(async () => {
    setBusy(true)
    try {
      await onPress()
    } catch (error) {
      notify(messageOf(error), 'error')
    } finally {
      setBusy(false)
    }
  }, [onPress])
  return html`<button type="button" class=${kind} disabled=${busy || disabled} aria-busy=${busy} onClick=${press} ...${rest}>${children}</button>`
}

/** A state as a word; the colour repeats it. @param {{ tone?: Tone, children?: ComponentChildren }} props */
export const Badge = ({ tone = 'quiet', children }) => html`<span class=${`badge ${tone}`}>${children}</span>`

/** `look`: `chip` shows the name and the control in one line. @param {{ label: string, hint?: string, look?: string, children?: ComponentChildren }} props */
export const Field = ({ label, hint, look = '', children }) =>
  html`<label class=${`field ${look}`}><span>${label}</span>${children}${hint && html`<small>${hint}</small>`}</label>`

/** @param {{ value: number | null, label: string }} props value: 0 to 1, null while unknown */
export const Progress = ({ value, label }) => html`<progress max="1" value=${value ?? undefined} aria-label=${label}></progress>`

/**
 * A form that keeps a refusal in view until the next try. `extra` is drawn beside its button.
 * @param {{ onSend: () => Promise<void>, send: string, children?: ComponentChildren, extra?: ComponentChildren, kind?: string, disabled?: boolean }} props
 */
export function Form({ onSend, send, children, extra, kind = 'main', disabled = false }) {
  const [{ busy, error }, set] = useState({ busy: false, error: '' })
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    if (busy) return
    set({ busy: true, error: '' })
    try {
      await onSend()
      set({ busy: false, error: '' })
    } catch (failure) {
      set({ busy: false, error: messageOf(failure) })
    }
  }
  return html`<form class="fields" onSubmit=${submit}>
    ${children}
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    <div class="row"><button class=${kind} disabled=${busy || disabled} aria-busy=${busy}>${send}</button>${extra}</div>
  </form>`
}

/**
 * A button that opens a small window below it. The browser closes it with Escape or a press beside it, and returns the focus.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.label name of the button and of the window
 * @param {string} [props.title] the window, where its name is another one
 * @param {string} [props.kind] classes of the button
 * @param {ComponentChildren} props.face content of the button
 * @param {string} [props.look] classes of the window
 * @param {(isOpen: boolean) => void} [props.onToggle]
 * @param {ComponentChildren} [props.children]
 */
export function Popover({ id, label, title = label, kind = '', face, look = '', onToggle, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null))
  // A press on a link or a choice ends the question that the window asks.
  const press = (/** @type {MouseEvent} */ { target }) => {
    if (target instanceof Element && target.closest('[data-close]')) place.current?.hidePopover()
  }
  const toggled = (/** @type {ToggleEvent} */ event) => onToggle?.(event.newState === 'open')
  return html`<button type="button" class=${kind} aria-label=${label} title=${label} popovertarget=${id}>${face}</button>
    <section ref=${place} id=${id} class=${`popover ${look}`} popover="auto" aria-label=${title} onToggle=${toggled} onClick=${press}>${children}</section>`
}

/** A modal dialog. Returns the focus to where it was when it closes. @param {{ title: string, onClose: () => void, children?: ComponentChildren }} props */
export function Dialog({ title, onClose, children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null))
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      // The opening control may be gone: an approved machine has no Approve button.
      const target = before instanceof HTMLElement && before.isConnected ? before : document.getElementById('main')
      target?.focus()
    }
  }, [])
  return html`<dialog ref=${ref} aria-label=${title} onClose=${onClose}>
    <header><h2>${title}</h2><button type="button" class="quiet" aria-label=${strings.close} onClick=${() => ref.current?.close()}>✕</button></header>
    ${children}
  </dialog>`
}

/**
 * Asks before an action that cannot be undone.
 * @param {{ title: string, children?: ComponentChildren, action: string, keep?: string, onYes: () => Promise<unknown>, onClose: () => void }} props
 */
export function Confirm({ title, children, action, keep = strings.cancel, onYes, onClose }) {
  const confirm = async () => {
    await onYes()
    onClose()
  }
  return html`<${Dialog} title=${title} onClose=${onClose}>
    ${children}
    <footer>
      <button type="button" onClick=${onClose}>${keep}</button>
      <${Action} kind="danger" onPress=${confirm}>${action}<//>
    </footer>
  <//>`
}

/** Throws when the browser refuses. @param {string} text */
export async function copyText(text) {
  try {
    return await navigator.clipboard.writeText(text)
  } catch {}
  // Over plain HTTP there is no clipboard for pages; what is selected can be copied.
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'hidden'
  field.value = text
  // What is outside of a modal dialog can't be selected.
  const place = before?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error(strings.copyRefused)
}

/** The value of the field that an event comes from. @param {Event} event */
export function fieldValue({ target }) {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement)
    return target.value
  throw new TypeError('the event does not come from a field')
}
