// The table of `workers`. GET /workers/target and GET /workers are merged into one row for each machine.
import { z } from 'zod'
import { workersContracts } from '#control-plane/areas/workers/workers.contract.ts'
import { type Row, shortDuration, tableLines } from './table.ts'

// Only the fields that the commands show, so that a studio of another version can be listed, too.
const { target, targets } = workersContracts.readTarget.reply.shape
const Target = targets.element.pick({
  id: true,
  label: true,
  connected: true,
  available: true,
  detail: true,
  is_local: true,
  status: true,
  latency_ms: true,
  active_tasks: true,
  max_tasks: true,
  can: true,
})
export const TargetAnswer = z.object({ target, targets: z.array(Target) })
const { workers } = workersContracts.list.reply.shape
const Breaker = workers.element.shape.breakers.element.pick({ model_key: true, summary: true })
const Machine = workers.element.pick({ id: true, name: true, priority: true, draining: true, last_seen_at: true })
export const FleetAnswer = workersContracts.list.reply
  .pick({ running: true, startup_error: true, endpoint: true, queue_depth: true })
  .extend({ workers: z.array(Machine.extend({ breakers: z.array(Breaker) })) })
export type WorkerRow = z.output<typeof Target> & {
  /** One word, such as ready, busy, draining or offline. */
  readonly state: string
  readonly last_seen_at: number | null
  readonly paused: readonly { readonly model_key: string; readonly summary: string }[]
}

export function workerRows(targets: z.output<typeof TargetAnswer>, fleet: z.output<typeof FleetAnswer>): WorkerRow[] {
  const workers = new Map(fleet.workers.map((worker) => [worker.id, worker]))
  return targets.targets.map((target) => {
    const worker = workers.get(target.id)
    return { ...target, state: stateOf(target), last_seen_at: worker?.last_seen_at ?? null, paused: worker?.breakers ?? [] }
  })
}

const SHORT_STATES: Readonly<Record<string, string>> = {
  'shutting down': 'draining',
  'not responding': 'silent',
  'not approved': 'unapproved',
  'paused after repeated failures': 'paused',
}
const stateOf = ({ available, status, detail }: z.output<typeof Target>): string =>
  available ? status : (SHORT_STATES[detail] ?? (detail || status))

/** `target`: id of the chosen machine, marked with a star. */
export function workerLines(rows: readonly WorkerRow[], target: string, nowSeconds: number): string[] {
  // Ids are shown only if two machines have the same name.
  const labels = rows.map(({ label }) => label.toLowerCase())
  const hasUniqueNames = new Set(labels).size === labels.length
  const nameOf = (row: WorkerRow) => (hasUniqueNames || row.is_local ? row.label : `${row.label} ${row.id}`)
  return tableLines(
    ['', 'NAME', 'STATE', 'TASKS', 'LATENCY', 'ENGINES'],
    rows.map((row) => ({
      cells: [
        row.id === target ? '*' : '',
        nameOf(row),
        row.state,
        row.connected ? `${row.active_tasks}/${row.max_tasks}` : '-',
        row.latency_ms > 0 ? `${row.latency_ms} ms` : '-',
        enginesText(row.can),
      ],
      notes: notesOf(row, hasUniqueNames && /^[\w.-]+$/.test(row.label) ? row.label : row.id, nowSeconds),
    })),
    [1, hasUniqueNames ? 24 : 33, 10, 7, 9, 40],
  )
}

/** From entries such as `svc-engine tts` to `tts: svc-engine, tone; asr: …`. */
function enginesText(can: readonly string[]): string {
  const byOperation = new Map<string, string[]>()
  for (const [engine = '', operation = ''] of can.map((each) => each.split(' ')))
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), engine])
  return [...byOperation].map(([operation, engines]) => `${operation}: ${engines.join(', ')}`).join('; ') || '-'
}

/** `name`: the argument for commands; the id if the name would need quotes. */
function notesOf(row: WorkerRow, name: string, nowSeconds: number): NonNullable<Row['notes']> {
  const paused = row.paused.map(({ model_key, summary }) => `${model_key}: ${summary}. Resume now: ./studio workers resume ${name}`)
  const lastSeen = row.last_seen_at === null ? 'Never connected.' : `Last connected ${shortDuration(nowSeconds - row.last_seen_at)} ago.`
  const offline = row.connected ? [] : [`${lastSeen} On that machine, run ./studio agent.`]
  if (row.detail === 'not approved') return [`To send it tasks, run ./studio workers approve ${name}.`, ...offline, ...paused]
  if (row.detail === 'offline') return [...offline, ...paused]
  if (row.detail === 'not responding') return [`Connected but not responding. See ./studio workers logs ${name}.`, ...paused]
  if (row.detail === 'shutting down') return ['Finishing its tasks; it gets no new ones.', ...paused]
  return paused
}
