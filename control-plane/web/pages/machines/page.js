// The machines: where work goes, every machine with its state and reasons, and the ways in which machines come together.
import { post } from '../api.js'
import { html, useCallback, useState } from '../html.js'
import { refresh } from '../live.js'
import { Action, Badge, Confirm, notify } from '../parts/basics.js'
import { AddMachine } from '../parts/workers-add.js'
import { Connections } from '../parts/workers-connections.js'
import { MachineDialog } from '../parts/workers-dialogs.js'
import { jobsOf, Machines } from '../parts/workers-fleet.js'
import { usePolled } from '../parts/workers-form.js'
import { InboundDoor } from '../parts/workers-inbound.js'
import { Lending } from '../parts/workers-lending.js'
import { LOCAL } from '../parts/workers-state.js'
import { TargetPicker } from '../parts/workers-target.js'

const EVERY_MS = 4000
const NONE = []

const DOORS = [
  { id: 'connect', title: 'Connect to a GPU machine' },
  { id: 'accept', title: 'Accept connections' },
  { id: 'lend', title: 'Lend this machine' },
]
/** Below many machines; a link would change the address, which names the page. */
function jump(id) {
  const place = document.getElementById(id)
  place?.scrollIntoView()
  place?.focus({ preventScroll: true })
}

function Door({ fleet, onAdd }) {
  const [asking, setAsking] = useState(false)
  const turn = async (enabled) => {
    try {
      await post('/workers/enabled', { enabled })
      notify(enabled ? 'Other machines are turned on.' : 'Other machines are turned off.')
    } finally {
      await refresh()
    }
  }
  return html`
    <div class="row head">
      <h2>All machines</h2>
      <${Badge} tone=${fleet.running ? 'good' : 'quiet'}>${fleet.running ? 'other machines are on' : 'other machines are off'}<//>
      <span class="spread"></span>
      ${
        fleet.running
          ? html`<button type="button" class="main" onClick=${onAdd}>Add a machine…</button><button type="button" onClick=${() => setAsking(true)}>Turn off…</button>`
          : html`<${Action} kind="main" onPress=${() => turn(true)}>Turn on other machines<//>`
      }
    </div>
    ${!fleet.running && !fleet.startup_error && html`<p class="soft">While they are off no task leaves this machine, nobody can join, and enrolled machines are not listed.</p>`}
    ${!fleet.running && fleet.startup_error && html`<p class="callout bad text">They cannot be turned on: ${fleet.startup_error}</p>`}
    ${fleet.running && html`<p class="soft">Machines join at <span class="mono text">${fleet.endpoint}</span>. Tasks that wait: ${fleet.queue_depth}.</p>`}
    <nav class="row machines-nav" aria-label="On this page">${DOORS.map(
      ({ id, title }) => html`<button key=${id} type="button" class="quiet jump" onClick=${() => jump(id)}>${title}</button>`,
    )}</nav>
    ${
      asking &&
      html`<${Confirm} title="Turn off other machines?" action="Turn off" onClose=${() => setAsking(false)} onYes=${() => turn(false)}>
        <p>Every link is cut and the port is closed. What runs elsewhere is stopped there. The machines stay enrolled and come back when you turn them on.</p>
      <//>`
    }`
}

export function Workers({ live }) {
  const { fleet, error, tasks, version } = live
  const [asked, setAsked] = useState(null)
  const own = usePolled('/workers/local', EVERY_MS, `${jobsOf(tasks)} ${fleet?.queue_depth}`)
  const inbound = usePolled('/workers/inbound', EVERY_MS)
  const ask = useCallback((kind, id) => setAsked({ kind, id }), [])
  const close = useCallback(() => setAsked(null), [])
  if (!fleet) return html`<p class=${error ? 'callout bad' : 'empty'}>${error ?? 'Reading…'}</p>`
  const find = (id) => (id === LOCAL ? own.value : fleet.workers.find((worker) => worker.id === id))
  return html`
    ${[error, own.error].map((text) => text && html`<p key=${text} class="callout bad text" role="alert">${text}</p>`)}
    <${TargetPicker} fleet=${fleet} />
    <section aria-label="Machines">
      <${Door} fleet=${fleet} onAdd=${() => ask('add', '')} />
      <${Machines} own=${own.value} fleet=${fleet} tasks=${tasks} version=${version} connections=${inbound.value?.connections ?? NONE} onAsk=${ask} />
    </section>
    <div class="doors">
      ${inbound.error && html`<p class="callout bad text">${inbound.error}</p>`}
      ${inbound.value && html`<${Connections} inbound=${inbound.value} isOn=${fleet.running} reload=${inbound.reload} />`}
      ${inbound.value && html`<${InboundDoor} inbound=${inbound.value} reload=${inbound.reload} />`}
      <${Lending} />
    </div>
    ${asked?.kind === 'add' && html`<${AddMachine} fleet=${fleet} onClose=${close} onApprove=${(id) => ask('approve', id)} />`}
    ${asked && asked.kind !== 'add' && html`<${MachineDialog} kind=${asked.kind} worker=${find(asked.id)} onClose=${close} />`}`
}
