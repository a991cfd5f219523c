// @ts-check
// One machine as a card: its state, why it gets no work, what it is, and the actions on it.
import { patch, post } from '../../lib/api.js'
import { Action, Badge } from '../../lib/controls.js'
import { isolated, short } from '../../lib/format.js'
import { html, useMemo } from '../../lib/html.js'
import { refresh } from '../../lib/live.js'
import { Countdown, Long, Since } from '../../lib/moments.js'
import { notify } from '../../lib/notices.js'
import { deviceOf, hostOf, LOCAL, memoryOf, modelOf, nameOf, reasonsOf, stateOf, TONES } from './state.js'
import { strings } from './strings.js'

/** @import { ComponentChildren } from 'preact' */
/** @import { MachineView } from '../../lib/api-types.ts' */
/** @import { DialogKind } from './dialogs.js' */
/** @import { Reason } from './state.js' */
/** @typedef {(kind: DialogKind, id: string) => void} Ask opens a dialog about a machine */

const words = strings.card

/** @param {{ name: string, children?: ComponentChildren }} props */
const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd class="text clip">${children}</dd></div>`

/** @param {{ reasons: Reason[] }} props */
function Reasons({ reasons }) {
  if (reasons.length === 0) return null
  const tone = reasons.every(({ mild }) => mild) ? 'busy' : 'warn'
  return html`<ul class=${`callout reasons ${tone}`} aria-label=${words.reasonsLabel}>
    ${reasons.map(
      ({ text, since, until }) => html`<li key=${text} class="text">
        <${Long} text=${text} />${since !== undefined && html` <${Since} at=${since} />.`}
        ${until !== undefined && until !== null && html` ${strings.reasons.nextTry}<${Countdown} to=${until} over=${strings.reasons.aMoment} />.`}
      </li>`,
    )}
  </ul>`
}

/** @param {number} priority */
const priorityText = (priority) => (priority === 50 ? words.normal : priority > 50 ? words.high(priority) : words.low(priority))

/** @param {{ machine: MachineView, jobs: string[] }} props */
function Facts({ machine, jobs }) {
  const { resident_models: resident = [] } = machine
  const host = hostOf(machine)
  const system = [host.hostname, host.os, host.arch].filter(Boolean).join(', ')
  const isConnected = machine.connected && !machine.stale
  return html`<dl class="facts">
    <${Fact} name=${words.device}>${deviceOf(host)}<//>
    <${Fact} name=${words.memory}>${memoryOf(host)}<//>
    ${system && html`<${Fact} name=${words.system}>${system}<//>`}
    <${Fact} name=${words.models}>${resident.length === 0 ? words.none : resident.map(modelOf).join(', ')}<//>
    <${Fact} name=${words.runsNow}>${jobs.length > 0 ? jobs.join('; ') : words.idle}<//>
    ${machine.id !== LOCAL && machine.latency_ms !== undefined && html`<${Fact} name=${words.latency}>${words.ms(Math.round(machine.latency_ms))}<//>`}
    ${
      machine.id !== LOCAL &&
      html`<${Fact} name=${words.lastSeen}>${isConnected ? words.now : html`<${Since} at=${machine.last_seen_at} />`}<//>
      <${Fact} name=${words.priority}>${priorityText(machine.priority)}<//>`
    }
  </dl>`
}

/** Actions that need no question run at once; the others open a dialog. @param {{ machine: MachineView, onAsk: Ask }} props */
function Actions({ machine, onAsk }) {
  const { id, draining } = machine
  const name = isolated(short(nameOf(machine)))
  /** @type {`/workers/${string}`} */
  const path = `/workers/${encodeURIComponent(id)}`
  const now = (/** @type {string} */ text, /** @type {string} */ notice, /** @type {() => Promise<unknown>} */ work) => {
    const press = async () => {
      await work()
      notify(notice)
      await refresh()
    }
    return html`<${Action} onPress=${press} aria-label=${words.actionFor(text, name)}>${text}<//>`
  }
  const ask = (/** @type {string} */ text, /** @type {DialogKind} */ kind, look = 'plain') =>
    html`<button type="button" class=${look} aria-label=${words.actionFor(text, name)} onClick=${() => onAsk(kind, id)}>${text}</button>`
  const resume = machine.breakers.length > 0 && now(words.resume, words.resumed(name), () => post(`${path}/resume`, {}))
  const log = machine.connected && ask(words.log, 'log')
  if (id === LOCAL) return html`<div class="row">${resume}${log}</div>`
  return html`
    <div class="row">
      ${machine.quarantine !== null && ask(words.release, 'release', 'main')}
      ${!machine.consent_granted && ask(words.approve, 'approve', 'main')}
      ${resume}
      ${draining && now(words.takeWork, words.resumed(name), () => post(`${path}/drain`, { drain: false }))}
      ${!machine.enabled && now(words.turnOn, words.turnedOn(name), () => patch(path, { enabled: true }))}
      ${log}
    </div>
    <details class="more">
      <summary>${words.moreFor}<span class="text">${name}</span></summary>
      <div class="row">
        ${ask(words.rename, 'change')}
        ${!draining && now(words.drain, words.draining(name), () => post(`${path}/drain`, { drain: true }))}
        ${machine.enabled && now(words.turnOff, words.turnedOff(name), () => patch(path, { enabled: false }))}
        ${machine.consent_granted && ask(words.withdraw, 'withdraw', 'danger')}
        ${ask(words.remove, 'remove', 'danger')}
      </div>
      <small>${words.drainHint}</small>
    </details>`
}

/**
 * `jobs` and `waits` are text, so that a card is drawn again only when something in it has changed.
 * @param {object} props
 * @param {MachineView} props.machine
 * @param {string} props.jobs one line per task
 * @param {string} props.waits JSON of its waits; '' without any
 * @param {string | null} props.dialError
 * @param {Ask} props.onAsk
 */
export function Card({ machine, jobs, waits, dialError, onAsk }) {
  return useMemo(() => {
    const state = stateOf(machine)
    const title = `machine-${machine.id}`
    return html`<article class="sheet machine" aria-labelledby=${title} data-machine=${machine.id} data-state=${state}>
      <header class="row"><h3 id=${title} class="text clip">${nameOf(machine)}</h3><${Badge} tone=${TONES[state]}>${words.states[state]}<//></header>
      <${Reasons} reasons=${reasonsOf(machine, waits === '' ? [] : JSON.parse(waits), dialError)} />
      <${Facts} machine=${machine} jobs=${jobs === '' ? [] : jobs.split('\n')} />
      <${Actions} machine=${machine} onAsk=${onAsk} />
    </article>`
  }, [machine, jobs, waits, dialError, onAsk])
}
