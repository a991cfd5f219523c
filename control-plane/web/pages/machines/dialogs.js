// @ts-check
// Dialogs about one machine: approval and what it means, name and priority, actions that cannot be undone, and its log.
import { get, messageOf, patch, post, remove } from '../../lib/api.js'
import { Action, Confirm, Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { isolated, short } from '../../lib/format.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { refresh } from '../../lib/live.js'
import { Long } from '../../lib/moments.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { nameOf } from './state.js'
import { strings } from './view-strings.js'

/** @import { MachineLogLine, MachineView } from '../../lib/api-types.ts' */
/** @typedef {keyof typeof KINDS} DialogKind */
/** @typedef {{ machine: MachineView, onClose: () => void }} Props */

const words = strings.dialogs
/** @param {MachineView} machine @returns {`/workers/${string}`} */
const pathOf = ({ id }) => `/workers/${encodeURIComponent(id)}`
/** @param {{ machine: MachineView }} props */
const Name = ({ machine }) => html`<strong class="text">${nameOf(machine)}</strong>`

/** @param {string} notice */
async function done(notice) {
  notify(notice)
  await refresh()
}

/** @typedef {keyof typeof words.uses} Use */
/** Groups the radio buttons. */
const USE_GROUP = 'use'
/** @param {{ use: Use, onUse: (use: Use) => void, isAutomatic: boolean }} props isAutomatic: work runs on any machine now */
const UseChoice = ({ use, onUse, isAutomatic }) => html`<fieldset class="uses">
  <legend>${words.useQuestion}</legend>
  ${
    /** @type {Use[]} */ (['automatic', 'chosen']).map(
      (one) => html`<label key=${one}>
      <input type="radio" name=${USE_GROUP} value=${one} checked=${use === one} onChange=${() => onUse(one)} />
      <span><strong>${words.uses[one]}</strong><small>${one === 'chosen' && isAutomatic ? words.endsAutomatic : words.useHints[one]}</small></span>
    </label>`,
    )
  }
</fieldset>`

/** @param {Props} props */
function Approve({ machine, onClose }) {
  const [use, setUse] = useState(/** @type {Use} */ ('automatic'))
  const routing = useRead('/workers/target?limit=0')
  const isAutomatic = routing.value?.target === 'auto'
  const where = machine.address || machine.endpoint || words.unknownAddress
  const approve = async () => {
    // First, so that an approved machine never gets work that it was not approved for.
    if (use === 'chosen' && isAutomatic) await post('/workers/target', { target: 'local' })
    await post(`${pathOf(machine)}/consent`, {})
    if (use === 'automatic' && !isAutomatic) await post('/workers/target', { target: 'auto' })
    await done(words.approved(isolated(short(nameOf(machine))), use))
    onClose()
  }
  return html`<${Dialog} title=${words.approveTitle} onClose=${onClose}>
    <p>${words.approveBefore}<${Name} machine=${machine} />${words.approveAfter}</p>
    <ul>${words.sent.map(([what, why]) => html`<li key=${what}><strong>${what}</strong>${why}</li>`)}</ul>
    <p>${words.destinationBefore}<span class="mono text">${where}</span>${words.destinationKey}<span class="mono text">${machine.key_id}</span>${words.destinationAfter}</p>
    <p class="callout"><strong>${words.approveWarning}</strong>${words.approveAdvice}</p>
    <${UseChoice} use=${use} onUse=${setUse} isAutomatic=${isAutomatic} />
    ${routing.error && html`<p class="callout bad text" role="alert">${routing.error}</p>`}
    <p>${words.approveNote}</p>
    <footer>
      <button type="button" onClick=${onClose}>${words.notNow}</button>
      <${Action} kind="main" disabled=${routing.value === null} onPress=${approve}>${words.approve}<//>
    </footer>
  <//>`
}

/** @param {Props} props */
function Change({ machine, onClose }) {
  const [name, setName] = useState(machine.name)
  const [priority, setPriority] = useState(String(machine.priority))
  const send = async () => {
    await patch(pathOf(machine), { name: name.trim(), priority: Number(priority) })
    await done(words.saved)
    onClose()
  }
  return html`<${Dialog} title=${words.changeTitle} onClose=${onClose}>
    <${Form} onSend=${send} send=${shared.save}>
      <${Field} label=${words.name} hint=${words.nameHint}>
        <input value=${name} maxlength="120" onInput=${(/** @type {Event} */ event) => setName(fieldValue(event))} />
      <//>
      <${Field} label=${words.priority} hint=${words.priorityHint}>
        <input type="number" min="0" max="100" step="1" required value=${priority} onInput=${(/** @type {Event} */ event) => setPriority(fieldValue(event))} />
      <//>
    <//>
  <//>`
}

/** @param {Props} props */
function Withdraw({ machine, onClose }) {
  const withdraw = async () => {
    await remove(`${pathOf(machine)}/consent`)
    await done(words.withdrawn)
  }
  return html`<${Confirm} title=${words.withdrawTitle} action=${words.withdraw} onClose=${onClose} onYes=${withdraw}>
    <p>${words.withdrawBefore}<${Name} machine=${machine} />${words.withdrawAfter}</p>
  <//>`
}

/** @param {Props} props */
function Release({ machine, onClose }) {
  const release = async () => {
    await post(`${pathOf(machine)}/release`, {})
    await done(words.released)
  }
  return html`<${Confirm} title=${words.releaseTitle} action=${words.release} onClose=${onClose} onYes=${release}>
    <p><${Name} machine=${machine} />${words.quarantined}</p>
    <p><${Long} text=${machine.quarantine ?? words.alreadyReleased} /></p>
    <p class="callout">${words.releaseWarning}</p>
  <//>`
}

/** @param {Props} props */
function Remove({ machine, onClose }) {
  const removeIt = async () => {
    await remove(pathOf(machine))
    await done(words.removed)
  }
  return html`<${Confirm} title=${words.removeTitle} action=${words.remove} onClose=${onClose} onYes=${removeIt}>
    <p>${words.removeBefore}<${Name} machine=${machine} />${words.removeAfter}</p>
    <p>${words.removeWarning}</p>
  <//>`
}

/** @param {MachineLogLine} line */
function lineText({ at, level, message, fields }) {
  const more = Object.keys(fields).length > 0 ? short(JSON.stringify(fields), 2000) : ''
  return [new Date(at * 1000).toTimeString().slice(0, 8), level, short(message, 2000), more].join(' ')
}

/** @param {Props} props */
function Log({ machine, onClose }) {
  const [{ lines, error }, set] = useState({ lines: /** @type {MachineLogLine[] | null} */ (null), error: '' })
  const read = () =>
    get(`/workers/${encodeURIComponent(machine.id)}/logs?last=${200}`).then(
      (newest) => set({ lines: newest, error: '' }),
      (failure) => set({ lines: [], error: messageOf(failure) }),
    )
  useEffect(() => void read(), [machine.id])
  return html`<${Dialog} title=${words.logTitle} onClose=${onClose}>
    <p><${Name} machine=${machine} />${words.logNote}</p>
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    ${lines === null && html`<p class="empty">${shared.loading}</p>`}
    ${
      lines !== null &&
      html`<ol class="log mono" tabindex="0" aria-label=${words.logLines}>${lines.map((line, index) => html`<li key=${index} class="text">${lineText(line)}</li>`)}</ol>`
    }
    ${lines?.length === 0 && error === '' && html`<p class="empty">${words.logEmpty}</p>`}
    <footer><${Action} onPress=${read}>${words.refresh}<//></footer>
  <//>`
}

const KINDS = { approve: Approve, change: Change, withdraw: Withdraw, release: Release, remove: Remove, log: Log }

/** @param {{ kind: DialogKind, machine: MachineView | null | undefined, onClose: () => void }} props */
export function MachineDialog({ kind, machine, onClose }) {
  if (machine) return html`<${KINDS[kind]} machine=${machine} onClose=${onClose} />`
  return html`<${Dialog} title=${words.goneTitle} onClose=${onClose}><p>${words.gone}</p><//>`
}
