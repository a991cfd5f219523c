// @ts-check
// The list of all keys.

import { strings as frame } from '../frame/strings.js'
import { Dialog } from '../lib/controls.js'
import { html, useState } from '../lib/html.js'
import { areLettersOn, LETTERS_KEY, PAGE_KEYS } from './keys.js'
import { strings } from './strings.js'

/** All keys, and whether those of one letter work. @param {{ hasPage: (page: string) => boolean, onClose: () => void }} props */
export function KeyHelp({ hasPage, onClose }) {
  const [areOn, setOn] = useState(areLettersOn)
  const change = (/** @type {Event} */ { currentTarget }) => {
    if (!(currentTarget instanceof HTMLInputElement)) return
    localStorage.setItem(LETTERS_KEY, currentTarget.checked ? 'on' : 'off')
    setOn(currentTarget.checked)
  }
  const pages = Object.entries(PAGE_KEYS).filter(([, page]) => hasPage(page))
  return html`<${Dialog} title=${strings.keys} onClose=${onClose}>
    <div class="key-lists">
      ${Object.entries(strings.keyLists).map(
        ([title, keys]) =>
          html`<section key=${title}><h3>${title}</h3><dl>${keys.map(([key, does]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl></section>`,
      )}
      <section><h3>${strings.goTo}</h3><dl>${pages.map(([key, page]) => html`<div key=${key}><dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd>${frame.titles[/** @type {'home'} */ (page)]}</dd></div>`)}</dl></section>
    </div>
    <label class="row"><input type="checkbox" checked=${areOn} onChange=${change} /><span>${strings.lettersOn}</span></label>
  <//>`
}
