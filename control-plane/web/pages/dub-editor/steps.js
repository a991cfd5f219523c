// @ts-check
// How far a dub is, and its next step: the one button that goes on, or what runs now with the way to stop it; and the result of a check.
import { Action, Field, fieldValue, Progress } from '../../lib/controls.js'
import { duration, percent } from '../../lib/format.js'
import { html, useRef, useState } from '../../lib/html.js'
import { Icon, Ring } from '../../look/icons.js'
import { moment } from '../dub/lines.js'
import { strings } from '../dub/strings.js'

/** @import { Line, StoredDub } from '../dub/lines.js' */
/** @import { Job, Stage } from '../dub/work.js' */
/** @import { CheckResult, MadeCheck, Place } from './runs.js' */

/** @param {{ stored: StoredDub, lines: readonly Line[], isSpoken: boolean, stage: Stage | null, isTranslating: boolean }} props */
export function Steps({ lines, isSpoken, stage, isTranslating }) {
  const isTranslated = lines.length > 0 && lines.every((line) => line.target !== '')
  const isCurrent = isSpoken && lines.every((line) => line.state === 'spoken' || line.state === 'failed')
  const steps = [
    { name: strings.steps.film, isDone: stage !== 'prepare', isRunning: stage === 'prepare' },
    { name: strings.steps.lines, isDone: lines.length > 0 && stage !== 'transcribe', isRunning: stage === 'transcribe' },
    { name: strings.steps.translation, isDone: isTranslated && !isTranslating, isRunning: isTranslating },
    { name: strings.steps.speech, isDone: isCurrent && stage !== 'speak', isRunning: stage === 'speak' },
  ]
  return html`<ol class="dub-steps" aria-label=${strings.stepsTitle}>${steps.map(
    ({ name, isDone, isRunning }) => html`<li key=${name} class=${`state ${isRunning ? 'busy' : isDone ? 'good' : ''}`}>
      ${isRunning ? html`<${Ring} share=${null} />` : isDone ? html`<${Icon} of="check" />` : html`<span class="open" aria-hidden="true"></span>`}
      ${name}<span class="hidden">${isRunning ? strings.runsNow : isDone ? strings.isDone : strings.isOpen}</span></li>`,
  )}</ol>`
}

/** @param {{ onTranscribe: (speakers: string) => Promise<void>, onImport: (file: File) => Promise<void> }} props */
function Begin({ onTranscribe, onImport }) {
  const [speakers, setSpeakers] = useState('')
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const chosen = () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (file) void onImport(file)
  }
  return html`<div class="row dub-next">
    <p>${strings.beginHint}</p><span class="spread"></span>
    <${Field} label=${strings.speakerCount} look="chip"><select value=${speakers} onChange=${(/** @type {Event} */ event) => setSpeakers(fieldValue(event))}>
      <option value="">${strings.automatic}</option>${[1, 2, 3, 4, 5, 6, 7, 8].map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select><//>
    <input ref=${input} type="file" hidden accept=".srt,.vtt" aria-label=${strings.importSubtitles} onChange=${chosen} />
    <button type="button" onClick=${() => input.current?.click()}>${strings.importSubtitles}</button>
    <${Action} kind="main" onPress=${() => onTranscribe(speakers)}>${strings.transcribe}<//>
  </div>`
}

/**
 * @typedef {object} NextProps
 * @property {'running' | 'translating' | 'idle'} kind
 * @property {Stage | null} stage
 * @property {Job | null} job
 * @property {number} [share] of the translation
 * @property {readonly Line[]} [lines]
 * @property {string} [code]
 * @property {boolean} [isSame] both languages are one
 * @property {boolean} [isSpoken]
 * @property {boolean} [isRefit] another timing was chosen than that of the track
 * @property {() => unknown} onStop
 * @property {(speakers: string) => Promise<void>} [onTranscribe]
 * @property {(file: File) => Promise<void>} [onImport]
 * @property {() => Promise<void>} [onTranslate]
 * @property {() => Promise<void>} [onSpeak]
 * @property {() => Promise<void>} [onCheck]
 * @property {() => void} [onExport]
 */
