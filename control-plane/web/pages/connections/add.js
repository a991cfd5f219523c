// @ts-check
// Adding a machine: the settings of its code, the code itself and how the other machine uses it, and the machine that has joined.

import { post } from '../../lib/api.js'
import { Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useMemo, useState } from '../../lib/html.js'
import { Countdown, useTick } from '../../lib/moments.js'
import { COMMAND } from '../../lib/strings.js'
import { nameOf } from '../machines/state.js'
import { Secret } from './secret.js'
import { strings } from './strings.js'

/** @import { JoinCodeReply, MachineFleet, MachineView } from '../../lib/api-types.ts' */

const words = strings.add
const OTHER = 'other'
const DEFAULT_SECONDS = 900

/** @param {{ fleet: MachineFleet, onCode: (code: JoinCodeReply) => void }} props */
function CodeForm({ fleet, onCode }) {
  const [label, setLabel] = useState('')
  const [choice, setChoice] = useState('')
  const [typed, setTyped] = useState('')
  const [seconds, setSeconds] = useState(String(DEFAULT_SECONDS))
  const detected = fleet.endpoint ?? ''
  const host = location.hostname
  const isHostOffered = host !== '' && !detected.startsWith(`${host}:`)
  const send = async () => {
    const endpoint = choice === OTHER ? typed.trim() : choice
    onCode(await post('/workers/enrollments', { label: label.trim(), endpoint, ttl_seconds: Number(seconds) }))
  }
  return html`<${Form} onSend=${send} send=${words.create}>
    <${Field} label=${words.name} hint=${words.nameHint}>
      <input value=${label} maxlength="120" autocomplete="off" onInput=${(/** @type {Event} */ event) => setLabel(fieldValue(event))} />
    <//>
    <${Field} label=${words.address}>
      <select value=${choice} onChange=${(/** @type {Event} */ event) => setChoice(fieldValue(event))}>
        <option value="">${words.detected(detected)}</option>
        ${isHostOffered && html`<option value=${host}>${words.fromPage(host)}</option>`}
        <option value=${OTHER}>${words.other}</option>
      </select>
    <//>
    ${
      choice === OTHER &&
      html`<${Field} label=${words.otherLabel} hint=${words.otherHint}>
        <input required maxlength="256" value=${typed} autocomplete="off" spellcheck="false" onInput=${(/** @type {Event} */ event) => setTyped(fieldValue(event))} />
      <//>`
    }
    <${Field} label=${words.validFor}>
      <select value=${seconds} onChange=${(/** @type {Event} */ event) => setSeconds(fieldValue(event))}>
        ${words.times.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
      </select>
    <//>
  <//>`
}

/** @param {{ machine: MachineView, onApprove: (id: string) => void }} props */
const Joined = ({ machine, onApprove }) => html`<div class="callout good" role="status">
  <p><strong class="text">${nameOf(machine)}</strong>${words.joined(machine.connected)}</p>
  <p>${machine.consent_granted ? words.approved : words.notApproved}</p>
  ${!machine.consent_granted && html`<button type="button" class="main" onClick=${() => onApprove(machine.id)}>${words.approve}</button>`}
</div>`

/** @param {{ code: JoinCodeReply, onAgain: () => void }} props */
function Code({ code, onAgain }) {
  useTick()
  const isExpired = code.expires_at <= Date.now() / 1000
  return html`
    <${Secret} text=${code.token} label=${words.code} />
    <p>${words.codeBefore}<span class="mono text">${code.endpoint}</span>${words.codeTime}<strong><${Countdown} to=${code.expires_at} over=${words.expired} /></strong></p>
    <h3>${words.onOther}</h3>
    <ol>
      <li>${words.step1Before}<code class="mono">${COMMAND} agent join -</code>${words.step1After}</li>
      <li>${words.step2}<code class="mono">${COMMAND} agent</code></li>
    </ol>
    <p role="status" class="soft">${isExpired ? words.codeExpired : words.waiting}</p>
    <button type="button" onClick=${onAgain}>${words.createAnother}</button>`
}

/** @param {{ fleet: MachineFleet, onApprove: (id: string) => void, onClose: () => void }} props */
export function AddMachine({ fleet, onApprove, onClose }) {
  const [code, setCode] = useState(/** @type {JoinCodeReply | null} */ (null))
  // A machine that is enrolled later than the code was created has joined with it.
  const before = useMemo(() => new Set(fleet.workers.map(({ id }) => id)), [code])
  const joined = code === null ? [] : fleet.workers.filter(({ id }) => !before.has(id))
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${code === null && html`<p>${words.intro}</p><${CodeForm} fleet=${fleet} onCode=${setCode} />`}
    ${code !== null && joined.length === 0 && html`<${Code} code=${code} onAgain=${() => setCode(null)} />`}
    ${joined.map((machine) => html`<${Joined} key=${machine.id} machine=${machine} onApprove=${onApprove} />`)}
  <//>`
}
