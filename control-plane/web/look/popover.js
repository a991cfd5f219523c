// @ts-check
// A button that opens a small window below it. The browser closes it with Escape or a press beside it, and returns the focus.
import { html, useRef } from '../lib/html.js'

/** @import { ComponentChildren } from 'preact' */

/**
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
