// @ts-check
// The pronunciation dictionary: its entries, a new one, and a text as an engine receives it.
import { messageOf, post, put, remove } from '../../lib/api.js'
import { Action, Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { strings } from '../settings/strings.js'

/** @import { PronunciationRow } from '../../lib/api-types.ts' */
/** @typedef {keyof typeof words.types} EntryType */

const words = strings.dictionary
const TYPES = /** @type {EntryType[]} */ (Object.keys(words.types))
const EMPTY = { term: '', replacement: '', type: 'respelling', language: '*' }
/** Rows that are drawn; the search finds the others. */
const MOST_SHOWN = 200

/** @param {string} id @returns {`/pronunciation/${string}`} */
const pathOf = (id) => `/pronunciation/${encodeURIComponent(id)}`

/** @param {{ entry: PronunciationRow, onChanged: () => Promise<unknown> }} props */
function Entry({ entry: { id, term, replacement, type, language, enabled }, onChanged }) {
  const turn = async (/** @type {Event} */ { target }) => {
    const box = /** @type {HTMLInputElement} */ (target)
    try {
      await put(pathOf(id), { enabled: box.checked })
    } catch (error) {
      box.checked = enabled
      notify(messageOf(error), 'error')
    }
    await onChanged()
  }
  const drop = async () => {
    await remove(pathOf(id))
    await onChanged()
  }
  return html`<li class="entry">
    <input type="checkbox" aria-label=${words.use(term)} checked=${enabled} onChange=${turn} />
    <b class="text one-line" dir="auto">${term}</b><span class="soft text one-line" dir="auto">${replacement}</span>
    <small>${words.types[/** @type {EntryType} */ (type)]?.[0] ?? type} · ${language === '*' ? words.everyLanguage : language}</small>
    <${Action} kind="quiet icon-only" aria-label=${words.removeOf(term)} onPress=${drop}><${Icon} of="trash" /><//>
  </li>`
}

function Trial() {
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  const test = async () => setSaid((await post('/pronunciation/test', { text })).substituted)
  return html`<${Form} onSend=${test} send=${words.try} kind="plain" disabled=${text.trim() === ''}>
    <${Field} label=${words.sample}><textarea dir="auto" rows="2" maxlength="10000" value=${text} onInput=${(/** @type {Event} */ event) => setText(fieldValue(event))}></textarea><//>
    ${said && html`<p class="callout good text" role="status" dir="auto">${said}</p>`}
  <//>`
}

export function Dictionary() {
  const { value, error, again } = useRead('/pronunciation')
  const [fresh, setFresh] = useState(EMPTY)
  const [search, setSearch] = useState('')
  const field = (/** @type {keyof typeof EMPTY} */ name) => (/** @type {Event} */ event) =>
    setFresh({ ...fresh, [name]: fieldValue(event) })
  const add = async () => {
    await post('/pronunciation', { ...fresh, term: fresh.term.trim(), replacement: fresh.replacement.trim() })
    setFresh({ ...EMPTY, type: fresh.type, language: fresh.language })
    await again()
  }
  const found = value?.filter(({ term }) => term.toLowerCase().includes(search.toLowerCase())) ?? []
  const [, help] = words.types[/** @type {EntryType} */ (fresh.type)]
  return html`
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    <${Form} onSend=${add} send=${words.add} disabled=${fresh.term.trim() === ''}>
      <div class="entry-fields">
        <${Field} label=${words.term}><input dir="auto" maxlength="200" value=${fresh.term} onInput=${field('term')} /><//>
        <${Field} label=${words.replacement}><input dir="auto" maxlength="256" value=${fresh.replacement} onInput=${field('replacement')} /><//>
        <${Field} label=${words.type}><select value=${fresh.type} onChange=${field('type')}>${TYPES.map((one) => html`<option key=${one} value=${one}>${words.types[one][0]}</option>`)}</select><//>
        <${Field} label=${words.language}><input maxlength="64" value=${fresh.language} onInput=${field('language')} /><//>
      </div>
      <small>${help}</small>
    <//>
    ${value?.length === 0 && html`<p class="soft">${words.none}</p>`}
    ${(value?.length ?? 0) > 10 && html`<input type="search" class="find" aria-label=${words.find} placeholder=${words.find} value=${search} onInput=${(/** @type {Event} */ event) => setSearch(fieldValue(event))} />`}
    <ul class="entries" aria-label=${words.entries}>${found.slice(0, MOST_SHOWN).map((entry) => html`<${Entry} key=${entry.id} entry=${entry} onChanged=${again} />`)}</ul>
    ${found.length > MOST_SHOWN && html`<p class="soft">${words.more(found.length - MOST_SHOWN)}</p>`}
    <details><summary>${words.trial}</summary><${Trial} /></details>`
}
