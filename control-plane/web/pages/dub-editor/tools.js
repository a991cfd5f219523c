// @ts-check
// What is chosen above the lines of a dub: the language, the timing, its dialogs, and which lines are shown.
import { Field, fieldValue } from '../../lib/controls.js'
import { html } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { LANGUAGES, languageName } from '../dub/languages.js'
import { strings } from '../dub/strings.js'

const STRATEGIES = /** @type {const} */ (['concise', 'smart_fit', 'stretch_video', 'strict_slot'])

/** @typedef {{ find: string, speaker: string, onlyReview: boolean }} Filter */
/**
 * @typedef {object} Props
 * @property {string} code
 * @property {string} strategy
 * @property {readonly string[]} speakers
 * @property {(speaker: string) => string} nameOf
 * @property {number} reviews
 * @property {Filter} filter
 * @property {boolean} mayExport
 * @property {(code: string) => void} onLanguage
 * @property {(strategy: string) => void} onStrategy
 * @property {(filter: Filter) => void} onFilter
 * @property {(dialog: 'voices' | 'glossary' | 'export') => void} onOpen
 */

/** @param {Props} props */
export const Tools = ({ code, strategy, speakers, nameOf, reviews, filter, mayExport, onLanguage, onStrategy, onFilter, onOpen }) =>
  html`<div class="row dub-tools">
        <${Field} label=${strings.to} look="chip"><select value=${code} onChange=${(/** @type {Event} */ event) => onLanguage(fieldValue(event))}>
          <option value="" disabled>${strings.chooseLanguage}</option>
          ${LANGUAGES.map((one) => html`<option key=${one.code} value=${one.code}>${one.name}</option>`)}
          ${code && !LANGUAGES.some((one) => one.code === code) && html`<option value=${code}>${languageName(code)}</option>`}</select><//>
        <${Field} label=${strings.timing} look="chip"><select value=${strategy} onChange=${(/** @type {Event} */ event) => onStrategy(fieldValue(event))}>
          ${STRATEGIES.map((one) => html`<option key=${one} value=${one}>${strings.strategies[one]}</option>`)}</select><//>
        <button type="button" onClick=${() => onOpen('voices')}><${Icon} of="voice" />${strings.voices}</button>
        <button type="button" onClick=${() => onOpen('glossary')}><${Icon} of="book" />${strings.glossary}</button>
        ${mayExport && html`<button type="button" onClick=${() => onOpen('export')}><${Icon} of="download" />${strings.export}</button>`}
        <span class="spread"></span>
        ${
          speakers.length > 1 &&
          html`<${Field} label=${strings.speaker} look="chip"><select value=${filter.speaker} onChange=${(/** @type {Event} */ event) => onFilter({ ...filter, speaker: fieldValue(event) })}>
          <option value="">${strings.allSpeakers}</option>${speakers.map((one) => html`<option key=${one} value=${one}>${nameOf(one)}</option>`)}</select><//>`
        }
        ${(reviews > 0 || filter.onlyReview) && html`<button type="button" class=${filter.onlyReview ? 'tint' : ''} aria-pressed=${filter.onlyReview} onClick=${() => onFilter({ ...filter, onlyReview: !filter.onlyReview })}><${Icon} of="warning" />${strings.review(reviews)}</button>`}
        <input type="search" class="find" aria-label=${strings.find} placeholder=${strings.find} value=${filter.find} onInput=${(/** @type {Event} */ event) => onFilter({ ...filter, find: fieldValue(event) })} />
      </div>`
