// @ts-check
// One machine beside the table: its state, why it gets no work, what it is, and all actions on it.
import { Badge } from '../../lib/controls.js'
import { html, useEffect } from '../../lib/html.js'
import { Long, Since } from '../../lib/moments.js'
import { strings as shared, systemName } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { Actions } from './actions.js'
import { deviceOf, hostOf, LOCAL, memoryOf, modelOf, nameOf, reasonsOf, stateOf, TONES } from './state.js'
import { strings } from './strings.js'
import { Moments } from './table.js'
import { UsedForWork } from './use.js'
import { strings as views } from './view-strings.js'

/** @import { ComponentChildren } from 'preact' */
/** @import { MachineView } from '../../lib/api-types.ts' */
/** @import { Ask } from './actions.js' */
/** @import { Reason, Wait } from './state.js' */

const words = strings.card

/** @param {{ name: string, children?: ComponentChildren }} props */
const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd class="text clip">${children}</dd></div>`

/** @param {{ reasons: readonly Reason[] }} props */
export function Reasons({ reasons }) {
  if (reasons.length === 0) return null
  const tone = reasons.every(({ mild }) => mild) ? 'busy' : 'warn'
  return html`<ul class=${`callout reasons ${tone}`} aria-label=${words.reasonsLabel}>
    ${reasons.map((reason) => html`<li key=${reason.text} class="text"><${Long} text=${reason.text} /><${Moments} reason=${reason} /></li>`)}
  </ul>`
}

/** @param {{ machine: MachineView, jobs: readonly string[] }} props jobs: a line for each task */
export function Facts({ machine, jobs }) {
  const { resident_models: resident = [] } = machine
  const host = hostOf(machine)
  const system = [host.hostname, systemName(host.os ?? ''), host.arch].filter(Boolean).join(', ')
  const isConnected = machine.connected && !machine.stale
  const isOwn = machine.id === LOCAL
  const address = machine.address || machine.endpoint
  return html`<dl class="facts">
    <${Fact} name=${words.device}>${deviceOf(host)}<//>
    <${Fact} name=${words.memory}>${memoryOf(host)}<//>
    ${system && html`<${Fact} name=${words.system}>${system}<//>`}
    ${host.worker_version && html`<${Fact} name=${words.version}>${host.worker_version}<//>`}
    <${Fact} name=${words.models}>${resident.length === 0 ? words.none : resident.map(modelOf).join(', ')}<//>
    <${Fact} name=${words.runsNow}>${jobs.length > 0 ? jobs.join('; ') : words.idle}<//>
    ${
      !isOwn &&
      html`${machine.latency_ms !== undefined && html`<${Fact} name=${words.latency}>${words.ms(Math.round(machine.latency_ms))}<//>`}
      <${Fact} name=${words.lastSeen}>${isConnected ? words.now : html`<${Since} at=${machine.last_seen_at} />`}<//>
      <${Fact} name=${words.priority}>${words.priorityOf(machine.priority)}<//>
      ${address && html`<${Fact} name=${words.address}><span class="mono">${address}</span><//>`}
      <${Fact} name=${words.key}><span class="mono">${machine.key_id}</span><//>`
    }
  </dl>`
}

/**
 * @param {object} props
 * @param {MachineView | null | undefined} props.machine null while it is read, undefined when there is none
 * @param {readonly string[]} props.jobs a line for each task
 * @param {readonly Wait[]} props.waits
 * @param {string | null} props.dialError
 * @param {string} props.back the address without this machine
 * @param {Ask} props.onAsk
 */
export function MachineDetails({ machine, jobs, waits, dialError, back, onAsk }) {
  const isThere = Boolean(machine)
  useEffect(() => {
    const opened = document.querySelector('[data-opened]')
    if (opened instanceof HTMLElement) opened.focus({ preventScroll: true })
  }, [isThere])
  const backLink = html`<a class="back" href=${back}>${words.back}</a>`
  if (!machine)
    return html`<aside class="details" aria-label=${strings.page.machines}>${backLink}
      <p class=${machine === null ? 'soft' : 'callout'} role="status">${machine === null ? shared.loading : views.dialogs.gone}</p></aside>`
  const state = stateOf(machine)
  const name = nameOf(machine)
  return html`<aside class="details machine" aria-label=${name} data-details=${machine.id} data-state=${state}>${backLink}
    <header><span class="kind k8 big"><${Icon} of="machine" /></span>
      <div><h2 tabindex="-1" data-opened class="text clip" dir="auto">${name}</h2><small class="text">${deviceOf(machine.host)}</small></div>
      <a class="button quiet icon-only" href=${back} aria-label=${shared.close} title=${shared.close}><${Icon} of="close" /></a></header>
    <div class="row"><${Badge} tone=${TONES[state]}>${words.states[state]}<//><span class="spread"></span><${UsedForWork} machine=${machine} /></div>
    <${Reasons} reasons=${reasonsOf(machine, waits, dialError)} />
    <${Actions} machine=${machine} onAsk=${onAsk} />
    <section><h3>${words.facts}</h3><${Facts} machine=${machine} jobs=${jobs} /></section>
  </aside>`
}
