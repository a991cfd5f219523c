// @ts-check
// Choice of engine and voice, and why an engine is not available.
import { Field, fieldValue } from '../../lib/controls.js'
import { html } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'
import { Icon } from '../../look/icons.js'
import { mayAdminister } from '../../visitor.js'
import { strings } from './strings.js'

/** @import { ProfileVoice, SpeechEngines } from '../../lib/api-types.ts' */
/** @import { Draft } from './draft.js' */

const Offer = whenOpened(() => import('../models/natural-voice.js').then(({ NaturalVoice }) => NaturalVoice), { isQuiet: true })

/** @param {SpeechEngines | null} tts @param {string} id '' is the default engine */
export const engineOf = (tts, id) => tts?.backends.find((one) => one.id === (id || tts.active))

/** @param {SpeechEngines['backends'][number]} engine */
const stateOf = ({ available, hint }) => (!available ? 'missing' : hint ? 'basic' : 'ready')

/** @param {{ tts: SpeechEngines | null, profiles: ProfileVoice[], draft: Draft, onChange: (more: Partial<Draft>) => void }} props */
export function EngineFields({ tts, profiles, draft, onChange }) {
  const voices = engineOf(tts, draft.engine)?.voices ?? []
  const isKnown = draft.voice === '' || voices.some(({ id }) => id === draft.voice) || profiles.some((one) => one.voice_id === draft.voice)
  return html`
    <${Field} label=${strings.voice} look="chip">
      <select value=${draft.voice} onChange=${(/** @type {Event} */ event) => onChange({ voice: fieldValue(event) })}>
        <option value="">${strings.defaultVoice}</option>
        ${
          voices.length > 0 &&
          html`<optgroup label=${strings.engineVoices}>
          ${voices.map((one) => html`<option key=${one.id} value=${one.id}>${one.name}${one.language !== '*' && ` · ${one.language}`}</option>`)}
        </optgroup>`
        }
        ${
          profiles.length > 0 &&
          html`<optgroup label=${strings.savedVoices}>
          ${profiles.map((one) => html`<option key=${one.voice_id} value=${one.voice_id}>${one.name}</option>`)}
        </optgroup>`
        }
        ${!isKnown && html`<option value=${draft.voice}>${strings.unknownVoice(draft.voice)}</option>`}
      </select>
    <//>
    <${Field} label=${strings.engine} look="chip">
      <select value=${draft.engine} onChange=${(/** @type {Event} */ event) => onChange({ engine: fieldValue(event), voice: '' })}>
        <option value="">${strings.defaultEngine(engineOf(tts, '')?.display_name ?? '')}</option>
        ${tts?.backends.map(
          (one) => html`<option key=${one.id} value=${one.id} disabled=${!one.available}>
            ${strings.engineOption(one.display_name, stateOf(one))}
          </option>`,
        )}
      </select>
    <//>`
}

/** Shown before the text is spoken: which voice answers instead of the chosen one. @param {{ tts: SpeechEngines | null, engine: string, onChosen: () => Promise<unknown> }} props */
export function Substitute({ tts, engine, onChosen }) {
  const one = engineOf(tts, engine)
  if (!one) return null
  if (!one.available)
    return html`<p class="callout"><strong>${strings.engineUnavailable(one.display_name)}</strong><span class="text">${one.reason} ${one.install_hint}</span></p>`
  if (!one.hint) return null
  return html`<p class="note" data-substitute><${Icon} of="note" /><span><span class="text">${one.hint}</span> ${mayAdminister && (engine === '' ? html`<${Offer.View} active=${tts?.active ?? ''} onChosen=${onChosen} />` : html`<a href="#/setup">${strings.seeModels}</a>`)}</span></p>`
}

/** @param {{ tts: SpeechEngines | null }} props */
export function Unavailable({ tts }) {
  const missing = tts?.backends.filter(({ available }) => !available) ?? []
  if (missing.length === 0) return null
  return html`<details class="missing">
    <summary>${strings.unavailable(missing.length)}</summary>
    <dl class="why">
      ${missing.map(
        (one) => html`<div key=${one.id}>
          <dt>${one.display_name}</dt>
          <dd class="text">${one.reason} <span class="soft">${one.install_hint}</span></dd>
        </div>`,
      )}
    </dl>
  </details>`
}
