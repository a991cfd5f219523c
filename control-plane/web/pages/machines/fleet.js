// @ts-check
// The list of machines, usable with a thousand of them: searched, filtered by state, and drawn fifty at a time.
import { Field, fieldValue } from '../../lib/controls.js'
import { html, useMemo, useState } from '../../lib/html.js'
import { Card } from './card.js'
import { nameOf, STATES, searchTextOf, stateOf, workOf } from './state.js'
import { strings } from './strings.js'

/** @import { MachineFleet, SharingState, MachineView, TaskView } from '../../lib/api-types.ts' */
/** @import { Ask } from './card.js' */
/** @import { MachineState } from './state.js' */
/** @typedef {{ machine: MachineView, name: string, state: MachineState, searchText: string }} Row */

const words = strings.list
const PAGE = 50
const order = new Intl.Collator(undefined, { numeric: true })

/** Computed once per record: an event replaces the record of one machine. @type {WeakMap<MachineView, Row>} */
const rows = new WeakMap()
/** @param {MachineView} machine */
function rowOf(machine) {
  const row = rows.get(machine) ?? { machine, name: nameOf(machine), state: stateOf(machine), searchText: searchTextOf(machine) }
  rows.set(machine, row)
  return row
}

/** @param {string} name @returns {MachineState | ''} */
const chosenState = (name) => STATES.find((state) => state === name) ?? ''

/** @param {{ found: number, all: number, page: number, onPage: (page: number) => void }} props */
function Pager({ found, all, page, onPage }) {
  const last = Math.max(0, Math.ceil(found / PAGE) - 1)
  return html`<div class="row pages">
    <span role="status">${words.shown(page * PAGE + 1, Math.min(found, (page + 1) * PAGE), found, all)}</span>
    ${
      last > 0 &&
      html`<button type="button" disabled=${page === 0} onClick=${() => onPage(page - 1)}>${words.previous(PAGE)}</button>
      <button type="button" disabled=${page === last} onClick=${() => onPage(page + 1)}>${words.next(PAGE)}</button>`
    }
  </div>`
}

/** @param {{ rows: Row[], text: string, state: string, onText: (text: string) => void, onState: (state: MachineState | '') => void }} props */
function Filters({ rows, text, state, onText, onState }) {
  const counts = useMemo(() => Map.groupBy(rows, (row) => row.state), [rows])
  return html`<div class="row pair" role="search" aria-label=${strings.page.machines}>
    <${Field} label=${words.find}>
      <input type="search" value=${text} placeholder=${words.findExample} onInput=${(/** @type {Event} */ event) => onText(fieldValue(event))} />
    <//>
    <${Field} label=${words.state}>
      <select value=${state} onChange=${(/** @type {Event} */ event) => onState(chosenState(fieldValue(event)))}>
        <option value="">${words.all(rows.length)}</option>
        ${STATES.filter((one) => counts.has(one) || one === state).map(
          (one) =>
            html`<option key=${one} value=${one}>${words.stateCount(strings.card.states[one], counts.get(one)?.length ?? 0)}</option>`,
        )}
      </select>
    <//>
  </div>`
}

/**
 * @param {object} props
 * @param {MachineView | null} props.own this machine
 * @param {MachineFleet} props.fleet
 * @param {Map<string, TaskView>} props.tasks
 * @param {number} props.version changes with `tasks`
 * @param {SharingState['connections']} props.connections
 * @param {Ask} props.onAsk
 */
export function MachineList({ own, fleet, tasks, version, connections, onAsk }) {
  const [text, setText] = useState('')
  const [state, setState] = useState(/** @type {MachineState | ''} */ (''))
  const [page, setPage] = useState(0)
  const all = useMemo(
    () => fleet.workers.map(rowOf).sort((a, b) => order.compare(a.name, b.name) || order.compare(a.machine.id, b.machine.id)),
    [fleet.workers],
  )
  const wanted = text.trim().toLowerCase()
  const found = useMemo(
    () => all.filter((row) => (state === '' || row.state === state) && (wanted === '' || row.searchText.includes(wanted))),
    [all, state, wanted],
  )
  const work = useMemo(() => workOf(tasks.values()), [version])
  const dialErrors = useMemo(() => new Map(connections.map(({ worker_id, last_error }) => [worker_id, last_error])), [connections])
  const at = Math.min(page, Math.max(0, Math.ceil(found.length / PAGE) - 1))
  const card = (/** @type {MachineView} */ machine) => {
    const waits = work.waits.get(machine.id)
    return html`<${Card} key=${machine.id} machine=${machine} jobs=${(work.jobs.get(machine.id) ?? []).join('\n')} waits=${waits ? JSON.stringify(waits) : ''} dialError=${dialErrors.get(machine.id) ?? null} onAsk=${onAsk} />`
  }
  const search = (/** @type {string} */ next) => {
    setPage(0)
    setText(next)
  }
  const filter = (/** @type {MachineState | ''} */ next) => {
    setPage(0)
    setState(next)
  }
  return html`
    ${
      all.length > 3 &&
      html`<${Filters} rows=${all} text=${text} state=${state} onText=${search} onState=${filter} />
      <${Pager} found=${found.length} all=${all.length} page=${at} onPage=${setPage} />`
    }
    <div class="grid machines">
      ${own && wanted === '' && state === '' && at === 0 && card(own)}
      ${found.slice(at * PAGE, (at + 1) * PAGE).map(({ machine }) => card(machine))}
    </div>
    ${fleet.running && all.length === 0 && html`<p class="empty">${words.empty}</p>`}
    ${all.length > 0 && found.length === 0 && html`<p class="empty">${words.noneFound}</p>`}`
}
