// What is asked before something is done to a machine: approval with what it means, names, what cannot be undone, and its log.
import { patch, post, remove } from '../api.js'
import { html, useEffect, useState } from '../html.js'
import { refresh } from '../live.js'
import { Action, Confirm, Dialog, Field, notify } from './basics.js'
import { readLog } from './workers-card.js'
import { Form, Long } from './workers-form.js'
import { isolated, nameOf, short } from './workers-state.js'

const pathOf = ({ id }) => `/workers/${encodeURIComponent(id)}`

function Approve({ worker, onClose }) {
  const where = worker.address || worker.endpoint || 'an address that is known when it connects'
  const yes = async () => {
    await post(`${pathOf(worker)}/consent`)
    notify(`${isolated(short(nameOf(worker)))} is approved.`)
    await refresh()
    onClose()
  }
  return html`<${Dialog} title="Approve this machine?" onClose=${onClose}>
    <p>If you approve <strong class="text">${nameOf(worker)}</strong>, the studio sends it, whenever work is given to it:</p>
    <ul>
      <li>the <strong>texts</strong> that are to be spoken,</li>
      <li>the <strong>audio</strong> that is to be worked on,</li>
      <li>the <strong>voices</strong> that are used: their samples and what they are described by.</li>
    </ul>
    <p>It goes to <span class="mono text">${where}</span>, to the machine that holds the key <span class="mono text">${worker.key_id}</span>,
      encrypted on the way.</p>
    <p class="callout"><strong>The owner of that machine can read it, hear it and keep it.</strong> Approve only a machine whose owner you trust with it.</p>
    <p>Without your approval nothing of this is sent. You may withdraw the approval at any time: what runs there is then stopped and wiped, but what
      its owner has copied before stays with them.</p>
    <footer><button type="button" onClick=${onClose}>Do not approve</button><${Action} kind="main" onPress=${yes}>Approve and send<//></footer>
  <//>`
}

function Change({ worker, onClose }) {
  const [name, setName] = useState(worker.name)
  const [priority, setPriority] = useState(worker.priority)
  const send = async () => {
    await patch(pathOf(worker), { name: name.trim(), priority: Number(priority) })
    notify('Saved.')
    await refresh()
    onClose()
  }
  return html`<${Dialog} title="Rename or prefer" onClose=${onClose}>
    <${Form} onSend=${send} send="Save">
      <${Field} label="Name" hint="120 characters at most; empty: it is called by its key.">
        <input value=${name} maxlength="120" onInput=${(event) => setName(event.target.value)} />
      <//>
      <${Field} label="Preference, 0 to 100" hint="Of machines that would be done equally soon, the one with the higher number gets the work. 50 is usual.">
        <input type="number" min="0" max="100" step="1" required value=${priority} onInput=${(event) => setPriority(event.target.value)} />
      <//>
    <//>
  <//>`
}

const done = async (said) => {
  notify(said)
  await refresh()
}
const Withdraw = ({
  worker,
  onClose,
}) => html`<${Confirm} title="Withdraw the approval?" action="Withdraw" onClose=${onClose} onYes=${async () => {
  await remove(`${pathOf(worker)}/consent`)
  await done('The approval is withdrawn.')
}}>
  <p>Nothing is sent to <strong class="text">${nameOf(worker)}</strong> any more. What runs there is stopped, wiped, and done elsewhere.</p>
<//>`
const Release = ({
  worker,
  onClose,
}) => html`<${Confirm} title="Release this machine?" action="Release" onClose=${onClose} onYes=${async () => {
  await post(`${pathOf(worker)}/release`)
  await done('The machine is released.')
}}>
  <p><strong class="text">${nameOf(worker)}</strong> was set aside:</p>
  <p><${Long} text=${worker.quarantine ?? 'it is released already'} /></p>
  <p class="callout">Release it only when you have made sure that one machine alone holds its key: the next one that comes with it is believed.</p>
<//>`
const Remove = ({
  worker,
  onClose,
}) => html`<${Confirm} title="Remove this machine?" action="Remove" onClose=${onClose} onYes=${async () => {
  await remove(pathOf(worker))
  await done('The machine is removed.')
}}>
  <p>The key of <strong class="text">${nameOf(worker)}</strong> is revoked and its link is cut. What runs there is done elsewhere.</p>
  <p>It cannot come back with that key: it would have to join again with a new code.</p>
<//>`

function Log({ worker, onClose }) {
  const [{ lines, error }, set] = useState({ lines: null, error: '' })
  const read = () =>
    readLog(worker.id).then(
      (lines) => set({ lines, error: '' }),
      (failure) => set({ lines: [], error: failure.message }),
    )
  useEffect(() => void read(), [worker.id])
  return html`<${Dialog} title="Log of this machine" onClose=${onClose}>
    <p><strong class="text">${nameOf(worker)}</strong>: its newest lines, oldest first. Secrets and texts of tasks are not among them.</p>
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    ${lines === null && html`<p class="empty">Reading…</p>`}
    ${
      lines !== null &&
      html`<ol class="log mono" tabindex="0" aria-label="Lines of the log">${lines.map(
        ({ at, level, message, fields }, index) => html`<li key=${index} class="text">
          ${new Date(at * 1000).toLocaleTimeString()} ${level} ${short(message, 2000)} ${Object.keys(fields).length > 0 && short(JSON.stringify(fields), 2000)}
        </li>`,
      )}</ol>`
    }
    ${lines?.length === 0 && error === '' && html`<p class="empty">It has written nothing yet.</p>`}
    <footer><${Action} onPress=${read}>Read again<//></footer>
  <//>`
}

const KINDS = { approve: Approve, change: Change, withdraw: Withdraw, release: Release, remove: Remove, log: Log }

export function MachineDialog({ kind, worker, onClose }) {
  const Kind = KINDS[kind]
  if (worker) return html`<${Kind} worker=${worker} onClose=${onClose} />`
  return html`<${Dialog} title="This machine is gone" onClose=${onClose}><p>It was removed, or other machines were turned off.</p><//>`
}
