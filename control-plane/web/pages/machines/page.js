// @ts-check
// Machines, in four views: the borrowed ones with their states, this machine for others, where work runs, and certificates. The view is in
// the address: #/machines, #/machines/<machine>, #/machines/add, #/machines/shared, #/machines/routing, #/machines/security.
import { post } from '../../lib/api.js'
import { Action, Badge, Confirm } from '../../lib/controls.js'
import { html, useCallback, useEffect, useState } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'
import { refresh } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { usePolled } from '../../lib/read.js'
import { grouped, strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { Fleet } from './fleet.js'
import { LOCAL, workOf } from './state.js'
import { strings } from './strings.js'

/** @import { MachineFleet, SharingState } from '../../lib/api-types.ts' */
/** @import { Address } from '../../frame/address.js' */
/** @import { Live } from '../../lib/live.js' */
/** @import { DialogKind } from './dialogs.js' */
/** @typedef {keyof typeof words.tabs} View */
/** @typedef {{ kind: DialogKind | 'add' | 'connect', id: string }} Asked */

const OwnShare = whenOpened(() => import('../connections/share.js').then(({ Share }) => Share))
const OwnLend = whenOpened(() => import('../connections/lend.js').then(({ Lend }) => Lend), { isQuiet: true })
const OwnRouting = whenOpened(() => import('./routing.js').then(({ Routing }) => Routing))
const OwnSecurity = whenOpened(() => import('./security.js').then(({ Security }) => Security))
const LATER = { isQuiet: true, isSoon: true }
const Adding = whenOpened(() => import('../connections/add.js').then(({ AddMachine }) => AddMachine), LATER)
const Connecting = whenOpened(() => import('../connections/connect.js').then(({ Connect }) => Connect), LATER)
const Asking = whenOpened(() => import('./dialogs.js').then(({ MachineDialog }) => MachineDialog), LATER)
const words = strings.page
const EVERY_MS = 4000
/** @type {SharingState['connections']} */
const NONE = []
/** The address of the dialog that adds a machine. */
const ADD = 'add'

/** @param {string} object of the address @returns {object is View} */
const isView = (object) => Object.hasOwn(words.tabs, object)

/** @param {{ view: View, count: number, fleet: MachineFleet, hasRoom: boolean, onAsk: (kind: Asked['kind']) => void }} props hasRoom: for buttons beside the tabs */
const Tabs = ({ view, count, fleet, hasRoom, onAsk }) => html`<div class="row tabs-row">
  <nav class="tabs" aria-label=${words.views}>${Object.entries(words.tabs).map(
    ([one, name]) =>
      html`<a key=${one} href=${one ? `#/machines/${one}` : '#/machines'} aria-current=${view === one ? 'page' : undefined}>${name}${one === '' && count > 0 && html` <small>${grouped(count)}</small>`}</a>`,
  )}</nav>
  <span class="spread"></span>
  ${
    view === '' &&
    hasRoom &&
    html`<button type="button" onClick=${() => onAsk('connect')}>${words.connect}</button>
    ${fleet.running && html`<button type="button" class="main" onClick=${() => onAsk('add')}>${words.add}</button>`}`
  }
</div>`

/** Whether machines may join, and how many work. @param {{ fleet: MachineFleet, running: number }} props running: tasks */
function Switch({ fleet, running }) {
  const [asking, setAsking] = useState(false)
  const switchTo = async (/** @type {boolean} */ enabled) => {
    try {
      await post('/workers/enabled', { enabled })
      notify(enabled ? words.turnedOn : words.turnedOff)
    } finally {
      await refresh()
    }
  }
  const online = fleet.workers.filter(({ connected }) => connected).length
  return html`
    <div class="row machines-switch">
      <${Badge} tone=${fleet.running ? 'good' : 'quiet'}>${words.remote(fleet.running)}<//>
      ${
        fleet.running
          ? html`<button type="button" class="quiet" onClick=${() => setAsking(true)}>${words.turnOff}</button>
            <span class="soft number">${words.counts(online, fleet.workers.length, running, fleet.queue_depth)}</span>
            <span class="spread"></span><span class="soft joined-at">${words.joinAt}<span class="mono text">${fleet.endpoint}</span></span>`
          : html`<${Action} kind="main" onPress=${() => switchTo(true)}>${words.turnOn}<//>`
      }
    </div>
    ${!fleet.running && !fleet.startup_error && html`<p class="soft">${words.offNote}</p>`}
    ${!fleet.running && fleet.startup_error && html`<p class="callout bad text">${words.startError(fleet.startup_error)}</p>`}
    ${
      asking &&
      html`<${Confirm} title=${words.turnOffTitle} action=${words.turnOffYes} onClose=${() => setAsking(false)} onYes=${() => switchTo(false)}>
        <p>${words.turnOffWarning}</p>
      <//>`
    }`
}

/** @param {{ inbound: { value: SharingState | null, error: string, reload: () => Promise<void> } }} props */
const Shared = ({ inbound: { value, error, reload } }) => html`<div class="sections">
  ${error && html`<p class="callout bad text">${error}</p>`}
  ${value && html`<${OwnShare.View} inbound=${value} reload=${reload} />`}
  <${OwnLend.View} />
</div>`

const note = html`<p class="note"><${Icon} of="note" /><span>${words.routingNote}<a href="#/machines/routing">${words.routingLink}</a></span></p>`

/** @param {{ live: Live, address: Address }} props */
export function Machines({ live, address }) {
  const { fleet, error, tasks, version } = live
  const view = isView(address.object) ? address.object : ''
  const openId = isView(address.object) || address.object === ADD ? '' : address.object
  const [asked, setAsked] = useState(/** @type {Asked | null} */ (address.object === ADD ? { kind: ADD, id: '' } : null))
  const { jobs } = workOf(tasks.values())
  const own = usePolled('/workers/local', EVERY_MS, `${jobs.get(LOCAL)?.length ?? 0} ${fleet?.queue_depth}`)
  const inbound = usePolled('/workers/inbound', EVERY_MS)
  const ask = useCallback((/** @type {Asked['kind']} */ kind, /** @type {string} */ id = '') => setAsked({ kind, id }), [])
  const close = useCallback(() => setAsked(null), [])
  useEffect(() => {
    if (address.object === ADD) ask(ADD)
  }, [address])
  if (!fleet) return html`<p class=${error ? 'callout bad' : 'empty'}>${error ?? shared.loading}</p>`
  const find = (/** @type {string} */ id) => (id === LOCAL ? own.value : fleet.workers.find((machine) => machine.id === id))
  const running = [...jobs.values()].reduce((sum, lines) => sum + lines.length, 0)
  const top = html`<${Tabs} view=${view} count=${fleet.workers.length} fleet=${fleet} hasRoom=${openId === ''} onAsk=${ask} />
    ${[error, own.error].map((text) => text && html`<p key=${text} class="callout bad text" role="alert">${text}</p>`)}`
  return html`
    ${view !== '' && top}
    ${view === 'shared' && html`<${Shared} inbound=${inbound} />`}
    ${view === 'routing' && html`<${OwnRouting.View} fleet=${fleet} />`}
    ${view === 'security' && html`<${OwnSecurity.View} />`}
    ${
      view === '' &&
      html`<${Fleet} own=${own.value} fleet=${fleet} tasks=${tasks} version=${version} connections=${inbound.value?.connections ?? NONE}
        openId=${openId} query=${address.query} note=${note} onAsk=${ask}>${top}<${Switch} fleet=${fleet} running=${running} /><//>`
    }
    ${asked?.kind === ADD && html`<${Adding.View} fleet=${fleet} onClose=${close} onApprove=${(/** @type {string} */ id) => ask('approve', id)} />`}
    ${asked?.kind === 'connect' && inbound.value && html`<${Connecting.View} inbound=${inbound.value} isOn=${fleet.running} reload=${inbound.reload} onClose=${close} />`}
    ${asked !== null && asked.kind !== ADD && asked.kind !== 'connect' && html`<${Asking.View} kind=${asked.kind} machine=${find(asked.id)} onClose=${close} />`}`
}
