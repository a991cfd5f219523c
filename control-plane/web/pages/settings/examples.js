// @ts-check
// How other programs call this studio, with its own address.
import { wholeAddress } from '../../at.js'
import { Action, copyText, Field, fieldValue } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings } from './strings.js'

const words = strings.examples
const LANGUAGES = /** @type {const} */ (['curl', 'python', 'javascript'])

export function Examples() {
  const [language, setLanguage] = useState(/** @type {typeof LANGUAGES[number]} */ ('curl'))
  const text = words.code[language](wholeAddress('/').replace(/\/$/, ''))
  const copy = async () => {
    await copyText(text)
    notify(words.copied)
  }
  const choose = (/** @type {Event} */ event) => setLanguage(LANGUAGES.find((one) => one === fieldValue(event)) ?? 'curl')
  return html`<div class="row"><${Field} label=${words.language} look="chip"><select value=${language} onChange=${choose}>${LANGUAGES.map((one) => html`<option key=${one} value=${one}>${words.names[one]}</option>`)}</select><//>
      <span class="spread"></span><${Action} onPress=${copy}>${words.copy}<//></div>
    <pre class="code" tabindex="0">${text}</pre>
    <p class="row"><a href="/docs">${words.reference}</a></p>`
}
