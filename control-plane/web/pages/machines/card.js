// One machine as a card: its state in words, why it gets no work, what it is, and what may be done to it.
import { get, patch, post } from '../api.js'
import { html, useMemo } from '../html.js'
import { refresh } from '../live.js'
import { Action, Badge, notify } from './basics.js'
import { Countdown, Long, Since } from './workers-form.js'
import { deviceOf, isolated, LOCAL, memoryOf, nameOf, reasonsOf, short, stateOf, TONES } from './workers-state.js'

const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd class="text clip">${children}</dd></div>`

function Reasons({ reasons }) {
  if (reasons.length === 0) return null
  const tone = reasons.every(({ mild }) => mild) ? 'busy' : 'warn'
  return html`<ul class=${`callout reasons ${tone}`} aria-label="Why it gets no work">
    ${reasons.map(
      ({ text, since, until }) => html`<li key=${text} class="text">
        <${Long} text=${text} />${since !== undefined && html` <${Since} at=${since} />.`}
        ${until !== undefined && until !== null && html` Tried again in <${Countdown} to=${until} over="a moment" />.`}
      </li>`,
    )}
  </ul>`
}

function Facts({ worker, jobs }) {
  const { host, resident_models: resident = [] } = worker
  const system = [host.hostname, host.os, host.arch].filter(Boolean).join(', ')
  return html`<dl class="facts">
    <${Fact} name="Device">${deviceOf(host)}<//>
    <${Fact} name="Memory">${memoryOf(host)}<//>
    ${system && html`<${Fact} name="System">${system}<//>`}
    <${Fact} name="Models loaded">${resident.length === 0 ? 'none' : resident.map((key) => key.replace(/:$/, '')).join(', ')}<//>
    <${Fact} name="Runs now">${jobs.length > 0 ? jobs.join('; ') : `nothing${worker.connected ? '' : ' that is known'}`}<//>
    ${worker.id !== LOCAL && worker.latency_ms !== undefined && html`<${Fact} name="Latency">${Math.round(worker.latency_ms)} ms<//>`}
    ${
      worker.id !== LOCAL &&
      html`<${Fact} name="Last seen">${worker.connected && !worker.stale ? 'connected now' : html`<${Since} at=${worker.last_seen_at} />`}<//>
      <${Fact} name="Preference">${worker.priority}${worker.priority === 50 ? '' : worker.priority > 50 ? ', preferred' : ', rather not'}<//>`
    }
  </dl>`
}

/** What is done at once; everything that wants a word first goes through `onAsk`. */
function Actions({ worker, onAsk }) {
  const { id, draining } = worker
  const label = isolated(short(nameOf(worker)))
  const path = `/workers/${encodeURIComponent(id)}`
  const now = (text, said, work) =>
    html`<${Action} onPress=${async () => {
      await work()
      notify(said)
      await refresh()
    }} aria-label=${`${text}: ${label}`}>${text}<//>`
  const ask = (text, kind, look = 'plain') =>
    html`<button type="button" class=${look} aria-label=${`${text}: ${label}`} onClick=${() => onAsk(kind, id)}>${text}</button>`
  const isHeld = worker.breakers.length > 0
  const resume = isHeld && now('Resume', `${label} is tried again.`, () => post(`${path}/resume`))
  const log = worker.connected && ask('Log', 'log')
  if (id === LOCAL) return html`<div class="row">${resume}${log}</div>`
  return html`
    <div class="row">
      ${worker.quarantine !== null && ask('Release', 'release', 'main')}
      ${!worker.consent_granted && ask('Approve', 'approve', 'main')}
      ${resume}
      ${draining && now('Take work again', `${label} takes work again.`, () => post(`${path}/drain`, { drain: false }))}
      ${!worker.enabled && now('Switch on', `${label} is switched on.`, () => patch(path, { enabled: true }))}
      ${log}
    </div>
    <details class="more">
      <summary>More for <span class="text">${label}</span></summary>
      <div class="row">
        ${ask('Rename or prefer', 'change')}
        ${!draining && now('Drain', `${label} finishes what it holds and takes nothing new.`, () => post(`${path}/drain`, { drain: true }))}
        ${worker.enabled && now('Switch off', `${label} is switched off.`, () => patch(path, { enabled: false }))}
        ${worker.consent_granted && ask('Withdraw approval', 'withdraw', 'danger')}
        ${ask('Remove', 'remove', 'danger')}
      </div>
      <small>Drain: it finishes what it holds, then takes no new work.</small>
    </details>`
}

/** `jobs` and `waits` are text, so that a card is drawn again only when something in it has changed. */
export function Card({ worker, jobs, waits, dialled, onAsk }) {
  return useMemo(() => {
    const state = stateOf(worker)
    const title = `machine-${worker.id}`
    return html`<article class="sheet machine" aria-labelledby=${title} data-machine=${worker.id}>
      <header class="row"><h3 id=${title} class="text clip">${nameOf(worker)}</h3><${Badge} tone=${TONES[state] ?? 'quiet'}>${state}<//></header>
      <${Reasons} reasons=${reasonsOf(worker, waits === '' ? [] : JSON.parse(waits), dialled)} />
      <${Facts} worker=${worker} jobs=${jobs === '' ? [] : jobs.split('\n')} />
      <${Actions} worker=${worker} onAsk=${onAsk} />
    </article>`
  }, [worker, jobs, waits, dialled, onAsk])
}

/** The newest lines of a machine's log. */
export const readLog = (id) => get(`/workers/${encodeURIComponent(id)}/logs?last=200`)
