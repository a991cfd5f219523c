// A pool beside the table: what it declares, the share of this studio in it, and the machines behind it. What it does not say is not known.
import type { Gets, MachineView } from '#control-plane/web/lib/api-types.ts'
import { Progress } from '#control-plane/web/lib/controls.tsx'
import { duration, short } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { usePolled, useRead } from '#control-plane/web/lib/read.ts'
import { grouped, list } from '#messages/language.ts'
import { strings as views } from '#messages/machines/machine-views.ts'
import { strings as machineWords } from '#messages/machines/machines.ts'
import { type Pool, PoolFact, PoolTerms } from './terms.tsx'

const { card } = machineWords
const strings = views.pool
const of = (used: number, all: number) => machineWords.table.memoryUse(grouped(used), grouped(all))

type View = Gets[`/workers/${string}/pool`]
type Use = NonNullable<View['use']>
type Inside = View['machines'][number]

const EVERY_MS = 4000
const FIRST = 6
/** Machines that are drawn at most, and places that are drawn one by one. */
const MOST = 200
const DOTS = 60

/** Names of the work it can do, by the operations that its engines have. */
function CanDo({ id }: { id: string }) {
  const can = useRead('/workers/target').value?.targets.find((target) => target.id === id)?.can ?? []
  const operations = new Set(can.map((each) => each.split(' ')[1]))
  const names = views.routing.operations.filter(([operation]) => operations.has(operation)).map(([, name]) => name)
  return <PoolFact name={strings.canDo}>{list(names) || strings.notKnown}</PoolFact>
}

const versionsOf = ({ newest_version: newest, oldest_version: oldest }: Pool) =>
  newest === '' ? strings.notKnown : newest === oldest ? newest : `${oldest}–${newest}`

const Share = ({ use }: { use: Use | null }) => {
  const all = use ? use.own + use.others + use.free : 0
  return (
    <section>
      <h3>{strings.share}</h3>
      <dl class="facts pool-share">
        <PoolFact name={strings.atOnce}>
          {use ? (
            <>
              <Progress value={all === 0 ? 0 : use.own / all} label={strings.atOnce} />
              <span class="number">{of(use.own, all)}</span>
            </>
          ) : (
            strings.notKnown
          )}
        </PoolFact>
        <PoolFact name={strings.wait}>{use ? duration(use.wait_ms / 1000) : strings.notKnown}</PoolFact>
      </dl>
    </section>
  )
}

function Slots({ use: { own, others, free, studios } }: { use: Use }) {
  const all = own + others + free
  // Each dot stands for the same number of places; a few that are used are never none.
  const dots = (count: number) => (all <= DOTS ? count : count === 0 ? 0 : Math.max(1, Math.round((count * DOTS) / all)))
  const legend = [
    ['own', own, strings.you(own)],
    ['others', others, strings.others(others)],
    ['free', free, strings.free(free)],
  ] as const
  return (
    <section>
      <h3>
        {strings.slots} <small class="number">{grouped(all)}</small>
        <small class="spread-end">{strings.studios(studios)}</small>
      </h3>
      <div class="slots" aria-hidden="true">
        {legend.flatMap(([kind, count]) => Array.from({ length: dots(count) }, (_, at) => <i key={`${kind}${at}`} class={kind}></i>))}
      </div>
      <ul class="slots-legend soft">
        {legend.map(([kind, , text]) => (
          <li key={kind}>
            <i class={kind} aria-hidden="true"></i>
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}

const stateText = ({ state, permits, busy }: Inside) => {
  if (state === 'offline') return card.states.offline
  if (state === 'draining') return card.states.draining
  return busy > 0 ? of(busy, permits) : strings.free(permits)
}
const TONES: Readonly<Record<Inside['state'], string>> = { ready: 'good', busy: 'busy', draining: 'warn', offline: 'quiet' }

function Machines({ machines, pool }: { machines: readonly Inside[]; pool: Pool }) {
  const [isWhole, setWhole] = useState(false)
  const shown = machines.slice(0, isWhole ? MOST : FIRST)
  const showAll = ({ currentTarget }: Event) => {
    // The button goes, so the focus moves to the heading of the list.
    if (currentTarget instanceof HTMLElement) currentTarget.closest('section')?.querySelector('h3')?.focus()
    setWhole(true)
  }
  return (
    <section>
      <h3 tabindex={-1}>
        {machineWords.page.machines} <small class="number">{grouped(pool.machines)}</small>
        {!isWhole && machines.length > FIRST && (
          <button type="button" class="quiet spread-end" onClick={showAll}>
            {machineWords.list.showAll}
          </button>
        )}
      </h3>
      <ul class="inside">
        {shown.map((machine, at) => (
          <li key={at}>
            <span class={`badge ${TONES[machine.state]}`}></span>
            <span class="text one-line" dir="auto">
              <b>{short(machine.name)}</b> <small>{short(machine.gpu)}</small>
            </span>
            <small>{stateText(machine)}</small>
            <small class={machine.version === pool.newest_version ? 'number' : 'number older'}>{machine.version}</small>
          </li>
        ))}
      </ul>
      {isWhole && machines.length > MOST && <p class="soft">{`+${grouped(machines.length - MOST)}`}</p>}
      {pool.older > 0 && <p class="soft">{strings.older(pool.older)}</p>}
    </section>
  )
}

export function PoolPanel({ machine, pool }: { machine: MachineView; pool: Pool }) {
  const view = usePolled(`/workers/${encodeURIComponent(machine.id)}/pool`, EVERY_MS, machine.connected)
  const use = view.error === '' ? (view.value?.use ?? null) : null
  return (
    <>
      <section>
        <dl class="facts">
          <PoolTerms pool={pool} />
          <CanDo id={machine.id} />
          <PoolFact name={card.version}>{versionsOf(pool)}</PoolFact>
        </dl>
        <p class="soft">{strings.declared}</p>
      </section>
      <Share use={use} />
      {use && <Slots use={use} />}
      <Machines machines={view.value?.machines ?? []} pool={pool} />
    </>
  )
}
