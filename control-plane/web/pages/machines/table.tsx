// The table of machines: the rows near the view are drawn.

import type { MachineView } from '#control-plane/web/lib/api-types.ts'
import { Badge, Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, bytes, timeLeft } from '#control-plane/web/lib/format.ts'
import { useMemo } from '#control-plane/web/lib/html.ts'
import { useTick } from '#control-plane/web/lib/moments.tsx'
import { useIsPhone, useShownRows } from '#control-plane/web/look/windowed.ts'
import { list } from '#messages/language.ts'
import { strings } from '#messages/machines/machines.ts'
import type { Ask } from './actions.tsx'
import { NextAction } from './actions.tsx'
import type { MachineRow, Reason } from './state.ts'
import { kindOf, LOCAL, memoryUseOf, modelOf, reasonsOf, TONES } from './state.ts'
import { UsedForWork } from './use.tsx'

const words = strings.table
/** Pixels, as in the style sheet. */
const ROW = 60
const PHONE_ROW = 68
/** Models that are named. */
const MODELS = 2

function Moment({ since, until }: Reason) {
  useTick()
  const left = Math.ceil((until ?? 0) - Date.now() / 1000)
  return (
    <>
      {since !== undefined && ` ${strings.reasons.lastConnected(ago(since))}`}
      {until != null && ` ${left > 0 ? strings.reasons.nextTry(timeLeft(left)) : strings.reasons.nextTrySoon}`}
    </>
  )
}
/** When it began and when the next attempt is. */
export const Moments = ({ reason }: { reason: Reason }) => (reason.since ?? reason.until) !== undefined && <Moment {...reason} />

function Memory({ machine }: { machine: MachineView }) {
  const { used, all } = memoryUseOf(machine.host)
  if (all === 0) return machine.host?.cpu_count ? words.noGpu : words.none
  const text = words.memoryUse(bytes(used), bytes(all))
  return (
    <>
      <Progress value={used / all} label={words.memoryOf(text)} />
      <small>{text}</small>
    </>
  )
}

const loadedText = (models: readonly string[]) =>
  models.length === 0 ? words.none : words.loaded(list(models.slice(0, MODELS).map(modelOf)), models.length - MODELS)

/** `working`: its tasks; a text or a number, so that a row is drawn again only when something in it has changed. */
function Row({
  row: { machine, name, state },
  index,
  isOpen,
  working,
  dialError,
  query,
  onAsk,
}: {
  row: MachineRow
  index: number
  isOpen: boolean
  working: number
  dialError: string | null
  query: string
  onAsk: Ask
}) {
  return useMemo(() => {
    const reason = reasonsOf(machine, [], dialError).find(({ mild }) => !mild)
    return (
      <tr data-machine={machine.id} data-state={state} aria-rowindex={index + 2} aria-current={isOpen ? 'true' : undefined}>
        <th scope="row">
          <a class="text one-line" dir="auto" href={`#/machines/${encodeURIComponent(machine.id)}${query}`}>
            {name}
          </a>
          <small class="text one-line">{kindOf(machine)}</small>
        </th>
        <td class="of-state">
          <Badge tone={TONES[state]}>{strings.card.states[state]}</Badge>
          {reason ? (
            <small class="text one-line" title={reason.text}>
              {reason.since === undefined && reason.text}
              <Moments reason={reason} />
            </small>
          ) : (
            working > 0 && <small>{words.working(working)}</small>
          )}
        </td>
        <td class="of-use">
          <UsedForWork machine={machine} />
        </td>
        <td class="of-memory">
          <Memory machine={machine} />
        </td>
        <td class="of-loaded">
          <span class="text one-line">{loadedText(machine.resident_models ?? [])}</span>
        </td>
        <td class="of-latency">
          {machine.id === LOCAL || machine.latency_ms === undefined ? words.none : strings.card.ms(Math.round(machine.latency_ms))}
        </td>
        <td class="acts">
          <NextAction machine={machine} onAsk={onAsk} />
        </td>
      </tr>
    )
  }, [machine, name, state, index, isOpen, working, dialError, query, onAsk])
}

export function MachineTable({
  rows,
  openId,
  jobs,
  dialErrors,
  query,
  onAsk,
}: {
  rows: readonly MachineRow[]
  openId: string
  jobs: ReadonlyMap<string, readonly string[]>
  dialErrors: ReadonlyMap<string, string>
  /** query of the address, with its question mark */
  query: string
  onAsk: Ask
}) {
  const height = useIsPhone() ? PHONE_ROW : ROW
  const { place, first, last } = useShownRows<HTMLTableSectionElement>({ count: rows.length, row: height })
  const space = (count: number) => count > 0 && <tr role="presentation" class="space" style={{ height: `${count * height}px` }}></tr>
  const row = (one: MachineRow, at: number) => {
    const { id } = one.machine
    return (
      <Row
        key={id}
        row={one}
        index={first + at}
        isOpen={id === openId}
        working={jobs.get(id)?.length ?? 0}
        dialError={dialErrors.get(id) ?? null}
        query={query}
        onAsk={onAsk}
      />
    )
  }
  return (
    <table class="list-table machines" aria-rowcount={rows.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          {Object.entries(words.columns).map(([id, name]) => (
            <th key={id} scope="col" class={`col-${id}`}>
              {id === 'actions' ? <span class="hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={place}>
        {space(first)}
        {rows.slice(first, last).map(row)}
        {space(rows.length - last)}
      </tbody>
    </table>
  )
}
