// @ts-check
// Which engine does what: the engines of a family that can be used here, and the model for dictation.
import { messageOf, post } from '../../lib/api.js'
import { fieldValue } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { strings } from '../settings/strings.js'

/** @import { EngineFamilies } from '../../lib/api-types.ts' */

const words = strings.engines
const FAMILIES = /** @type {const} */ (['tts', 'asr', 'llm'])

/** @param {{ name: typeof FAMILIES[number], family: EngineFamilies['tts'] | EngineFamilies['asr'] | EngineFamilies['llm'], onChosen: () => Promise<unknown> }} props */
function Family({ name, family, onChosen }) {
  const [error, setError] = useState('')
  const usable = family.backends.filter(({ available }) => available)
  const others = family.backends.length - usable.length
  const choose = async (/** @type {string} */ id) => {
    setError('')
    try {
      await post('/engines/select', { family: name, backend_id: id })
      notify(strings.saved)
    } catch (failure) {
      setError(messageOf(failure))
    }
    await onChosen()
  }
  return html`<fieldset class="family"><legend>${words.families[name]}</legend>
    ${usable.map(
      ({ id, display_name: title, routing_reason: hint }) => html`<label key=${id} class="engine">
        <input type="radio" name=${`engine-${name}`} checked=${id === family.active} disabled=${family.env_override} onChange=${() => choose(id)} />
        <span class="grow"><b class="text">${title}</b>${hint && html`<small class="text">${hint}</small>`}</span></label>`,
    )}
    ${family.env_override && html`<p class="note state"><${Icon} of="lock" />${strings.pinned}</p>`}
    ${others > 0 && html`<p class="soft">${name === 'llm' ? words.noModel : words.others(others)} ${name === 'llm' ? html`<a href="#/settings/translation">${words.setUp}</a>` : html`<a href="#/models/all">${words.seeModels}</a>`}</p>`}
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
  </fieldset>`
}

export function Engines() {
  const { value, error, again } = useRead('/engines')
  if (!value) return html`<p class=${error ? 'callout bad text' : 'empty'} role="status">${error || shared.loading}</p>`
  return FAMILIES.map((name) => html`<${Family} key=${name} name=${name} family=${value[name]} onChosen=${again} />`)
}

export function DictationModel() {
  const models = useRead('/dictation/models')
  const prefs = useRead('/dictation/prefs')
  const [error, setError] = useState('')
  const choose = async (/** @type {Event} */ event) => {
    setError('')
    try {
      await post('/dictation/prefs', { model_id: fieldValue(event) })
      notify(strings.saved)
    } catch (failure) {
      setError(messageOf(failure))
    }
    await prefs.again()
  }
  if (!models.value || !prefs.value)
    return html`<p class=${models.error || prefs.error ? 'callout bad text' : 'empty'} role="status">${models.error || prefs.error || shared.loading}</p>`
  return html`<label class="setting"><span class="about-setting"><span class="label">${words.dictationModel}</span><small>${words.dictationHelp}</small>
      ${error && html`<span class="callout bad text" role="alert">${error}</span>`}</span>
    <span class="control"><select value=${prefs.value.model_id} onChange=${choose}>${models.value.models.map(
      ({ id, label, languages, size_gb: size, installed }) =>
        html`<option key=${id} value=${id}>${words.model(label, languages, installed ? '' : String(size))}</option>`,
    )}</select></span></label>`
}
