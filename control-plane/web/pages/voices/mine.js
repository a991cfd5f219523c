// @ts-check
// The voices of the studio as a table, with search and filters that survive a reload.
import { queryOf } from '../../frame/address.js'
import { messageOf } from '../../lib/api.js'
import { Field, fieldValue } from '../../lib/controls.js'
import { ago } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { PlayButton, playSound } from '../../look/sound.js'
import { VoicePrint } from '../../look/voice-print.js'
import { languageName } from '../dub/languages.js'
import { changeDraft } from '../speak/draft.js'
import { strings } from './strings.js'

/** @import { useChoices } from '../../frame/address.js' */
/** @import { VoiceRow } from '../../lib/api-types.ts' */
/** @import { useRead } from '../../lib/read.js' */
/** @import { IconName } from '../../look/icons.js' */
/** @typedef {keyof typeof strings.kinds} Kind */

/** Rows that are drawn at once. */
const STEP = 200
/** @type {readonly Kind[]} */
const KINDS = ['clone', 'design', 'import']

/** @param {VoiceRow} voice @returns {Kind} */
export const kindOf = ({ kind, statement, origin }) => (origin.startsWith('bundle:') || statement?.method === 'imported' ? 'import' : kind)

/** The studio stores a word for a language that is detected. @param {VoiceRow} voice */
export const languageOf = ({ language }) => (language === '' || language === 'Auto' ? strings.anyLanguage : languageName(language))

/** @param {VoiceRow} voice @returns {{ word: string, tone: '' | 'good' | 'warn', icon: IconName | null }} */
export function statementOf({ kind, verified_own_voice: isShown, statement }) {
  if (kind === 'design') return { word: strings.statements.unneeded, tone: '', icon: null }
  if (!isShown) return { word: strings.statements.missing, tone: 'warn', icon: 'warning' }
  return statement?.method === 'imported'
    ? { word: strings.statements.imported, tone: '', icon: 'shield' }
    : { word: strings.statements.recorded, tone: 'good', icon: 'shield' }
}

/** What a person wrote about it. The studio marks a voice from a collection with its origin there. @param {Pick<VoiceRow, 'description' | 'instruct' | 'personality' | 'origin'>} voice */
export const aboutOf = ({ description, instruct, personality, origin }) =>
  description || instruct || (personality === origin ? '' : personality)

/** The newest sound of a voice. @param {VoiceRow} voice */
export const soundOf = ({ id, audio_url: url }) => url ?? `/profiles/${id}/audio`
/** @param {string} path @param {string} title @param {string} [href] */
export const play = (path, title, href = '') => playSound(path, { title, href }).catch((error) => notify(messageOf(error), 'error'))

/** The next text is spoken in this voice. @param {VoiceRow} voice */
export function speakWith({ id }) {
  changeDraft({ voice: id, engine: '' })
  location.hash = '#/speak'
}

