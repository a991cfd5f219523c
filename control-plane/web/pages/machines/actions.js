// @ts-check
// The actions on one machine. Those that need no question run at once; the others open a dialog.
import { patch, post } from '../../lib/api.js'
import { Action, Popover } from '../../lib/controls.js'
import { isolated, short } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { machineNow, refresh } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { Icon } from '../../look/icons.js'
import { LOCAL, nameOf, reasonsOf } from './state.js'
import { strings } from './strings.js'

/** @import { MachineView } from '../../lib/api-types.ts' */
/** @import { DialogKind } from './dialogs.js' */
/** @typedef {(kind: DialogKind, id: string) => void} Ask opens a dialog about a machine */
/** @typedef {{ machine: MachineView, onAsk: Ask }} Props */

const words = strings.card

/** @param {Props} props */
function buttonsOf({ machine, onAsk }) {
  const name = isolated(short(nameOf(machine)))
  const path = /** @type {`/workers/${string}`} */ (`/workers/${encodeURIComponent(machine.id)}`)
  const now = (/** @type {string} */ text, /** @type {string | (() => string)} */ notice, /** @type {() => Promise<unknown>} */ work) => {
    const press = async () => {
      await work()
      await refresh()
      notify(typeof notice === 'string' ? notice : notice())
    }
    return html`<${Action} onPress=${press} aria-label=${words.actionFor(text, name)}>${text}<//>`
  }
  /** What has become of it: something else may still keep work away. */
  const resumed = () => {
    const now = machineNow(machine.id)
    const why = now && reasonsOf(now).find(({ mild }) => !mild)
    return why ? words.notResumed(name, why.text) : words.resumed(name)
  }
  const ask = (/** @type {string} */ text, /** @type {DialogKind} */ kind, look = 'plain') =>
    html`<button type="button" class=${look} data-close aria-label=${words.actionFor(text, name)} onClick=${() => onAsk(kind, machine.id)}>${text}…</button>`
  return {
    release: () => ask(words.release, 'release', 'main'),
    approve: () => ask(words.approve, 'approve', 'main'),
    resume: () => now(words.resume, resumed, () => post(`${path}/resume`, {})),
    takeWork: () => now(words.takeWork, resumed, () => post(`${path}/drain`, { drain: false })),
    drain: () => now(words.drain, words.draining(name), () => post(`${path}/drain`, { drain: true })),
    turnOn: () => now(words.turnOn, words.turnedOn(name), () => patch(path, { enabled: true })),
    turnOff: () => now(words.turnOff, words.turnedOff(name), () => patch(path, { enabled: false })),
    log: () => ask(words.log, 'log'),
    change: () => ask(words.rename, 'change'),
    withdraw: () => ask(words.withdraw, 'withdraw', 'item danger'),
    remove: () => ask(words.remove, 'remove', 'item danger'),
  }
}

/** The one that a person is waited for, or nothing. @param {Props} props */
export function NextAction(props) {
  const { machine } = props
  const buttons = buttonsOf(props)
  if (machine.quarantine !== null) return buttons.release()
  if (machine.id !== LOCAL && !machine.consent_granted) return buttons.approve()
  if (machine.breakers.length > 0) return buttons.resume()
  return machine.drained ? buttons.takeWork() : null
}

/** All. @param {Props} props */
export function Actions(props) {
  const { id, quarantine, consent_granted: isApproved, breakers, drained, enabled, connected } = props.machine
  const buttons = buttonsOf(props)
  const resume = breakers.length > 0 && buttons.resume()
  const log = connected && buttons.log()
  if (id === LOCAL) return html`<div class="row">${resume}${log}</div>`
  return html`<div class="row">
      ${quarantine !== null && buttons.release()}
      ${!isApproved && buttons.approve()}
      ${resume}
      ${drained ? buttons.takeWork() : buttons.drain()}
      ${enabled ? buttons.turnOff() : buttons.turnOn()}
      ${log}
      ${buttons.change()}
      <${Popover} id="machine-menu" label=${words.menu} kind="icon-only" look="voice-menu" face=${html`<${Icon} of="more" />`}>
        <div class="body">${isApproved && buttons.withdraw()}${buttons.remove()}</div><//>
    </div>
    <p><small>${words.drainHint}</small></p>`
}
