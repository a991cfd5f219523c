// The state of a machine and why it gets no work. Pure: records in, text out.

import type { MachineView, TaskView } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { bytes, isolated, percent, short } from '#control-plane/web/lib/format.ts'
import { engineName } from '#control-plane/web/lib/names.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { list } from '#messages/language.ts'
import { strings } from '#messages/machines/machines.ts'
import { strings as shared } from '#messages/shared.ts'

export type MachineState = keyof typeof strings.card.states
export type MachineRow = { machine: MachineView; name: string; state: MachineState }
/** a machine that never connected has no fields */
export type Host = Partial<Extract<MachineView['host'], { hostname: string }>>
export type Wait = { reason: string; count: number }
export type Reason = {
  text: string
  /** epoch seconds, shown after the text */
  since?: number | null
  /** epoch seconds of the next attempt */
  until?: number | null
  /** no problem, only an explanation */
  mild?: boolean
}

export const LOCAL = 'local'
const HELD = new Set(['assigned', 'accepted', 'model_loading', 'running', 'result_uploading'])
export const TONES: Readonly<Record<MachineState, Tone>> = {
  ready: 'good',
  busy: 'busy',
  draining: 'warn',
  paused: 'bad',
  unapproved: 'warn',
  off: 'quiet',
  offline: 'quiet',
  unresponsive: 'bad',
  quarantined: 'bad',
}

const isState = (name: string): name is MachineState => Object.hasOwn(TONES, name)
export const STATES = Object.keys(TONES).filter(isState)

export const nameOf = ({ id, name, key_id }: MachineView) => (id === LOCAL ? shared.thisMachine : short(name || key_id, 120))

/** The state that a person must act on, if several apply. */
export function stateOf(machine: MachineView): MachineState {
  if (machine.quarantine !== null) return 'quarantined'
  if (machine.id !== LOCAL && !machine.consent_granted) return 'unapproved'
  if (!machine.enabled) return 'off'
  if (!machine.connected) return 'offline'
  if (machine.stale) return 'unresponsive'
  if (machine.draining) return 'draining'
  if (machine.breakers.some(({ state }) => state === 'open')) return 'paused'
  return machine.status ?? 'offline'
}

/** `key`: key of a model; a wildcard ends with a colon */
export function modelOf(key: string) {
  const [engine = '', model = ''] = key.split(/:(.*)/s)
  return [engineName(engine), model].filter(Boolean).join(' ')
}

function absence(machine: MachineView, dialError: string | null): Reason {
  const { last_seen_at: at } = machine
  const name = isolated(nameOf(machine))
  if (dialError !== null) return { text: strings.reasons.notReached(dialError) }
  return at === null ? { text: strings.reasons.neverConnected(name) } : { text: strings.reasons.offline(name), since: at }
}

function breakerReason({ model_key, state, summary, retry_at }: MachineView['breakers'][number]): Reason[] {
  if (state === 'closed') return []
  const text = strings.reasons.breaker(modelOf(model_key), summary.replace(/, retrying in \d+ s$/, ''))
  return [state === 'open' ? { text, until: retry_at } : { text: strings.reasons.breaker(modelOf(model_key), summary) }]
}

/** Whole sentences: the differences from what was approved, if another declaration has ended an approval. */
function unapproved({ pool, lapsed }: MachineView) {
  if (lapsed === null) return strings.reasons.unapproved
  const words = strings.reasons.lapsed
  const sentences = {
    kind: pool ? words.pool : words.machine,
    operator: words.operator(isolated(short(pool?.operator ?? ''))),
    places: words.places(isolated(short(list(pool?.places ?? []), 120))),
    reads_inputs: pool?.reads_inputs ? words.reads : words.readsNot,
  }
  return [...lapsed.changed.map((change) => sentences[change]), strings.reasons.unapproved].join(' ')
}

/**
 * Every reason why it gets no work, the most important one first. `waits`: why waiting tasks do not go there. `dialError`: the last
 * error of connecting to a machine that listens; null for one that connects to this studio
 */
export function reasonsOf(machine: MachineView, waits: readonly Wait[] = [], dialError: string | null = null): Reason[] {
  const why = [] as Reason[]
  if (machine.quarantine !== null) why.push({ text: strings.reasons.quarantined(machine.quarantine) })
  if (machine.id !== LOCAL && !machine.consent_granted) why.push({ text: unapproved(machine) })
  if (!machine.enabled) why.push({ text: strings.reasons.off })
  if (!machine.connected) why.push(absence(machine, dialError))
  if (machine.stale) why.push({ text: strings.reasons.unresponsive })
  const held = machine.active_tasks ?? 0
  if (machine.draining) why.push({ text: machine.drained ? strings.reasons.drained(held) : strings.reasons.ending(held) })
  why.push(...machine.breakers.flatMap(breakerReason))
  if (why.length === 0 && machine.connected && machine.status === 'busy' && machine.available_slots === 0)
    why.push({ text: strings.reasons.allSlots, mild: true })
  for (const { reason, count } of waits) why.push({ text: strings.reasons.waits(count, serverSentence(reason)), mild: true })
  return why
}

const STAGES: Readonly<Partial<Record<TaskView['state'], string>>> = strings.card.stages
const stageOf = (state: TaskView['state'], progress: string) => STAGES[state] ?? progress

