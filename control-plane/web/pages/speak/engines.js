// Which engine speaks and with which voice; what cannot speak here says why and what to do.
import { html } from '../html.js'
import { Field } from './basics.js'

export const engineNamed = (tts, id) => tts?.backends.find((one) => one.id === (id || tts.active))

export function EngineFields({ tts, profiles, draft, onChange }) {
  const chosen = engineNamed(tts, '')
  const engine = engineNamed(tts, draft.engine)
  const voices = engine?.voices ?? []
  const knowsVoice =
    draft.voice === '' || voices.some(({ id }) => id === draft.voice) || profiles.some((one) => one.voice_id === draft.voice)
  return html`
    <${Field} label="Engine">
      <select value=${draft.engine} onChange=${(event) => onChange({ engine: event.target.value, voice: '' })}>
        <option value="">${chosen ? `Chosen: ${chosen.display_name}` : 'The chosen engine'}</option>
        ${tts?.backends.map(
          (one) => html`<option key=${one.id} value=${one.id} disabled=${!one.available}>
            ${one.display_name}${one.available ? (one.hint ? ' (a stand-in answers)' : '') : ' (cannot speak here yet)'}
          </option>`,
        )}
      </select>
    <//>
    <${Field} label="Voice">
      <select value=${draft.voice} onChange=${(event) => onChange({ voice: event.target.value })}>
        <option value="">Default voice</option>
        ${
          voices.length > 0 &&
          html`<optgroup label="Voices of the engine">
          ${voices.map((one) => html`<option key=${one.id} value=${one.id}>${one.name}${one.language !== '*' && ` · ${one.language}`}</option>`)}
        </optgroup>`
        }
        ${
          profiles.length > 0 &&
          html`<optgroup label="Saved voices">
          ${profiles.map((one) => html`<option key=${one.voice_id} value=${one.voice_id}>${one.name}</option>`)}
        </optgroup>`
        }
        ${!knowsVoice && html`<option value=${draft.voice}>${draft.voice} (this engine does not have it)</option>`}
      </select>
    <//>`
}

/** Said before anybody speaks: who would really answer. */
export function StandsIn({ tts, engine }) {
  const one = engineNamed(tts, engine)
  if (!one) return null
  if (!one.available)
    return html`<p class="callout"><strong>${one.display_name} cannot speak now. </strong><span class="text">${one.reason} ${one.install_hint}</span></p>`
  if (!one.hint) return null
  return html`<p class="callout" data-stands-in><strong>A stand-in will answer. </strong><span class="text">${one.hint}</span> <a href="#/start">What can be installed</a></p>`
}

export function Unavailable({ tts }) {
  const away = tts?.backends.filter(({ available }) => !available) ?? []
  if (away.length === 0) return null
  return html`<details class="sheet">
    <summary>${away.length} engines that cannot speak here yet, and why</summary>
    <dl class="why">
      ${away.map(
        (one) => html`<div key=${one.id}>
          <dt>${one.display_name} <span class="soft mono">${one.id}</span></dt>
          <dd class="text">${one.reason} <span class="soft">${one.install_hint}</span></dd>
        </div>`,
      )}
    </dl>
  </details>`
}
