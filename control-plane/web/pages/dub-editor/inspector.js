// @ts-check
// Beside the table: the film with the original or a dubbed sound and its keys, and everything about the selected line.
import { messageOf } from '../../lib/api.js'
import { Action, Field, fieldValue } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { Icon } from '../../look/icons.js'
import { languageName } from '../dub/languages.js'
import { LONG_SHARE, moment } from '../dub/lines.js'
import { strings } from '../dub/strings.js'
import { typedTimes } from './edits.js'
import { stateText } from './table.js'

/** @import { RefObject } from 'preact' */
/** @import { Edit, Line, StoredDub } from '../dub/lines.js' */

/**
 * @param {object} props
 * @param {string} props.id
 * @param {StoredDub} props.dub
 * @param {string} props.track code of the language that sounds; '' is the original
 * @param {number} props.version changes with each new track, so that the browser reads it again
 * @param {(code: string) => void} props.onTrack
 * @param {RefObject<HTMLMediaElement>} props.media
 */
export function Film({ id, dub, track, version, onTrack, media }) {
  const tracks = Object.keys(dub.dubbed_tracks)
  const address = encodeURIComponent(id)
  const source =
    track === '' || !tracks.includes(track)
      ? `/dub/media/${address}`
      : `/dub/preview-video/${address}?lang=${encodeURIComponent(track)}&v=${version}`
  const sound =
    track === '' || !tracks.includes(track) ? source : `/dub/download-audio/${address}?lang=${encodeURIComponent(track)}&v=${version}`
  return html`<div class="film">
    ${
      dub.input_type === 'audio'
        ? html`<audio ref=${media} controls preload="metadata" src=${sound} aria-label=${strings.film}></audio>`
        : html`<video ref=${media} controls preload="metadata" src=${source} poster=${`/dub/thumb/${address}`} aria-label=${strings.film}></video>`
    }
    ${
      tracks.length > 0 &&
      html`<div class="row" role="group" aria-label=${strings.soundOf}>
        ${['', ...tracks].map((code) => html`<button type="button" key=${code} class=${code === track ? 'tint' : 'quiet'} aria-pressed=${code === track} onClick=${() => onTrack(code)}>${code === '' ? strings.original : languageName(code)}</button>`)}
      </div>`
    }
  </div>`
}

/** What is typed stays until it is a time: the line is drawn again at any moment. @param {{ line: Line, onEdit: (line: Line, edit: Edit) => void }} props */
function Times({ line, onEdit }) {
  const [typed, setTyped] = useState(/** @type {{ start?: string, end?: string }} */ ({}))
  const [refusal, setRefusal] = useState('')
  const store = () => {
    const times = typedTimes(line, typed)
    setRefusal(typeof times === 'string' ? strings.timeRefusals[times] : '')
    if (typeof times === 'string') return
    if (times.start !== line.start || times.end !== line.end) onEdit(line, times)
    setTyped({})
  }
  const field = (/** @type {'start' | 'end'} */ name, /** @type {string} */ label) =>
    html`<${Field} label=${label}><input type="number" min="0" step="0.01" value=${typed[name] ?? Number(line[name].toFixed(2))} aria-invalid=${refusal !== '' && name in typed}
      onInput=${(/** @type {Event} */ event) => setTyped({ ...typed, [name]: fieldValue(event) })} onChange=${store} /><//>`
  return html`<div class="pair row">${field('start', strings.startSeconds)}${field('end', strings.endSeconds)}</div>
    ${refusal && html`<p class="warn-text" role="alert">${refusal}</p>`}`
}

/**
 * @param {object} props
 * @param {Line} props.line
 * @param {readonly string[]} props.speakers
 * @param {(speaker: string) => string} props.nameOf
 * @param {boolean} props.canSpeak
 * @param {number} props.count lines that are spoken by a press, this one among them
 * @param {(line: Line, edit: Edit) => void} props.onEdit
 * @param {(line: Line, text: string) => void} props.onText
 * @param {(line: Line) => unknown} props.onAgain
 */
export function LineDetails({ line, speakers, nameOf, canSpeak, count, onEdit, onText, onAgain }) {
  return html`<section class="line-details" aria-label=${strings.line(line.number)}>
    <div class="row"><h3>${strings.line(line.number)}</h3><span class="soft number">${moment(line.start)}</span><span class="spread"></span>
      <${Action} disabled=${!canSpeak || line.target.trim() === ''} onPress=${() => onAgain(line)}><${Icon} of="again" />${count === 1 ? strings.newTake : strings.speakWith(count - 1)}<//></div>
    <p class=${`state text ${line.error || line.faults.length > 0 ? 'warn' : ''}`}>${stateText(line)}</p>
    ${line.faults.includes('words') && line.understood && html`<p class="soft text">${strings.understood(line.understood)}</p>`}
    ${line.fit && html`<p class=${line.fit.share > LONG_SHARE ? 'warn-text' : 'soft'}>${strings.lengthIn(line.fit.seconds.toFixed(1), line.fit.room.toFixed(1), line.fit.isMeasured)}</p>`}
    ${line.shorter && line.shorter !== line.target && html`<p class="note text"><span>${strings.shorter} <q dir="auto">${line.shorter}</q></span> <button type="button" class="quiet" onClick=${() => onText(line, line.shorter)}>${strings.use}</button></p>`}
    <div class="fields">
      <${Field} label=${strings.sourceText}><textarea dir="auto" rows="3" maxlength="5000" value=${line.source} onInput=${(/** @type {Event} */ event) => onEdit(line, { source: fieldValue(event) })}></textarea><//>
      <${Field} label=${strings.speaker}><select value=${line.speaker} onChange=${(/** @type {Event} */ event) => onEdit(line, { speaker: fieldValue(event) })}>
        ${speakers.map((one) => html`<option key=${one} value=${one}>${nameOf(one)}</option>`)}</select><//>
      <${Times} line=${line} onEdit=${onEdit} />
    </div>
  </section>`
}

/** Speeds that `l` goes through; no browser plays backwards, so `j` goes back by steps. */
const SPEEDS = [1, 1.5, 2]
const BACK_SECONDS = 2

/** The speed after one more press of `l`. Pure. @param {number} speed */
const fasterThan = (speed) => SPEEDS.find((one) => one > speed) ?? SPEEDS.at(-1) ?? 1

/** j: back, k: pause and the usual speed, l: play, then faster. @param {HTMLMediaElement} film @param {'j' | 'k' | 'l'} key */
export function shuttleFilm(film, key) {
  if (key === 'j') {
    film.currentTime = Math.max(0, film.currentTime - BACK_SECONDS)
    return
  }
  if (key === 'k') {
    film.pause()
    film.playbackRate = 1
    return
  }
  if (!film.paused) film.playbackRate = fasterThan(film.playbackRate)
  else film.play().catch((failure) => notify(messageOf(failure), 'error'))
}
