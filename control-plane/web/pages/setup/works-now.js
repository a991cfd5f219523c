// What works at this moment, said for each thing that people come for, with what to do about the rest.
import { get, post } from '../api.js'
import { html } from '../html.js'
import { Action, Badge, notify } from './basics.js'

const WARM_SECONDS = 120
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

function familyRow(title, family) {
  const chosen = family.backends.find(({ id }) => id === family.active)
  const others = family.backends.filter(({ available, id }) => available && id !== family.active).length
  const more = others > 0 ? ` ${others} more can be chosen.` : ''
  if (!chosen?.available)
    return {
      title,
      tone: 'bad',
      state: 'does not work yet',
      detail: `${chosen?.reason ?? 'No engine is chosen.'} ${chosen?.install_hint ?? ''}${more}`,
    }
  // What stands in is told as the hint of a voice, and as the reason of its routing elsewhere.
  const instead = chosen.hint || (chosen.routing_status === 'cpu_fallback' ? chosen.routing_reason : '')
  if (instead) return { title, tone: 'warn', state: 'works with a stand-in', detail: `${instead} ${chosen.install_hint}${more}` }
  return { title, tone: 'good', state: 'works', detail: `${chosen.display_name} on ${chosen.effective_device}.${more}` }
}

/** Pure: the lines of the table. */
export function worksNow({ engines, status, tools, preflight }) {
  const rows = []
  if (engines) {
    rows.push(familyRow('Speaking', engines.tts), familyRow('Recognising speech', engines.asr))
    const llm = engines.llm.active === 'off' ? null : familyRow('Language model', engines.llm)
    rows.push(llm ?? { title: 'Language model', tone: 'quiet', state: 'off', detail: 'Not needed to speak or to recognise.' })
  }
  if (status)
    rows.push({
      title: 'Models of the native voice',
      tone: status.models_ready ? 'good' : 'warn',
      state: status.models_ready ? 'here' : 'missing',
      detail: status.models_ready
        ? 'Everything that it wants is here.'
        : `Not here: ${status.missing.map(({ label }) => label).join(', ')}.`,
    })
  if (tools)
    rows.push({
      title: 'Other sound files (ffmpeg)',
      tone: tools.ready ? 'good' : 'warn',
      state: tools.ready ? 'works' : 'only WAV',
      detail: tools.ready ? tools.ffmpeg : tools.acquire.error,
    })
  const device = preflight?.device
  if (device)
    rows.push({
      title: 'This machine',
      tone: device.gpu_available ? 'good' : 'quiet',
      state: device.gpu_available ? 'graphics card' : 'processor only',
      detail: [
        device.gpu_device_name ?? `${device.os} ${device.arch}`,
        device.vram_gb === null ? '' : `${device.vram_gb} GB on the card`,
        `${device.ram_gb} GB of memory`,
        device.disk_free_gb === null ? '' : `${device.disk_free_gb} GB of disk free`,
      ]
        .filter(Boolean)
        .join(', '),
    })
  return rows
}

/** Loads what speaks, and stays until it is loaded or has failed. */
async function warmUp() {
  await post('/setup/warmup')
  for (let second = 0; second < WARM_SECONDS; second++) {
    const { loaded, error } = await get('/model/status')
    if (loaded) return notify('The voice is loaded; the next speech begins sooner.')
    if (error) throw new Error(`the voice could not be loaded: ${error}`)
    await pause(1000)
  }
  throw new Error('the voice is still not loaded; the machines and their logs may tell why')
}

export function Now(parts) {
  const rows = worksNow(parts)
  return html`<section class="sheet" aria-label="What works now">
    <div class="row">
      <h2>What works now</h2>
      <span class="spread"></span>
      <${Action} onPress=${warmUp}>Load the voice now<//>
      <a class="button" href="#/speak">Go and speak</a>
    </div>
    ${rows.length === 0 && html`<p class="empty">Looking.</p>`}
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
