// @ts-check
// The takes that the studio keeps: play, star, download, delete.
import { put, remove } from '../../lib/api.js'
import { Action, Confirm } from '../../lib/controls.js'
import { ago, duration, exact } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { spokenBy } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { useGrowing } from '../../look/windowed.js'
import { strings } from './strings.js'

/** @import { HistoryTake } from '../../lib/api-types.ts' */

/** The engine, and its voice unless they have one name. @param {HistoryTake} take */
function speakerOf(take) {
  const engine = spokenBy(take) || strings.unknownEngine
  return take.voice && take.voice !== engine.toLowerCase() ? `${engine} · ${strings.voiceOf(take.voice)}` : engine
}

/** @param {{ take: HistoryTake }} props */
function Facts({ take }) {
  const created = new Date(take.created_at * 1000)
  const how = [strings.lengthOf(duration(take.duration_seconds), duration(take.generation_time)), strings.seedOf(take.seed)].join(' · ')
  return html`<p class="marks soft" title=${how}>
    <span class="text clip">${speakerOf(take)}</span>
    <time dateTime=${created.toISOString()} title=${exact(take.created_at)}>${ago(take.created_at)}</time>
  </p>`
}

/**
 * The notice of a take without the sentence about the substitute that the form shows already.
 * @param {string} notice
 * @param {readonly string[]} substitutes the sentences of the form
 */
export function informationOf(notice, substitutes) {
  const substitute = substitutes.find((sentence) => notice.startsWith(sentence)) ?? ''
  return notice.slice(substitute.length).trim()
}

/**
 * @param {object} props
 * @param {HistoryTake} props.take
 * @param {readonly string[]} props.substitutes
 * @param {boolean} props.isSelected
 * @param {(take: HistoryTake) => void} props.onPlay
 * @param {() => Promise<void>} props.onChanged
 * @param {(take: HistoryTake) => void} props.onDelete
 */
function Row({ take, substitutes, isSelected, onPlay, onChanged, onDelete }) {
  const name = take.text.slice(0, 40)
  const isStarred = take.starred === 1
  const information = informationOf(take.notice, substitutes)
  const star = async () => {
    await put(`/history/${take.id}/starred`, { starred: !isStarred })
    await onChanged()
  }
  return html`<li class="take" aria-current=${isSelected ? 'true' : undefined}>
    <p class="text clip" dir="auto">${take.text}</p>
    <${Facts} take=${take} />
    ${information && html`<p class="soft text clip"><strong>${strings.note}</strong>${information}</p>`}
    <div class="row">
      <button type="button" class="play" title=${strings.play} aria-label=${strings.playTake(name)} onClick=${() => onPlay(take)}><${Icon} of="play" isSolid /></button>
      <small class="number">${duration(take.duration_seconds)}</small>
      <span class="spread"></span>
      <${Action} kind=${isStarred ? 'quiet icon-only starred' : 'quiet icon-only'} aria-pressed=${isStarred} title=${strings.starTake(name, isStarred)} aria-label=${strings.starTake(name, isStarred)} onPress=${star}><${Icon} of="star" isSolid=${isStarred} /><//>
      <a class="button quiet icon-only" href=${`/audio/${take.audio_path}`} download=${take.audio_path} title=${strings.downloadTake(name)} aria-label=${strings.downloadTake(name)}><${Icon} of="download" /></a>
      <button type="button" class="quiet icon-only" title=${strings.deleteTake(name)} aria-label=${strings.deleteTake(name)} onClick=${() => onDelete(take)}><${Icon} of="trash" /></button>
    </div>
  </li>`
}

/**
 * @param {object} props
 * @param {HistoryTake[] | null} props.takes null until they are read
 * @param {readonly string[]} props.substitutes sentences about substitute engines that the form shows
 * @param {string} props.error
 * @param {string | null} props.selectedId
 * @param {(take: HistoryTake) => void} props.onPlay
 * @param {() => Promise<void>} props.onChanged
 */
export function Takes({ takes, substitutes, error, selectedId, onPlay, onChanged }) {
  const [deleting, setDeleting] = useState(/** @type {HistoryTake | 'all' | null} */ (null))
  const drawn = useGrowing(takes?.length ?? 0)
  const close = () => setDeleting(null)
  const deleteAll = async () => {
    await remove('/history')
    await onChanged()
  }
  const deleteOne = async (/** @type {HistoryTake} */ { id }) => {
    await remove(`/history/${id}`)
    await onChanged()
  }
  return html`<section class="takes-side" aria-label=${strings.takes}>
    <div class="row">
      <h2 title=${strings.takesNote}>${strings.takes}</h2>
      ${takes !== null && takes.length > 0 && html`<small class="number">${takes.length}</small>`}
      <span class="spread"></span>
      ${takes !== null && takes.length > 0 && html`<button type="button" class="quiet" onClick=${() => setDeleting('all')}>${strings.deleteAll}</button>`}
    </div>
    ${error && html`<p class="callout bad" role="alert">${error}</p>`}
    ${takes?.length === 0 && html`<p class="empty">${strings.noTakes}</p>`}
    <ul class="takes">
      ${takes?.slice(0, drawn).map((take) => html`<${Row} key=${take.id} take=${take} substitutes=${substitutes} isSelected=${take.id === selectedId} onPlay=${onPlay} onChanged=${onChanged} onDelete=${setDeleting} />`)}
    </ul>
    ${
      deleting === 'all' &&
      html`<${Confirm} title=${strings.deleteAllTitle} action=${strings.deleteAll} onClose=${close} onYes=${deleteAll}>
      <p>${strings.deleteAllWarning}</p>
    <//>`
    }
    ${
      deleting !== null &&
      deleting !== 'all' &&
      html`<${Confirm} title=${strings.deleteTitle} action=${strings.delete} onClose=${close} onYes=${() => deleteOne(deleting)}>
      <p class="text clip" dir="auto">${deleting.text}</p>
      <p>${strings.deleteWarning}</p>
    <//>`
    }
  </section>`
}
