// @ts-check
// Machines: where work runs, every machine with its state and reasons, and the ways to connect machines.
import { post } from '../../lib/api.js'
import { Action, Badge } from '../../lib/controls.js'
import { html, useCallback, useState } from '../../lib/html.js'
import { refresh } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { Confirm } from '../../lib/overlays.js'
import { usePolled } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { AddMachine } from '../connections/add.js'
import { Connect } from '../connections/connect.js'
import { Lend } from '../connections/lend.js'
import { Share } from '../connections/share.js'
import { strings as connections } from '../connections/strings.js'
import { MachineDialog } from './dialogs.js'
import { MachineList } from './fleet.js'
import { Routing } from './routing.js'
import { LOCAL, workOf } from './state.js'
import { strings } from './strings.js'

/** @import { MachineFleet, SharingState } from '../../lib/api-types.ts' */
/** @import { Live } from '../../lib/live.js' */
/** @import { DialogKind } from './dialogs.js' */

const words = strings.page
const EVERY_MS = 4000
/** @type {SharingState['connections']} */
const NONE = []
const SECTIONS = [
  { id: 'connect', title: connections.connect.title },
  { id: 'share', title: connections.share.title },
  { id: 'lend', title: connections.lend.title },
]

/** The sections are below many machines. A link would change the address, which names the page. @param {string} id */
function jump(id) {
  const place = document.getElementById(id)
  place?.scrollIntoView()
  place?.focus({ preventScroll: true })
}

/** @param {{ fleet: MachineFleet, onAdd: () => void }} props */
function Header({ fleet, onAdd }) {
  const [asking, setAsking] = useState(false)
  const switchTo = async (/** @type {boolean} */ enabled) => {
    try {
      await post('/workers/enabled', { enabled })
      notify(enabled ? words.turnedOn : words.turnedOff)
    } finally {
      await refresh()
    }
  }
  return html`
    <div class="row head">
      <h2>${words.title}</h2>
      <${Badge} tone=${fleet.running ? 'good' : 'quiet'}>${words.remote(fleet.running)}<//>
      <span class="spread"></span>
      ${
        fleet.running
          ? html`<button type="button" class="main" onClick=${onAdd}>${words.add}</button><button type="button" onClick=${() => setAsking(true)}>${words.turnOff}</button>`
          : html`<${Action} kind="main" onPress=${() => switchTo(true)}>${words.turnOn}<//>`
      }
    </div>
    ${!fleet.running && !fleet.startup_error && html`<p class="soft">${words.offNote}</p>`}
    ${!fleet.running && fleet.startup_error && html`<p class="callout bad text">${words.startError(fleet.startup_error)}</p>`}
    ${fleet.running && html`<p class="soft">${words.joinAt}<span class="mono text">${fleet.endpoint}</span>${words.waiting(fleet.queue_depth)}</p>`}
    <nav class="row machines-nav" aria-label=${words.onThisPage}>${SECTIONS.map(
      ({ id, title }) => html`<button key=${id} type="button" class="quiet jump" onClick=${() => jump(id)}>${title}</button>`,
    )}</nav>
    ${
      asking &&
      html`<${Confirm} title=${words.turnOffTitle} action=${words.turnOffYes} onClose=${() => setAsking(false)} onYes=${() => switchTo(false)}>
        <p>${words.turnOffWarning}</p>
      <//>`
    }`
}

/** @param {{ live: Live }} props */
export function Machines({ live }) {
  const { fleet, error, tasks, version } = live
  const [asked, setAsked] = useState(/** @type {{ kind: DialogKind | 'add', id: string } | null} */ (null))
  const ownJobs = workOf(tasks.values()).jobs.get(LOCAL)?.length ?? 0
  const own = usePolled('/workers/local', EVERY_MS, `${ownJobs} ${fleet?.queue_depth}`)
  const inbound = usePolled('/workers/inbound', EVERY_MS)
  const ask = useCallback((/** @type {DialogKind | 'add'} */ kind, /** @type {string} */ id) => setAsked({ kind, id }), [])
  const close = useCallback(() => setAsked(null), [])
  if (!fleet) return html`<p class=${error ? 'callout bad' : 'empty'}>${error ?? shared.loading}</p>`
  const find = (/** @type {string} */ id) => (id === LOCAL ? own.value : fleet.workers.find((machine) => machine.id === id))
  return html`
    ${[error, own.error].map((text) => text && html`<p key=${text} class="callout bad text" role="alert">${text}</p>`)}
    <${Routing} fleet=${fleet} />
    <section aria-label=${words.machines}>
      <${Header} fleet=${fleet} onAdd=${() => ask('add', '')} />
      <${MachineList} own=${own.value} fleet=${fleet} tasks=${tasks} version=${version} connections=${inbound.value?.connections ?? NONE} onAsk=${ask} />
    </section>
    <div class="sections">
      ${inbound.error && html`<p class="callout bad text">${inbound.error}</p>`}
      ${inbound.value && html`<${Connect} inbound=${inbound.value} isOn=${fleet.running} reload=${inbound.reload} />`}
      ${inbound.value && html`<${Share} inbound=${inbound.value} reload=${inbound.reload} />`}
      <${Lend} />
    </div>
    ${asked?.kind === 'add' && html`<${AddMachine} fleet=${fleet} onClose=${close} onApprove=${(/** @type {string} */ id) => ask('approve', id)} />`}
    ${asked !== null && asked.kind !== 'add' && html`<${MachineDialog} kind=${asked.kind} machine=${find(asked.id)} onClose=${close} />`}`
}
