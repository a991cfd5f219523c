// The machines that this studio may use: searched, filtered by state, in a table, with one of them beside it.

import type { ComponentChildren } from 'preact'
import { queryOf, useChoices } from '#control-plane/web/frame/address.ts'
import type { MachineFleet, MachineView, SharingState, TaskView } from '#control-plane/web/lib/api-types.ts'
import { Field, FindField, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useMemo } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { strings } from '#messages/machines/machines.ts'
import type { Ask } from './actions.tsx'
import type { MachineRow } from './state.ts'
import { inOrder, LOCAL, nameOf, STATES, searchTextOf, stateOf, workOf } from './state.ts'
import { MachineTable } from './table.tsx'

const Details = whenOpened(() => import('./details.tsx').then(({ MachineDetails }) => MachineDetails), { isQuiet: true, isSoon: true })
const words = strings.list

/** Computed once per record: an event replaces the record of one machine. */
const rows: WeakMap<MachineView, MachineRow> = new WeakMap()
function rowOf(machine: MachineView) {
  const row = rows.get(machine) ?? { machine, name: nameOf(machine), state: stateOf(machine) }
  rows.set(machine, row)
  return row
}

function StateFilter({ rows, state, onState }: { rows: readonly MachineRow[]; state: string; onState: (state: string) => void }) {
  const counts = useMemo(() => Map.groupBy(rows, (row) => row.state), [rows])
  return (
    <Field label={words.state} look="chip">
      <select value={state} onChange={(event: Event) => onState(fieldValue(event))}>
        <option value="">{words.all(rows.length)}</option>
        {STATES.filter((one) => counts.has(one) || one === state).map((one) => (
          <option key={one} value={one}>
            {words.stateCount(strings.card.states[one], counts.get(one)?.length ?? 0)}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function Fleet({
  own,
  fleet,
  tasks,
  version,
  connections,
  openId,
  query,
  note,
  onAsk,
  children,
}: {
  /** this machine */
  own: MachineView | null
  fleet: MachineFleet
  tasks: Map<string, TaskView>
  /** changes with `tasks` */
  version: number
  connections: SharingState['connections']
  /** id of the machine beside the table, or '' */
  openId: string
  /** query of the address */
  query: URLSearchParams
  onAsk: Ask
  /** below the table */
  note: ComponentChildren
  /** above the table */
  children: ComponentChildren
}) {
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
  return (
    <div class={openId ? 'beside with-details' : 'beside'}>
      <div class="listed">
        {children}
        {all.length > 0 && (
          <div class="row voice-filters" role="search" aria-label={strings.page.machines}>
            <StateFilter rows={all} state={filter.state} onState={(state: string) => change({ state })} />
            <span class={isFiltered ? 'soft' : 'hidden'} role="status">
              {words.shown(found.length, all.length)}
            </span>
            <span class="spread"></span>
            <FindField maxLength={200} value={filter.q} label={words.find} title={words.findExample} onFind={(q) => change({ q })} />
          </div>
        )}
        {shown.length > 0 && (
          <MachineTable rows={shown} openId={openId} jobs={work.jobs} dialErrors={dialErrors} query={search} onAsk={onAsk} />
        )}
        {fleet.running && all.length === 0 && <p class="empty">{words.empty}</p>}
        {all.length > 0 && found.length === 0 && (
          <p class="empty">
            {words.noneFound}{' '}
            <button type="button" class="quiet" onClick={() => change({ state: '', q: '' })}>
              {words.showAll}
            </button>
          </p>
        )}
        {note}
      </div>
      {openId && (
        <Details.View
          key={openId}
          machine={opened}
          jobs={work.jobs.get(openId) ?? []}
          waits={work.waits.get(openId) ?? []}
          dialError={dialErrors.get(openId) ?? null}
          back={`#/machines${search}`}
          onAsk={onAsk}
        />
      )}
    </div>
  )
}
