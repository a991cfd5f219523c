// @ts-check
// Modal dialogs.
import { Action } from './controls.js'
import { html, useEffect, useRef } from './html.js'
import { strings } from './strings.js'

/** @import { ComponentChildren } from 'preact' */

/** Returns the focus to where it was when it closes. @param {{ title: string, onClose: () => void, children?: ComponentChildren }} props */
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
