// @ts-check
// One installed model: whether its engine is the default of its family, whether it is in memory, and the buttons to change that.
import { post } from '../../lib/api.js'
import { Action, Badge } from '../../lib/controls.js'
import { html } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { Model } from '../setup/model.js'
import { strings } from './strings.js'

/** @import { EngineFamilies, Gets, ModelEntry } from '../../lib/api-types.ts' */
/** @import { Download } from '../setup/downloads.js' */
/** @import { Room } from '../setup/fit.js' */
/** @typedef {Gets['/model/loaded']['models'][number]} LoadedModel */
/** @typedef {{ family: 'tts' | 'asr', isDefault: boolean, canBeDefault: boolean }} Choice */

/**
 * What a model is for the choice of engines. Null for one that no family lists. Pure.
 * @param {ModelEntry} model @param {EngineFamilies | null} engines @returns {Choice | null}
 */
export function choiceOf({ role, engine, installed }, engines) {
  const family = role === 'TTS' ? 'tts' : role === 'ASR' ? 'asr' : null
  if (!family || !engines || !installed) return null
  const { active, env_override: isPinned, backends } = engines[family]
  const row = backends.find(({ id }) => id === engine)
  if (!row) return null
  return { family, isDefault: active === engine, canBeDefault: active !== engine && row.available && !isPinned }
}

/** The entry of a model in memory. Engines with one model do not name it. @param {ModelEntry} model @param {readonly LoadedModel[]} loaded */
export const loadedOf = ({ engine, model }, loaded) =>
  loaded.find(({ engine_id: id, checkpoint }) => id === engine && (checkpoint === '' || checkpoint === model))

/** Throws the reason of a refusal as a notice. @param {LoadedModel} model */
export async function unload({ id }) {
  const { success, reason } = await post(/** @type {`/model/unload/${string}`} */ (`/model/unload/${encodeURIComponent(id)}`), {})
  notify(success ? strings.unloaded : (reason ?? strings.stays), success ? 'good' : 'error')
}

/**
 * @param {{ model: ModelEntry, engines: EngineFamilies | null, loaded: readonly LoadedModel[], download: Download | undefined, room: Room, onChanged: () => Promise<unknown> }} props
 */
export function InstalledModel({ model, engines, loaded, ...rest }) {
  const { label, engine } = model
  const choice = choiceOf(model, engines)
  const resident = loadedOf(model, loaded)
  const act = (/** @type {() => Promise<unknown>} */ run) => async () => {
    await run()
    await rest.onChanged()
  }
  const choose = act(async () => {
    await post('/engines/select', { family: choice?.family ?? 'tts', backend_id: engine })
    notify(strings.chosen(label))
  })
  const preload = act(async () => {
    await post(`/setup/warmup?engine=${encodeURIComponent(engine)}&wait=true`, {})
    notify(strings.preloaded)
  })
  const badges = html`${choice?.isDefault && html`<${Badge} tone="good">${strings.defaults[choice.family]}<//>`}${resident && html`<${Badge}>${strings.inMemory}<//>`}`
  const actions = html`
    ${choice?.canBeDefault && html`<${Action} aria-label=${strings.of(strings.makeDefault, label)} onPress=${choose}>${strings.makeDefault}<//>`}
    ${choice && !resident && html`<${Action} aria-label=${strings.of(strings.preload, label)} onPress=${preload}>${strings.preload}<//>`}
    ${resident?.unloadable && html`<${Action} aria-label=${strings.of(strings.unload, label)} onPress=${act(() => unload(resident))}>${strings.unload}<//>`}`
  return html`<${Model} model=${model} badges=${badges} actions=${actions} ...${rest} />`
}
