// @ts-check
// What a machine is and why it gets no work, as parts of the table and of the details.
import { html } from '../../lib/html.js'
import { Countdown, Long, Since } from '../../lib/moments.js'
import { deviceOf, hostOf, LOCAL, memoryOf, modelOf } from './state.js'
import { strings } from './strings.js'

/** @import { ComponentChildren } from 'preact' */
/** @import { MachineView } from '../../lib/api-types.ts' */
/** @import { Reason } from './state.js' */

const words = strings.card

/** @param {{ name: string, children?: ComponentChildren }} props */
const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd class="text clip">${children}</dd></div>`

/** When it began and when the next attempt is. @param {{ reason: Reason }} props */
export const Moments = ({ reason: { since, until } }) => html`${since !== undefined && html` <${Since} at=${since} />.`}
  ${until !== undefined && until !== null && html` ${strings.reasons.nextTry}<${Countdown} to=${until} over=${strings.reasons.aMoment} />.`}`

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
  const system = [host.hostname, host.os, host.arch].filter(Boolean).join(', ')
  const isConnected = machine.connected && !machine.stale
  const isOwn = machine.id === LOCAL
  const address = machine.address || machine.endpoint
  return html`<dl class="facts">
    <${Fact} name=${words.device}>${deviceOf(host)}<//>
    <${Fact} name=${words.memory}>${memoryOf(host)}<//>
    ${system && html`<${Fact} name=${words.system}>${system}<//>`}
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