/** @param {{ voice: VoiceRow, isOpen: boolean, query: string }} props */
function Row({ voice, isOpen, query }) {
  const { id, name, image_url: image } = voice
  const { word, tone, icon } = statementOf(voice)
  const path = soundOf(voice)
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    void play(path, name, `#/voices/${id}`)
  }
  return html`<tr aria-current=${isOpen ? 'true' : undefined}>
    <th scope="row"><span class="named-voice"><${VoicePrint} id=${id} image=${image} />
      <span><a class="text one-line" dir="auto" href=${`#/voices/${id}${query}`} onKeyDown=${key}>${name}</a>
      <small class="text one-line" dir="auto">${aboutOf(voice) || strings.unnamed}</small></span></span></th>
    <td class="of-kind">${strings.kinds[kindOf(voice)]}</td>
    <td class="of-language">${languageOf(voice)}</td>
    <td class="said"><span class=${`state ${tone}`}>${icon && html`<${Icon} of=${icon} />`}${word}</span></td>
    <td class="made">${ago(voice.created_at)}</td>
    <td class="acts"><${PlayButton} path=${path} label=${shared.playOf(name)} pauseLabel=${shared.pauseOf(name)} onPress=${() => play(path, name, `#/voices/${id}`)} />
      <button type="button" class="quiet icon-only" title=${strings.speakWith(name)} aria-label=${strings.speakWith(name)} onClick=${() => speakWith(voice)}><${Icon} of="speak" /></button></td>
  </tr>`
}

/** @param {{ voices: ReturnType<typeof useRead<'/profiles'>>, openId: string, choices: ReturnType<typeof useChoices<'q' | 'kind' | 'language'>> }} props */
export function MyVoices({ voices, openId, choices: [wanted, change] }) {
  const [count, setCount] = useState(STEP)
  const set = (/** @type {keyof typeof wanted} */ name) => (/** @type {Event} */ event) => change({ [name]: fieldValue(event) })
  const all = voices.value
  if (all === null)
    return voices.error
      ? html`<p class="callout bad text" role="alert">${voices.error} <button type="button" class="quiet" onClick=${voices.again}>${shared.tryAgain}</button></p>`
      : html`<p class="hidden" role="status">${shared.loading}</p><div class="waiting" aria-hidden="true">${[1, 2, 3].map((one) => html`<div key=${one} class="skeleton"></div>`)}</div>`
  if (all.length === 0)
    return html`<div class="empty"><span class="kind k2 large"><${Icon} of="voice" isLarge /></span><p>${strings.none}</p>
      <div class="row center"><a class="button tint" href="#/voices/new?from=sample">${strings.fromSample}</a><a class="button" href="#/voices/new?from=design">${strings.fromWords}</a></div></div>`
  const languages = [...new Set(all.map(languageOf))].sort()
  const text = wanted.q.trim().toLowerCase()
  const found = all.filter(
    (voice) =>
      (wanted.kind === '' || kindOf(voice) === wanted.kind) &&
      (wanted.language === '' || languageOf(voice) === wanted.language) &&
      (text === '' || [voice.name, voice.description, voice.instruct, voice.personality].some((one) => one.toLowerCase().includes(text))),
  )
  return html`<div class="row voice-filters">
      <input type="search" class="find" value=${wanted.q} placeholder=${strings.find} aria-label=${strings.find} onInput=${set('q')} />
      <${Field} label=${strings.language} look="chip"><select value=${wanted.language} onChange=${set('language')}>
        <option value="">${strings.all}</option>${languages.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select><//>
      <${Field} label=${strings.kind} look="chip"><select value=${wanted.kind} onChange=${set('kind')}>
        <option value="">${strings.all}</option>${KINDS.map((one) => html`<option key=${one} value=${one}>${strings.kinds[one]}</option>`)}</select><//>
      <span class="spread"></span><small class="wide-only">${strings.spacePlays}</small>
      <span class="hidden" role="status">${strings.found(found.length)}</span>
    </div>
    ${
      found.length === 0
        ? html`<p class="empty">${strings.noneFound} <button type="button" class="quiet" onClick=${() => change({ q: '', kind: '', language: '' })}>${strings.showAll}</button></p>`
        : html`<table class="list-table voices">
      <thead><tr>${Object.entries(strings.columns).map(([id, name]) => html`<th key=${id} scope="col" class=${`col-${id}`}>${id === 'actions' ? html`<span class="hidden">${name}</span>` : name}</th>`)}</tr></thead>
      <tbody>${found.slice(0, count).map((voice) => html`<${Row} key=${voice.id} voice=${voice} isOpen=${voice.id === openId} query=${queryOf(wanted)} />`)}</tbody>
    </table>`
    }
    ${found.length > count && html`<div class="row center"><button type="button" onClick=${() => setCount(count + STEP)}>${strings.more(Math.min(STEP, found.length - count))}</button></div>`}`
}
