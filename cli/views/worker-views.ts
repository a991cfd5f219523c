// What `workers` shows, made from what the studio says: two answers become one row for each machine.
import { z } from 'zod'
import { ago, type Row, tableLines } from './table.ts'

const Target = z.object({
  id: z.string(),
  label: z.string(),
  connected: z.boolean(),
  available: z.boolean(),
  detail: z.string(),
  is_local: z.boolean(),
  status: z.string(),
  latency_ms: z.number(),
  active_tasks: z.number(),
  max_tasks: z.number(),
  can: z.array(z.string()),
})
export const Targets = z.object({ target: z.string(), targets: z.array(Target) })
export const FleetAnswer = z.object({
  running: z.boolean(),
  startup_error: z.string().nullish(),
  endpoint: z.string().optional(),
  queue_depth: z.number(),
  workers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      priority: z.number(),
      draining: z.boolean().optional(),
      last_seen_at: z.number().nullable(),
      breakers: z.array(z.object({ model_key: z.string(), summary: z.string() })),
    }),
  ),
})
export type WorkerRow = z.output<typeof Target> & {
  /** In one word: ready, busy, draining, offline and the like. */
  readonly state: string
  readonly last_seen_at: number | null
  readonly paused: readonly { readonly model_key: string; readonly summary: string }[]
}

export function workerRows(targets: z.output<typeof Targets>, fleet: z.output<typeof FleetAnswer>): WorkerRow[] {
  const known = new Map(fleet.workers.map((worker) => [worker.id, worker]))
  return targets.targets.map((target) => {
    const worker = known.get(target.id)
    return { ...target, state: stateOf(target), last_seen_at: worker?.last_seen_at ?? null, paused: worker?.breakers ?? [] }
  })
}

const SHORT: Readonly<Record<string, string>> = {
  'shutting down': 'draining',
  'not responding': 'silent',
  'not approved': 'unapproved',
  'paused after repeated failures': 'paused',
}
const stateOf = ({ available, status, detail }: z.output<typeof Target>): string =>
  available ? status : (SHORT[detail] ?? (detail || status))

export function workerLines(rows: readonly WorkerRow[], chosen: string, nowSeconds: number): string[] {
  // Names are what people type; ids only where a name would not do.
  const labels = rows.map(({ label }) => label.toLowerCase())
  const areNamed = new Set(labels).size === labels.length
  const nameOf = (row: WorkerRow) => (areNamed || row.is_local ? row.label : `${row.label} ${row.id}`)
  return tableLines(
    ['', 'NAME', 'STATE', 'TASKS', 'LATENCY', 'CAN DO'],
    rows.map((row) => ({
      cells: [
        row.id === chosen ? '*' : '',
        nameOf(row),
        row.state,
        row.connected ? `${row.active_tasks}/${row.max_tasks}` : '-',
        row.latency_ms > 0 ? `${row.latency_ms} ms` : '-',
        abilities(row.can),
      ],
      notes: notesOf(row, areNamed && /^[\w.-]+$/.test(row.label) ? row.label : row.id, nowSeconds),
    })),
    [1, areNamed ? 24 : 33, 10, 7, 9, 40],
  )
}

/** `engine operation` each, as `operation: engine, engine`. */
function abilities(can: readonly string[]): string {
  const byOperation = new Map<string, string[]>()
  for (const [engine = '', operation = ''] of can.map((each) => each.split(' ')))
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), engine])
  return [...byOperation].map(([operation, engines]) => `${operation}: ${engines.join(', ')}`).join('; ') || '-'
}

/** `name`: what the owner types; an id where a name would have to be quoted. */
function notesOf(row: WorkerRow, name: string, nowSeconds: number): NonNullable<Row['notes']> {
  const paused = row.paused.map(({ model_key, summary }) => `${model_key}: ${summary}; sooner with ./studio workers resume ${name}`)
  const seen = row.last_seen_at === null ? 'never seen yet' : `last seen ${ago(nowSeconds - row.last_seen_at)} ago`
  const away = row.connected ? [] : [`${seen}; its owner starts it with ./studio agent`]
  if (row.detail === 'not approved') return [`nothing is sent there until you say: ./studio workers approve ${name}`, ...away, ...paused]
  if (row.detail === 'offline') return [...away, ...paused]
  if (row.detail === 'not responding') return [`it is connected but says nothing; ./studio workers logs ${name} may tell why`, ...paused]
  if (row.detail === 'shutting down') return ['takes nothing new, finishes what it holds', ...paused]
  return paused
}
