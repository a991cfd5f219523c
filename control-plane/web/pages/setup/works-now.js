// @ts-check
// What works at this moment, for each task that people come for, and what to do about the rest.
import { post } from '../../lib/api.js'
import { Action, Badge } from '../../lib/controls.js'
import { bytes } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared, systemName } from '../../lib/strings.js'
import { strings } from './strings.js'

/** @import { EngineFamilies, MediaToolStatus, PreflightReply, SetupState } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */
/** @typedef {{ title: string, tone: Tone, state: string, detail: string }} Row */
/**
 * @typedef {object} Found each null until it is read
 * @property {EngineFamilies | null} engines
 * @property {SetupState | null} status
 * @property {MediaToolStatus | null} tools
 * @property {PreflightReply | null} preflight
 */

/** @param {string} title @param {EngineFamilies[keyof EngineFamilies]} family @returns {Row} */
function familyRow(title, family) {
  const active = family.backends.find(({ id }) => id === family.active)
  const others = family.backends.filter(({ available, id }) => available && id !== family.active).length
  const more = strings.alternatives(others)
  if (!active?.available) {
    const detail = `${active?.reason ?? strings.noEngine} ${active?.install_hint ?? ''}${more}`
    return { title, tone: 'bad', state: strings.states.unavailable, detail }
  }
  // A substitute is described by the hint of a voice, and by the routing reason of the other families.
  const hint = 'hint' in active ? active.hint : null
  const substitute = hint || active.routing_reason
  if (substitute) return { title, tone: 'warn', state: strings.states.basic, detail: `${substitute}${more}` }
  return { title, tone: 'good', state: strings.states.ready, detail: strings.runsOn(active.display_name, active.effective_device) + more }
}

/** @param {SetupState} status @returns {Row} */
const voiceModelsRow = ({ missing }) => ({
  title: strings.voiceModels,
  tone: 'warn',
  state: strings.states.missing,
  detail: strings.missing(missing.map(({ label }) => label).join(', ')),
})

/** @param {MediaToolStatus} tools @returns {Row} */
const audioFilesRow = ({ ready, tools: { ffmpeg } }) => ({
  title: strings.audioFiles,
  tone: ready ? 'good' : 'warn',
  state: ready ? strings.states.ready : strings.states.wavOnly,
  detail: ready ? (ffmpeg.path ?? '') : ffmpeg.ok ? strings.restartForFfmpeg : strings.installFfmpeg,
})

/** @param {PreflightReply['device']} device @returns {Row} */
function deviceRow(device) {
  const parts = [device.gpu_device_name ?? `${systemName(device.os)} ${device.arch}`]
  if (device.vram_gb !== null) parts.push(strings.gpuMemory(device.vram_gb))
  parts.push(strings.memory(bytes(device.ram_gb * 2 ** 30)))
  if (device.disk_free_gb !== null) parts.push(strings.freeDisk(device.disk_free_gb))
  return {
    title: strings.thisMachine,
    tone: device.gpu_available ? 'good' : 'quiet',
    state: device.gpu_available ? strings.states.gpu : strings.states.cpu,
    detail: parts.join(', '),
  }
}

/** @param {Found} found @returns {Row[]} */
export function rowsOf({ engines, status, tools, preflight }) {
  const rows = []
  if (engines) {
    rows.push(familyRow(strings.speech, engines.tts), familyRow(strings.transcription, engines.asr))
    if (engines.llm.active !== 'off') rows.push(familyRow(strings.languageModel, engines.llm))
    else
      rows.push({
        title: strings.languageModel,
        tone: /** @type {Tone} */ ('quiet'),
        state: strings.states.off,
        detail: strings.languageModelOff,
      })
  }
  // The row of speech says what speaks; this one only what the chosen voice lacks.
  if (status && !status.models_ready) rows.push(voiceModelsRow(status))
  if (tools) rows.push(audioFilesRow(tools))
  if (preflight) rows.push(deviceRow(preflight.device))
  return rows
}

/** Resolves when the default voice is loaded. Throws why it could not be loaded. */
async function preload() {
  await post('/setup/warmup?wait=true', {})
  notify(strings.preloaded)
}

/** @param {Found} found */
export function WorksNow(found) {
  const rows = rowsOf(found)
  return html`<section class="sheet" aria-label=${strings.status}>
    <div class="row">
      <h2>${strings.status}</h2>
      <span class="spread"></span>
      <${Action} onPress=${preload}>${strings.preload}<//>
      <a class="button main" href="#/speak">${strings.startSpeaking}</a>
    </div>
    ${rows.length === 0 && html`<p class="empty">${shared.loading}</p>`}
    <dl class="now">
      ${rows.map(
        ({ title, tone, state, detail }) => html`<div key=${title}>
          <dt>${title}</dt>
          <dd><${Badge} tone=${tone}>${state}<//> <span class="text">${detail}</span></dd>
        </div>`,
      )}
    </dl>
  </section>`
}
