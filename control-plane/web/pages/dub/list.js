// @ts-check
// The dubs, newest first, and the way to a new one.
import { post, remove } from '../../lib/api.js'
import { Action, Confirm, Field, fieldValue, Progress } from '../../lib/controls.js'
import { ago, bytes, duration, exact, percent } from '../../lib/format.js'
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { forgetDraft } from './draft.js'
import { languageName } from './languages.js'
import { strings } from './strings.js'
import { cancelUpload, sendFilm, useUpload } from './upload.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @typedef {Gets['/dub/summaries'][number]} DubRow */

/** As many as the route lists. */
const MOST_LISTED = 1000
/** What the route accepts. */
const MOST_BYTES = 50 * 1024 ** 3
/** Of every format; the escapes keep tools from reading a comment. */
const FILMS = 'video/\u002a,audio/\u002a,.mkv,.ts,.avi'

/** @param {string} id */
const open = (id) => {
  location.hash = `#/dub/${encodeURIComponent(id)}`
}

/** @param {File | undefined} file */
function take(file) {
  if (!file) return
  if (file.size > MOST_BYTES) return notify(strings.tooLarge, 'error')
  sendFilm(file)
}

/** A film on the Internet. */
function FromAddress() {
  const [url, setUrl] = useState('')
  const send = async () => {
    const { job_id: id } = await post('/dub/ingest-url', { url: url.trim() })
    open(id)
  }
  return html`<div class="row from-address">
    <${Field} label=${strings.address}><input type="url" value=${url} placeholder=${strings.addressExample} maxlength="8000" onInput=${(/** @type {Event} */ event) => setUrl(fieldValue(event))} /><//>
    <${Action} disabled=${url.trim() === ''} onPress=${send}>${strings.fetchFilm}<//>
  </div>`
}

function NewDub() {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [isOver, setOver] = useState(false)
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer?.files[0])
  }
  const changed = () => {
    take(input.current?.files?.[0])
    if (input.current) input.current.value = ''
  }
  return html`<div class=${isOver ? 'drop over' : 'drop'} onDragOver=${over} onDragLeave=${() => setOver(false)} onDrop=${drop}>
    <input ref=${input} type="file" hidden accept=${FILMS} aria-label=${strings.file} onChange=${changed} />
    <span class="kind k3 large"><${Icon} of="film" isLarge /></span>
    <p class="lead">${strings.drop}</p>
    <button type="button" class="main" onClick=${() => input.current?.click()}>${strings.choose}</button>
    <p class="soft">${strings.formats}</p>
    <${FromAddress} />
  </div>`
}

/** @param {{ name: string, sent: number, size: number }} props */
const Sending = ({ name, sent, size }) => html`<section class="sheet" aria-label=${strings.sending}>
  <div class="row"><span class="kind k3"><${Icon} of="film" /></span>
    <p class="text one-line grow" role="status"><strong dir="auto">${name}</strong></p>
    <span class="soft number">${strings.sentOf(bytes(sent), bytes(size))}</span>
    <${Action} onPress=${cancelUpload}>${shared.cancel}<//>
  </div>
  <${Progress} value=${size === 0 ? null : sent / size} label=${strings.sendingShare(percent(size === 0 ? 0 : sent / size))} />
  <p class="soft">${strings.sendingHint}</p>
</section>`

/** @param {{ dub: DubRow, onRemove: () => void }} props */
const Row = ({ dub, onRemove }) => {
  const tracks = /** @type {string[]} */ (JSON.parse(dub.tracks)).map(languageName)
  const created = new Date(dub.created_at * 1000)
  return html`<li>
    <span class="kind k3"><${Icon} of="film" /></span>
    <a class="text one-line" dir="auto" href=${`#/dub/${encodeURIComponent(dub.id)}`}>${dub.filename}</a>
    <span class="soft one-line">${strings.facts(dub.duration > 0 ? duration(dub.duration) : '', dub.segments_count)}</span>
    <span class=${`state ${tracks.length > 0 ? 'good' : 'quiet'}`}><${Icon} of=${tracks.length > 0 ? 'check' : 'draft'} /><span class="one-line">${tracks.length > 0 ? strings.dubbedIn(tracks.join(', ')) : strings.notSpoken}</span></span>
    <time class="caption" dateTime=${created.toISOString()} title=${exact(dub.created_at)}>${ago(dub.created_at)}</time>
    <button type="button" class="quiet icon-only" aria-label=${strings.removeNamed(dub.filename)} title=${strings.removeNamed(dub.filename)} onClick=${onRemove}><${Icon} of="trash" /></button>
  </li>`
}

export function Dubs() {
  const upload = useUpload()
  const list = useRead('/dub/summaries')
  const [doomed, setDoomed] = useState(/** @type {DubRow | null} */ (null))
  useEffect(() => {
    if (upload.phase !== 'done') return
    open(upload.dub)
    cancelUpload()
  }, [upload.phase])
  const removeDub = async () => {
    if (doomed === null) return
    await remove(`/dub/history/${encodeURIComponent(doomed.id)}`)
    forgetDraft(doomed.id)
    await list.again()
  }
  return html`<div class="dubs">
    ${upload.phase === 'sending' ? html`<${Sending} ...${upload} />` : html`<${NewDub} />`}
    ${upload.phase === 'failed' && html`<p class="callout bad text" role="alert"><strong>${strings.notSent}</strong> ${upload.error}</p>`}
    <section aria-label=${strings.dubs}>
      <div class="row region"><h2>${strings.dubs}</h2></div>
      ${list.error && html`<p class="callout bad text" role="alert">${list.error} <button type="button" class="quiet" onClick=${list.again}>${strings.again}</button></p>`}
      ${list.value === null && list.reading && html`<div class="waiting" aria-hidden="true">${[1, 2].map((one) => html`<div key=${one} class="skeleton"></div>`)}</div>`}
      ${list.value?.length === 0 && html`<p class="soft">${strings.noDubs}</p>`}
      <ul class="recent dub-list">${list.value?.map((dub) => html`<${Row} key=${dub.id} dub=${dub} onRemove=${() => setDoomed(dub)} />`)}</ul>
      ${list.value?.length === MOST_LISTED && html`<p class="soft">${strings.newestOnly(MOST_LISTED)}</p>`}
    </section>
    ${
      doomed &&
      html`<${Confirm} title=${strings.removeTitle} action=${shared.remove} onYes=${removeDub} onClose=${() => setDoomed(null)}>
        <p class="text"><strong dir="auto">${doomed.filename}</strong></p><p>${strings.removeHint}</p>
      <//>`
    }
  </div>`
}
