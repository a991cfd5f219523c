// The table of `workers`. GET /workers/target and GET /workers are merged into one row for each machine.

import { z } from 'zod'
import { workersContracts } from '#control-plane/features/machines/workers/workers.contract.ts'
import { COMMAND, isNewer, isRelease, VERSION } from '#shared/protocol/version.ts'
import { lapsedText } from './pool/pool-lines.ts'
import { type Row, shortDuration, tableLines } from './table.ts'

// Only the fields that the commands show, so that a studio of another version can be listed, too.
const { target, targets, active } = workersContracts.readTarget.reply.shape
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
export const TargetAnswer = z.object({ target, active, targets: z.array(Target) })
const { workers } = workersContracts.list.reply.shape
const Breaker = workers.element.shape.breakers.element.pick({ model_key: true, summary: true })
const Machine = workers.element.pick({ id: true, name: true, priority: true, draining: true, last_seen_at: true }).extend({
  host: z.object({ worker_version: z.string().optional() }),
  // Older studios know no pools.
  pool: workers.element.shape.pool.default(null),
  lapsed: workers.element.shape.lapsed.default(null),
})
export const FleetAnswer = workersContracts.list.reply
  .pick({ running: true, startup_error: true, endpoint: true, queue_depth: true })
  .extend({ workers: z.array(Machine.extend({ breakers: z.array(Breaker) })) })
export type WorkerRow = z.output<typeof Target> & {
  /** One word, such as ready, busy, draining or offline. */
  readonly state: string
  readonly last_seen_at: number | null
  /** Version of the program on the machine; '' for one that has not connected yet. */
  readonly version: string
  readonly paused: readonly { readonly model_key: string; readonly summary: string }[]
} & Pick<z.output<typeof Machine>, 'pool' | 'lapsed'>

export function workerRows(targets: z.output<typeof TargetAnswer>, fleet: z.output<typeof FleetAnswer>): WorkerRow[] {
  const workers = new Map(fleet.workers.map((worker) => [worker.id, worker]))
  return targets.targets.map((target) => {
    const worker = workers.get(target.id)
    return {
      ...target,
      state: stateOf(target),
      last_seen_at: worker?.last_seen_at ?? null,
      version: worker?.host.worker_version ?? '',
      paused: worker?.breakers ?? [],
      pool: worker?.pool ?? null,
      lapsed: worker?.lapsed ?? null,
    }
  })
}

const SHORT_STATES: Readonly<Record<string, string>> = {
  'shutting down': 'ending',
  'not responding': 'silent',
  'not approved': 'unapproved',
  'paused after repeated failures': 'paused',
}
const stateOf = ({ available, status, detail, active_tasks }: z.output<typeof Target>): string =>
  available ? status : detail === 'drained' && active_tasks > 0 ? 'draining' : (SHORT_STATES[detail] ?? (detail || status))

type Shown = {
  /** Id of the chosen machine, marked with a star. */
  readonly target: string
  /** True if remote machines are on. */
  readonly isOn: boolean
  /** Epoch seconds. */
  readonly now: number
}
export function workerLines(rows: readonly WorkerRow[], { target, isOn, now }: Shown): string[] {
  // Ids are shown only if two machines have the same name.
  const labels = rows.map(({ label }) => label.toLowerCase())
  const hasUniqueNames = new Set(labels).size === labels.length
  const nameOf = (row: WorkerRow) => (hasUniqueNames || row.is_local ? row.label : `${row.label} ${row.id}`)
  return tableLines(
    ['', 'NAME', 'STATE', 'TASKS', 'LATENCY', 'VERSION', 'ENGINES'],
    rows.map((row) => ({
      cells: [
        row.id === target ? '*' : '',
        nameOf(row),
        row.state,
        row.connected ? `${row.active_tasks}/${row.max_tasks}` : '-',
        row.latency_ms > 0 ? `${row.latency_ms} ms` : '-',
        row.version || '-',
        enginesText(row.can),
      ],
      notes: isOn ? notesOf(row, hasUniqueNames && /^[\w.-]+$/.test(row.label) ? row.label : row.id, now) : [],
    })),
    [1, hasUniqueNames ? 24 : 33, 10, 7, 9, 9, 40],
  )
}

/** Groups entries such as `svc-engine tts` as `tts: svc-engine, tone; asr: …`. */
function enginesText(can: readonly string[]): string {
  const byOperation = new Map<string, string[]>()
  for (const [engine = '', operation = ''] of can.map((each) => each.split(' ')))
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), engine])
  return [...byOperation].map(([operation, engines]) => `${operation}: ${engines.join(', ')}`).join('; ') || '-'
}

/** Remedy of the user for a machine that gets no tasks; '' if only its owner has one. `name`: the argument for commands. */
export function remedyOf({ detail }: WorkerRow, name: string): string {
  const remedies: Readonly<Record<string, string>> = {
    'not approved': `To send it tasks, run ${COMMAND} workers approve ${name}.`,
    disabled: 'Turn it on on the Machines page.',
    drained: `To send it tasks again, run ${COMMAND} workers resume ${name}.`,
    'paused after repeated failures': `To try it now, run ${COMMAND} workers resume ${name}.`,
    offline: `If no agent runs on that machine, start it there with ${COMMAND} agent.`,
    'not responding': `See ${COMMAND} workers logs ${name}.`,
    'shutting down': 'Its owner is ending it.',
  }
  return remedies[detail] ?? ''
}

/** `name`: the argument for commands; the id if the name would need quotes. */
function notesOf(row: WorkerRow, name: string, nowSeconds: number): NonNullable<Row['notes']> {
  const lastSeen = row.last_seen_at === null ? 'Never connected.' : `Last connected ${shortDuration(nowSeconds - row.last_seen_at)} ago.`
  const remedy = remedyOf(row, name)
  return [
    ...(row.pool === null
      ? []
      : [
          `Pool of ${row.pool.machines === 1 ? '1 machine' : `${row.pool.machines} machines`}, run by ${row.pool.operator || 'an operator that it does not name'}.`,
        ]),
    ...(row.lapsed === null ? [] : [lapsedText(row)]),
    ...(row.connected || row.is_local ? [] : [lastSeen]),
    ...(row.detail === 'drained' && row.active_tasks > 0 ? ['It finishes its tasks and gets no new ones.'] : []),
    ...(remedy === '' ? [] : [remedy]),
    ...(isRelease(row.version) && isNewer(VERSION, row.version)
      ? [`It runs version ${row.version}, which is older than ${VERSION}. Update it on that machine.`]
      : []),
    ...row.paused.map(({ model_key, summary }) => `${model_key}: ${summary}. To try it now, run ${COMMAND} workers resume ${name}.`),
  ]
}
