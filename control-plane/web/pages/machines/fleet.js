// @ts-check
// The machines that this studio may use: searched, filtered by state, in a table, with one of them beside it.
import { queryOf, useChoices } from '../../frame/address.js'
import { Field, fieldValue } from '../../lib/controls.js'
import { html, useMemo } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'
import { inOrder, LOCAL, nameOf, STATES, searchTextOf, stateOf, workOf } from './state.js'
import { strings } from './strings.js'
import { MachineTable } from './table.js'

/** @import { MachineFleet, SharingState, MachineView, TaskView } from '../../lib/api-types.ts' */
/** @import { ComponentChildren } from 'preact' */
/** @import { Ask } from './actions.js' */
/** @import { MachineState } from './state.js' */
/** @typedef {{ machine: MachineView, name: string, state: MachineState }} MachineRow */

const Details = whenOpened(() => import('./details.js').then(({ MachineDetails }) => MachineDetails), { isQuiet: true, isSoon: true })
const words = strings.list

/** Computed once per record: an event replaces the record of one machine. @type {WeakMap<MachineView, MachineRow>} */
const rows = new WeakMap()
/** @param {MachineView} machine */
function rowOf(machine) {
  const row = rows.get(machine) ?? { machine, name: nameOf(machine), state: stateOf(machine) }
  rows.set(machine, row)
  return row
}

/** @param {{ rows: readonly MachineRow[], state: string, onState: (state: string) => void }} props */
function StateFilter({ rows, state, onState }) {
  const counts = useMemo(() => Map.groupBy(rows, (row) => row.state), [rows])
  return html`<${Field} label=${words.state} look="chip">
    <select value=${state} onChange=${(/** @type {Event} */ event) => onState(fieldValue(event))}>
      <option value="">${words.all(rows.length)}</option>
      ${STATES.filter((one) => counts.has(one) || one === state).map(
        (one) => html`<option key=${one} value=${one}>${words.stateCount(strings.card.states[one], counts.get(one)?.length ?? 0)}</option>`,
      )}
    </select>
  <//>`
}

/**
 * @param {object} props
 * @param {MachineView | null} props.own this machine
 * @param {MachineFleet} props.fleet
 * @param {Map<string, TaskView>} props.tasks
 * @param {number} props.version changes with `tasks`
 * @param {SharingState['connections']} props.connections
 * @param {string} props.openId of the machine beside the table, or ''
 * @param {URLSearchParams} props.query of the address
 * @param {Ask} props.onAsk
 * @param {ComponentChildren} props.note below the table
 * @param {ComponentChildren} props.children above the table
 */
export function Fleet({ own, fleet, tasks, version, connections, openId, query, note, onAsk, children }) {
  const [filter, change] = useChoices(query, ['state', 'q'])
  const all = useMemo(() => inOrder(fleet.workers.map(rowOf)), [fleet.workers])
  const wanted = filter.q.trim().toLowerCase()
  const isFiltered = wanted !== '' || filter.state !== ''
  const found = useMemo(
    () =>
      all.filter(
        ({ machine, state }) =>
          (filter.state === '' || state === filter.state) && (wanted === '' || searchTextOf(machine).includes(wanted)),
      ),
    [all, filter.state, wanted],
  )
  const shown = useMemo(() => (own && !isFiltered ? [rowOf(own), ...found] : found), [own, isFiltered, found])
  const work = useMemo(() => workOf(tasks.values()), [version])
  const dialErrors = useMemo(() => new Map(connections.map(({ worker_id, last_error }) => [worker_id, last_error])), [connections])
  const search = queryOf(filter)
  const opened = openId === LOCAL ? own : fleet.workers.find(({ id }) => id === openId)
  return html`<div class=${openId ? 'beside with-details' : 'beside'}>
    <div class="listed">
      ${children}
      ${
        all.length > 0 &&
        html`<div class="row voice-filters" role="search" aria-label=${strings.page.machines}>
        <${StateFilter} rows=${all} state=${filter.state} onState=${(/** @type {string} */ state) => change({ state })} />
        <span class=${isFiltered ? 'soft' : 'hidden'} role="status">${words.shown(found.length, all.length)}</span>
        <span class="spread"></span>
        <input type="search" class="find" maxlength="200" value=${filter.q} placeholder=${words.find} aria-label=${words.find} title=${words.findExample} onInput=${(/** @type {Event} */ event) => change({ q: fieldValue(event) })} />
      </div>`
      }
      ${shown.length > 0 && html`<${MachineTable} rows=${shown} openId=${openId} jobs=${work.jobs} dialErrors=${dialErrors} query=${search} onAsk=${onAsk} />`}
      ${fleet.running && all.length === 0 && html`<p class="empty">${words.empty}</p>`}
      ${all.length > 0 && found.length === 0 && html`<p class="empty">${words.noneFound} <button type="button" class="quiet" onClick=${() => change({ state: '', q: '' })}>${words.showAll}</button></p>`}
      ${note}
    </div>
    ${
      openId &&
      html`<${Details.View} key=${openId} machine=${opened} jobs=${work.jobs.get(openId) ?? []} waits=${work.waits.get(openId) ?? []}
        dialError=${dialErrors.get(openId) ?? null} back=${`#/machines${search}`} onAsk=${onAsk} />`
    }
  </div>`
}