/** @param {NextProps} props */
export function Next({
  kind,
  stage,
  job,
  share = 0,
  lines = [],
  code = '',
  isSame = false,
  isSpoken = false,
  isRefit = false,
  onStop,
  onTranscribe,
  onImport,
  onTranslate,
  onSpeak,
  onCheck,
  onExport,
}) {
  if (kind !== 'idle') {
    const text = kind === 'translating' ? strings.translating : strings.stages[stage ?? 'speak']
    const value = kind === 'translating' ? share : (job?.progress ?? null)
    return html`<div class="dub-next busy">
      <div class="row"><p role="status"><strong>${text}</strong></p><span class="soft number">${value === null ? '' : percent(value)}${kind === 'running' && job?.seconds_left != null ? ` · ${strings.left(duration(job.seconds_left))}` : ''}</span>
        <span class="spread"></span><${Action} onPress=${onStop}>${strings.stop}<//></div>
      <${Progress} value=${value} label=${text} />
      <p class="soft">${kind === 'translating' ? strings.keepOpen : strings.mayLeave}</p>
    </div>`
  }
  if (lines.length === 0) return onTranscribe && onImport ? html`<${Begin} onTranscribe=${onTranscribe} onImport=${onImport} />` : null
  const untranslated = lines.filter((line) => line.target === '' || line.error !== '').length
  const missing = lines.filter((line) => line.target === '').length
  const changed = lines.filter((line) => line.state === 'changed' || line.state === 'ready').length
  const isReady = isSpoken && changed === 0
  const translate = (/** @type {string} */ look) =>
    html`<${Action} kind=${look} onPress=${onTranslate}>${isSame ? strings.useOriginal : strings.translate(untranslated)}<//>`
  if (code === '') return html`<div class="row dub-next"><p>${strings.chooseTarget(lines.length)}</p></div>`
  if (missing > 0)
    return html`<div class="row dub-next"><p>${isSame ? strings.sameHint : strings.translateHint(lines.length)}</p><span class="spread"></span>${translate('main')}</div>`
  return html`<div class="row dub-next">
    <p>${isReady ? (isRefit ? strings.refitHint : strings.allSpoken) : strings.speakHint(changed, isSpoken)}</p><span class="spread"></span>
    ${untranslated > 0 && translate('')}
    ${isReady && !isRefit && html`<${Action} onPress=${onCheck}>${strings.check}<//>`}
    ${isReady && !isRefit ? html`<button type="button" class="main" onClick=${onExport}><${Icon} of="download" />${strings.export}</button>` : html`<${Action} kind="main" onPress=${onSpeak}>${isReady ? strings.refit : strings.speakLines(isSpoken ? changed : lines.length)}<//>`}
  </div>`
}

/** A film may have any number of them. */
const MOST_PLACES = 20

/** @param {{ text: string, places: readonly Place[], onPlay: (at: number) => void }} props */
const Places = ({ text, places, onPlay }) => {
  const button = (/** @type {Place} */ { start, end }) => {
    const times = strings.fromTo(moment(start), moment(end))
    return html`<button type="button" key=${start} class="quiet number" aria-label=${strings.playPlace(times)} onClick=${() => onPlay(start)}>${times}</button>`
  }
  return html`<p>${text}</p><div class="row">${places.slice(0, MOST_PLACES).map(button)}
    ${places.length > MOST_PLACES && html`<span>${strings.morePlaces(places.length - MOST_PLACES)}</span>`}</div>`
}

/** How many lines have faults, which places of the film have none, and what was not examined. @param {{ result: CheckResult, canRepair: boolean, onPlay: (at: number) => void, onRepair: () => Promise<void>, onReview: () => void, onClose: () => void }} props */
export function CheckNote({ result, canRepair, onPlay, onRepair, onReview, onClose }) {
  const { faulty_count: faulty, total, checks } = result
  const names = (/** @type {(made: MadeCheck) => boolean} */ isOf) => checks.filter(isOf).map(({ check }) => check)
  const made = names(({ checked }) => checked > 0)
  const left = names(({ checked }) => checked === 0)
  const partly = names(({ checked, total: all }) => checked > 0 && checked < all)
  const { speech_without_words: wordless, uncovered } = result
  const isWhole = left.length === 0 && partly.length === 0 && wordless.length === 0
  return html`<div class=${`callout ${faulty === 0 && isWhole ? 'good' : ''}`} role="status">
  <div class="row"><strong>${faulty > 0 ? strings.faulty(faulty, total) : strings.checked(made)}</strong><span class="spread"></span>
    ${faulty > 0 && html`<button type="button" onClick=${onReview}>${strings.showThem}</button>`}
    ${faulty > 0 && html`<${Action} disabled=${!canRepair} onPress=${onRepair}>${strings.repair}<//>`}
    <button type="button" class="quiet icon-only" aria-label=${strings.closeNote} onClick=${onClose}><${Icon} of="close" /></button></div>
  ${left.length > 0 && html`<p>${strings.notChecked(left)}</p>`}
  ${partly.length > 0 && html`<p>${strings.partlyChecked(partly)}</p>`}
  ${wordless.length > 0 && html`<${Places} text=${strings.wordless(wordless.length)} places=${wordless} onPlay=${onPlay} />`}
  ${uncovered && uncovered.length > 0 && html`<${Places} text=${strings.uncovered(uncovered.length)} places=${uncovered} onPlay=${onPlay} />`}
  ${result.reasons.length > 0 && html`<ul>${result.reasons.map((reason) => html`<li key=${reason} class="text">${reason}</li>`)}</ul>`}
</div>`
}