/** Machine id -> a line for each task that it runs; machine id -> why waiting tasks do not go there. */
export function workOf(
  tasks: Iterable<
    Pick<TaskView, 'state' | 'engine' | 'operation' | 'waiting_for'> & {
      attempts: Pick<TaskView['attempts'][number], 'worker_id' | 'progress'>[]
    }
  >,
) {
  const jobs: Map<string, string[]> = new Map()
  const counts: Map<string, Map<string, number>> = new Map()
  for (const task of tasks) {
    const attempt = task.attempts.at(-1)
    if (HELD.has(task.state) && attempt) {
      const line = strings.card.work(engineName(task.engine), task.operation, stageOf(task.state, percent(attempt.progress)))
      jobs.set(attempt.worker_id, [...(jobs.get(attempt.worker_id) ?? []), line])
    }
    if (task.state !== 'queued') continue
    for (const { worker_id, reason } of task.waiting_for) {
      const reasons = counts.get(worker_id) ?? new Map()
      counts.set(worker_id, reasons.set(reason, (reasons.get(reason) ?? 0) + 1))
    }
  }
  const waits: Map<string, Wait[]> = new Map(
    [...counts].map(([id, reasons]) => [id, [...reasons].map(([reason, count]) => ({ reason, count }))]),
  )
  return { jobs, waits }
}

export function deviceOf({ gpus = [], unusable_gpus = [], cpu_count = 0 }: Host) {
  const unusable = unusable_gpus.map(({ model, reason }) => strings.card.unusableGpu(model, reason))
  const usable = gpus.map(({ model, backend }) => strings.card.gpu(model, backend))
  if (usable.length + unusable.length > 0) return list([...usable, ...unusable])
  return cpu_count > 0 ? strings.card.cpuOnly(cpu_count) : strings.card.unknown
}

/** Kind of machine in a line: its devices, or a pool with the versions of its machines. */
export function kindOf({ pool, host }: MachineView) {
  if (!pool) return deviceOf(host)
  const versions = [...new Set([pool.oldest_version, pool.newest_version])].filter(Boolean).join('–')
  return [strings.table.pool(pool.machines), versions].filter(Boolean).join(' · ')
}

export function memoryOf({ gpus = [], system_memory_bytes = 0 }: Host) {
  const parts = gpus.map(({ memory_bytes, free_memory_bytes }) => strings.card.gpuMemory(bytes(free_memory_bytes), bytes(memory_bytes)))
  if (system_memory_bytes > 0) parts.push(strings.card.systemMemory(bytes(system_memory_bytes)))
  return list(parts) || strings.card.unknown
}

/** Bytes of all GPUs together; 0 without a GPU. */
export function memoryUseOf({ gpus = [] }: Host) {
  const sum = (of: (gpu: (typeof gpus)[number]) => number) => gpus.reduce((all, gpu) => all + of(gpu), 0)
  return { used: sum((gpu) => gpu.memory_bytes - gpu.free_memory_bytes), all: sum((gpu) => gpu.memory_bytes) }
}

export const hostOf = ({ host }: MachineView): Host => host

/** The text of a record that the search looks at. An event replaces the record of a machine. */
const searchTexts: WeakMap<MachineView, string> = new WeakMap()
/** In lower case. */
export function searchTextOf(machine: MachineView) {
  const { name, id, key_id, address, endpoint, pool } = machine
  const parts = [name, id, key_id, address, endpoint, hostOf(machine).hostname, kindOf(machine), pool?.operator]
  const text =
    searchTexts.get(machine) ??
    parts
      .filter((part) => part !== undefined)
      .join('\n')
      .toLowerCase()
  searchTexts.set(machine, text)
  return text
}

/** "gpu 2" is before "gpu 10". */
const numbered = (text: string) => text.toLowerCase().replaceAll(/\d{1,15}/g, (digits) => digits.padStart(15, '0'))

/** By name, then by id. A thousand names take 30 ms with a Collator, so only names with other letters than English ones do. */
export function inOrder<T extends { readonly name: string; readonly machine: { readonly id: string } }>(rows: readonly T[]): T[] {
  if (rows.some(({ name }) => /[^\x20-\x7e]/.test(name))) {
    const order = new Intl.Collator(undefined, { numeric: true })
    return [...rows].sort((one, other) => order.compare(one.name, other.name) || order.compare(one.machine.id, other.machine.id))
  }
  return rows
    .map((row) => ({ row, key: `${numbered(row.name)}\n${row.machine.id}` }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row)
}

const PRIORITIES = { preferred: 80, automatic: 50, low: 20 }

const NEVER = 'never'

const isPriority = (name: string): name is keyof typeof PRIORITIES => Object.hasOwn(PRIORITIES, name)

/** The choice, or a priority that is none of them as a number. Pure. */
export function useOf({ enabled, priority }: Pick<MachineView, 'enabled' | 'priority'>) {
  if (!enabled) return NEVER
  return Object.keys(PRIORITIES).find((name) => isPriority(name) && PRIORITIES[name] === priority) ?? String(priority)
}

/** Body of PATCH /workers/{worker_id} for a choice. Pure. `use`: as of useOf */
export function changeFor(use: string) {
  if (use === NEVER) return { enabled: false }
  return { enabled: true, priority: isPriority(use) ? PRIORITIES[use] : Number(use) }
}
