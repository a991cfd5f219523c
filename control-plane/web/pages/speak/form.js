// @ts-check
// The text and its settings.
import { cancelSpeaking, isBusy, silence, startSpeaking } from '../../frame/generation.js'
import { Action, Field, fieldValue } from '../../lib/controls.js'
import { html, useMemo, useState } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { FILE_CHARS, KINDS, kindOf, TAKE_CHARS } from './draft.js'
import { EngineFields, Substitute } from './engines.js'
import { strings } from './strings.js'

/** @import { ProfileVoice, SpeechEngines } from '../../lib/api-types.ts' */
/** @import { Draft } from './draft.js' */
/** @import { Generation } from '../../frame/generation.js' */

const SEED = /^\d{0,15}$/

/** Why the draft cannot be spoken; '' when it can. @param {Draft} draft @param {number} limit */
function objection({ text, kind, seed }, limit) {
  if (text.length > limit) return strings.tooLong(kind === 'wav', limit)
  return SEED.test(seed) ? '' : strings.badSeed
}

/** @param {{ draft: Draft, set: (name: keyof Draft) => (event: Event) => void }} props */
function More({ draft, set }) {
  // Once: it does not close when its only text is deleted.
  const [isOpen] = useState(draft.instruct !== '' || draft.seed !== '' || draft.language !== '')
  return html`<details class="more" open=${isOpen}>
  <summary>${strings.more}</summary>
  <div class="choices">
    <${Field} label=${strings.style} hint=${strings.styleHint}>
      <input value=${draft.instruct} maxlength="4096" onInput=${set('instruct')} />
    <//>
    <${Field} label=${strings.language} hint=${strings.languageHint}>
      <input value=${draft.language} maxlength="35" onInput=${set('language')} />
    <//>
    <${Field} label=${strings.seed} hint=${strings.seedHint}>
      <input inputmode="numeric" value=${draft.seed} aria-invalid=${!SEED.test(draft.seed)} onInput=${set('seed')} />
    <//>
  </div>
</details>`
}

/**
 * @param {object} props
 * @param {Draft} props.draft
 * @param {(more: Partial<Draft>) => void} props.onChange
 * @param {SpeechEngines | null} props.tts
 * @param {() => Promise<unknown>} props.onEngine another engine was selected
 * @param {ProfileVoice[]} props.profiles
 * @param {Generation} props.generation
 */
export function SpeakForm({ draft, onChange, tts, profiles, generation, onEngine }) {
  const limit = draft.kind === 'wav' ? TAKE_CHARS : FILE_CHARS
  const why = objection(draft, limit)
  const engines = useMemo(
    () => html`<${EngineFields} tts=${tts} profiles=${profiles} draft=${draft} onChange=${onChange} />`,
    [tts, profiles, draft.engine, draft.voice, onChange],
  )
  const isReady = draft.text.trim() !== '' && why === ''
  const busy = isBusy(generation)
  const send = () => isReady && !busy && void startSpeaking(draft)
  const set = (/** @type {keyof Draft} */ name) => (/** @type {Event} */ event) => onChange({ [name]: fieldValue(event) })
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    send()
  }
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return html`<form class="speak" onSubmit=${submit}>
    <div class="row chips">
      ${engines}
    </div>
    <${Substitute} tts=${tts} engine=${draft.engine} onChosen=${onEngine} />
    <${Field} label=${strings.text} look="script">
      <textarea dir="auto" value=${draft.text} placeholder=${strings.placeholder} aria-describedby="speak-length"
        aria-invalid=${draft.text.length > limit} onInput=${set('text')} onKeyDown=${key}></textarea>
    <//>
    <p class="caption length" id="speak-length">${strings.length(draft.text.length, limit)}</p>
    <div class="settings">
      <div class="row">
        <${Field} label=${strings.speed(Number(draft.speed))} look="chip">
          <input type="range" min="0.25" max="4" step="0.05" value=${draft.speed} onInput=${set('speed')} />
        <//>
        <${Field} label=${strings.file} look="chip">
          <select value=${draft.kind} onChange=${(/** @type {Event} */ event) => onChange({ kind: kindOf(fieldValue(event)) })}>
            ${KINDS.map((kind) => html`<option key=${kind} value=${kind}>${strings.kinds[kind]}</option>`)}
          </select>
        <//>
        <div class="row send">
        ${generation.isPlaying && (generation.firstSound !== null || !busy) && html`<button type="button" class="large" onClick=${silence}>${strings.stop}</button>`}
        ${busy && html`<${Action} kind="large" onPress=${cancelSpeaking}>${shared.cancel}<//>`}
        <button type="submit" class="main large" disabled=${!isReady || busy} aria-busy=${busy}>${!busy && html`<${Icon} of="speak" />`}${strings.speak}<span class="key-hint" aria-hidden="true">${strings.speakKeys}</span></button>
        </div>
      </div>
      <${More} draft=${draft} set=${set} />
      ${draft.kind !== 'wav' && html`<p class="note"><${Icon} of="note" /><span>${strings.downloadOnly}</span></p>`}
    </div>
    ${why && html`<p class="callout bad" role="alert">${why}</p>`}
  </form>`
}
