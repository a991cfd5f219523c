// @ts-check
// Batch dubbing: films one after another, without edits.
import { messageOf, post, remove, request } from '../../lib/api.js'
import { Action, Confirm, Field, fieldValue, Progress } from '../../lib/controls.js'
import { percent } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { usePolled, useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { LANGUAGES, languageName } from '../dub/languages.js'
import { FileButton } from './file-button.js'
import { strings } from './strings.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @typedef {Gets['/batch/jobs'][number]} Film */

const EVERY_MS = 2000
const MOST_LANGUAGES = 20
const QUESTION_CHARS = 60
/** Of every format; the escapes keep tools from reading a comment. */
const FILMS = 'video/\u002a,audio/\u002a,.mkv,.ts,.avi'
const TONES = { queued: '', running: 'busy', done: 'good', failed: 'bad', cancelled: '' }

/** @param {{ film: Film, onChanged: () => Promise<void> }} props */
function Row({ film, onChanged }) {
  const { id, status, filename, langs, progress, error } = film
  const isActive = status === 'queued' || status === 'running'
  const [isAsking, setAsking] = useState(false)
  const end = async () => {
    if (isActive) await post(`/batch/jobs/${encodeURIComponent(id)}/cancel`, {})
    else await remove(`/batch/jobs/${encodeURIComponent(id)}`)
    await onChanged()
  }
  const finished = Object.keys(film.outputs ?? {})
  return html`<li class="sheet book-row" data-film=${id}>
    <div class="row"><span class="kind k3"><${Icon} of="film" /></span><a class="text one-line grow" dir="auto" href=${`#/dub/${encodeURIComponent(id)}`}>${filename}</a>
      <span class=${`state ${TONES[status]}`}>${strings.states[status]}${status === 'running' && progress ? ` · ${percent(progress.percent / 100)}` : ''}</span>
      ${isActive ? html`<${Action} onPress=${end} aria-label=${strings.cancelFilm(filename)}>${strings.cancel}<//>` : html`<button type="button" aria-label=${strings.removeFilm(filename)} onClick=${() => setAsking(true)}>${strings.remove}</button>`}</div>
    <p class="soft">${langs.map(languageName).join(', ')}</p>
    ${status === 'running' && html`<${Progress} value=${progress ? progress.percent / 100 : null} label=${strings.progressOf(filename)} />`}
    ${error && html`<p class="callout bad text">${error}</p>`}
    ${film.warnings?.map((one) => html`<p key=${one} class="note text"><${Icon} of="note" />${one}</p>`)}
    ${(finished.length > 0 ? finished : status === 'done' ? langs : []).map((lang) => html`<a key=${lang} class="button" download href=${`/batch/download/${encodeURIComponent(id)}/${encodeURIComponent(lang)}`}><${Icon} of="download" />${languageName(lang)}</a> `)}
    ${
      isAsking &&
      html`<${Confirm} title=${strings.deleteTitle(filename.slice(0, QUESTION_CHARS))} action=${strings.deleteYes} keep=${strings.keep} onYes=${end} onClose=${() => setAsking(false)}><p>${strings.deleteDub}</p><//>`
    }
  </li>`
}

export function Batch() {
  const [langs, setLangs] = useState(/** @type {readonly string[]} */ (['es']))
  const [voice, setVoice] = useState('')
  const [now, set] = useState({ sending: '', error: '' })
  const voices = useRead('/v1/audio/voices')
  const films = usePolled('/batch/jobs', EVERY_MS)
  const profiles = voices.value?.voices.filter((one) => one.type === 'profile') ?? []
  const send = async (/** @type {File} */ file) => {
    set({ sending: file.name, error: '' })
    const form = new FormData()
    form.append('langs', langs.join(','))
    if (voice) form.append('voice_id', voice)
    form.append('video', file)
    try {
      await request('POST', '/batch/enqueue', { form })
      set({ sending: '', error: '' })
      await films.reload()
    } catch (failure) {
      set({ sending: '', error: messageOf(failure) })
    }
  }
  const add = (/** @type {Event} */ event) => {
    const lang = fieldValue(event)
    if (event.target instanceof HTMLSelectElement) event.target.value = ''
    if (langs.length < MOST_LANGUAGES && !langs.includes(lang)) setLangs([...langs, lang])
  }
  return html`<div class="row">
      <${Field} label=${strings.addLanguage} look="chip"><select value="" onChange=${add}><option value="" disabled>${strings.choose}</option>${LANGUAGES.map((one) => html`<option key=${one.code} value=${one.code}>${one.name}</option>`)}</select><//>
      ${langs.map((lang) => html`<button type="button" key=${lang} aria-label=${strings.without(languageName(lang))} onClick=${() => setLangs(langs.filter((one) => one !== lang))}>${languageName(lang)}<${Icon} of="close" /></button>`)}
      <${Field} label=${strings.voice} look="chip"><select value=${voice} onChange=${(/** @type {Event} */ event) => setVoice(fieldValue(event))}><option value="">${strings.ownVoices}</option>${profiles.map((one) => html`<option key=${one.voice_id} value=${one.voice_id}>${one.name}</option>`)}</select><//>
    </div>
    <${FileButton} label=${strings.chooseFilm} accept=${FILMS} disabled=${now.sending !== '' || langs.length === 0} onFile=${send} />
    ${now.sending && html`<p class="text" role="status">${strings.sending(now.sending)}</p><${Progress} value=${null} label=${strings.sending(now.sending)} />`}
    ${(now.error || films.error) && html`<p class="callout bad text" role="alert">${now.error || films.error}</p>`}
    ${films.value?.length === 0 && html`<p class="soft">${strings.noFilms}</p>`}
    <ul class="plain">${films.value?.map((film) => html`<${Row} key=${film.id} film=${film} onChanged=${films.reload} />`)}</ul>`
}
