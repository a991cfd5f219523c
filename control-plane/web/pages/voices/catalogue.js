// @ts-check
// Voices that are ready to use: the archetypes of the studio, and what others publish.
import { get, messageOf, post } from '../../lib/api.js'
import { Action, Field, fieldValue } from '../../lib/controls.js'
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { PlayButton } from '../../look/sound.js'
import { VoicePrint } from '../../look/voice-print.js'
import { play } from './mine.js'
import { strings } from './strings.js'

/** @import { ArchetypeItem, CommunityItemRow } from '../../lib/api-types.ts' */
/** @import { ComponentChildren } from 'preact' */

const STEP = 60
/** The source of voices that come with the studio. */
const STARTER = 'builtin/starter'
const REST_MS = 200

/**
 * Pages of a list, read again when the wanted rows change.
 * @template Row
 * @param {(offset: number) => Promise<{ total: number, items: readonly Row[] }>} read
 * @param {string} wanted
 */
function usePages(read, wanted) {
  const [state, setState] = useState({ items: /** @type {readonly Row[]} */ ([]), total: /** @type {number | null} */ (null), error: '' })
  const newest = useRef(0)
  const load = async (/** @type {number} */ offset) => {
    const mine = ++newest.current
    try {
      const { total, items } = await read(offset)
      if (mine === newest.current) setState((now) => ({ items: offset === 0 ? items : [...now.items, ...items], total, error: '' }))
    } catch (error) {
      if (mine === newest.current) setState((now) => ({ ...now, error: messageOf(error) }))
    }
  }
  useEffect(() => {
    const timer = setTimeout(() => load(0), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  return { ...state, more: () => load(state.items.length), again: () => load(0) }
}

/** @param {{ id: string, name: string, about: string, preview: string, use: `/archetypes/${string}/use` | `/community/items/${string}/use` }} props */
function Item({ id, name, about, preview, use }) {
  const add = async () => {
    const { profile_id: voice } = await post(use, {})
    notify(strings.added)
    location.hash = `#/voices/${voice}`
  }
  return html`<li class="offered">
    <${VoicePrint} id=${id} />
    <span class="grow"><b class="text one-line" dir="auto">${name}</b><small class="text one-line" dir="auto">${about}</small></span>
    <${PlayButton} path=${preview} label=${shared.playOf(name)} pauseLabel=${shared.pauseOf(name)} onPress=${() => play(preview, name)} />
    <${Action} aria-label=${strings.useOf(name)} onPress=${add}><${Icon} of="plus" />${strings.use}<//>
  </li>`
}

/** @param {{ pages: ReturnType<typeof usePages>, empty: string, children?: ComponentChildren }} props */
const List = ({ pages, empty, children }) => html`
  ${pages.error && html`<p class="callout bad text" role="alert">${pages.error} <button type="button" class="quiet" onClick=${pages.again}>${shared.tryAgain}</button></p>`}
  ${pages.total === 0 && html`<p class="empty">${empty}</p>`}
  ${pages.total === null && !pages.error && html`<div class="waiting" aria-hidden="true">${[1, 2, 3].map((one) => html`<div key=${one} class="skeleton"></div>`)}</div>`}
  <ul class="offers">${children}</ul>
  ${pages.total !== null && pages.items.length < pages.total && html`<div class="row center"><${Action} onPress=${pages.more}>${strings.more(Math.min(STEP, pages.total - pages.items.length))}<//></div>`}`

/** Traits by which the gallery is filtered: parameter -> category. */
const TRAITS = /** @type {const} */ ([
  ['gender', 'Gender'],
  ['age', 'Age'],
  ['pitch', 'Pitch'],
  ['accent', 'EnglishAccent'],
])

export function Gallery() {
  const cases = useRead('/archetypes/categories')
  const [wanted, setWanted] = useState(/** @type {Record<string, string>} */ ({}))
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== '')).toString()
  const pages = usePages((offset) => get(`/archetypes?limit=${STEP}&offset=${offset}&${query}`), query)
  const set = (/** @type {string} */ name) => (/** @type {Event} */ event) => setWanted((now) => ({ ...now, [name]: fieldValue(event) }))
  return html`<div class="row voice-filters">
      <input type="search" class="find" value=${wanted['q'] ?? ''} maxlength="200" placeholder=${strings.find} aria-label=${strings.find} onInput=${set('q')} />
      <${Field} label=${strings.useCase} look="chip"><select onChange=${set('use_case')}><option value="">${strings.all}</option>
        ${cases.value?.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select><//>
      ${TRAITS.map(
        ([
          name,
          category,
        ]) => html`<${Field} key=${name} label=${strings[name]} look="chip"><select onChange=${set(name)}><option value="">${strings.all}</option>
        ${strings.choices[category].map((one) => html`<option key=${one} value=${one}>${strings.traits(one)}</option>`)}</select><//>`,
      )}
      <span class="spread"></span><small class="number" role="status">${pages.total !== null && strings.found(pages.total)}</small>
    </div>
    <${List} pages=${pages} empty=${strings.noneFound}>${pages.items.map(
      (/** @type {ArchetypeItem} */ { id, name, instruct, language }) =>
        html`<${Item} key=${id} id=${id} name=${name} about=${[strings.traits(instruct), language].filter(Boolean).join(' · ')} preview=${`/archetypes/${encodeURIComponent(id)}/preview`} use=${`/archetypes/${encodeURIComponent(id)}/use`} />`,
    )}<//>`
}

export function Community() {
  const [text, setText] = useState('')
  const query = new URLSearchParams(text.trim() === '' ? {} : { q: text.trim() }).toString()
  const pages = usePages((offset) => get(`/community/items?limit=${STEP}&offset=${offset}&${query}`), query)
  return html`<div class="row voice-filters">
      <input type="search" class="find" value=${text} maxlength="200" placeholder=${strings.find} aria-label=${strings.find} onInput=${(/** @type {Event} */ event) => setText(fieldValue(event))} />
      <span class="spread"></span><small class="number" role="status">${pages.total !== null && strings.found(pages.total)}</small>
    </div>
    <${List} pages=${pages} empty=${text.trim() === '' ? strings.noSources : strings.noneFound}>${pages.items.map(
      (/** @type {CommunityItemRow} */ { id, name, language, license, _source_repo: source }) =>
        html`<${Item} key=${id} id=${id} name=${name} about=${[language, license, source === STARTER ? strings.starter : source].filter(Boolean).join(' · ')} preview=${`/community/items/${encodeURIComponent(id)}/preview`} use=${`/community/items/${encodeURIComponent(id)}/use`} />`,
    )}<//>`
}
