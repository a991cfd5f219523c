// @ts-check
// The state of a machine and why it gets no work. Pure: records in, text out.

import { bytes, percent, short } from '../../lib/format.js'
import { engineName, strings as shared } from '../../lib/strings.js'
import { strings } from './strings.js'

/** @import { MachineView, TaskView } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */
/** @import { Reason as Placement } from '#control-plane/scheduler/objection.ts' */
/** @typedef {keyof typeof strings.card.states} MachineState */
/** @typedef {Partial<Extract<MachineView['host'], { hostname: string }>>} Host a machine that never connected has no fields */
/** @typedef {{ reason: string, count: number }} Wait */
/**
 * @typedef {object} Reason
 * @property {string} text
 * @property {number | null} [since] epoch seconds, shown after the text
 * @property {number | null} [until] epoch seconds of the next attempt
 * @property {boolean} [mild] no problem, only an explanation
 */

export const LOCAL = 'local'
const HELD = new Set(['assigned', 'accepted', 'model_loading', 'running', 'result_uploading'])
/** @type {Readonly<Record<MachineState, Tone>>} */
export const TONES = {
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

/** @param {string} name @returns {name is MachineState} */
const isState = (name) => Object.hasOwn(TONES, name)
export const STATES = Object.keys(TONES).filter(isState)

/** @param {MachineView} machine */
export const nameOf = ({ id, name, key_id }) => (id === LOCAL ? shared.thisMachine : short(name || key_id, 120))

/** The state that a person must act on, if several apply. @param {MachineView} machine @returns {MachineState} */
export function stateOf(machine) {
  if (machine.quarantine !== null) return 'quarantined'
  if (machine.id !== LOCAL && !machine.consent_granted) return 'unapproved'
  if (!machine.enabled) return 'off'
  if (!machine.connected) return 'offline'
  if (machine.stale) return 'unresponsive'
  if (machine.draining) return 'draining'
  if (machine.breakers.some(({ state }) => state === 'open')) return 'paused'
  return machine.status ?? 'offline'
}

/** @param {string} key key of a model; a wildcard ends with a colon */
export function modelOf(key) {
  const [engine = '', model = ''] = key.split(/:(.*)/s)
  return [engineName(engine), model].filter(Boolean).join(' ')
}

/** @satisfies {Partial<Record<Placement, string>>} A reason that the scheduler renames does not compile. */
const KNOWN_PLACEMENTS = strings.reasons.placement
/** @param {string} reason */
const placementText = (reason) => Object.entries(KNOWN_PLACEMENTS).find(([name]) => name === reason)?.[1] ?? reason

/** @param {MachineView} machine @param {string | null} dialError @returns {Reason} */
function absence({ last_seen_at: at }, dialError) {
  if (dialError !== null) return { text: strings.reasons.notReached(dialError) }
  return at === null ? { text: strings.reasons.neverConnected } : { text: strings.reasons.offline, since: at }
}

/** @param {MachineView['breakers'][number]} breaker @returns {Reason[]} */
function breakerReason({ model_key, state, summary, retry_at }) {
  if (state === 'closed') return []
  const text = strings.reasons.breaker(modelOf(model_key), summary.replace(/, retrying in \d+ s$/, ''))
  return [state === 'open' ? { text, until: retry_at } : { text: strings.reasons.breaker(modelOf(model_key), summary) }]
}

/**
 * Every reason why it gets no work, the most important one first.
 * @param {MachineView} machine
 * @param {readonly Wait[]} [waits] why waiting tasks do not go there
 * @param {string | null} [dialError] the last error of connecting to a machine that listens; null for one that connects to this studio
 * @returns {Reason[]}
 */
export function reasonsOf(machine, waits = [], dialError = null) {
  const why = /** @type {Reason[]} */ ([])
  if (machine.quarantine !== null) why.push({ text: strings.reasons.quarantined(machine.quarantine) })
  if (machine.id !== LOCAL && !machine.consent_granted) why.push({ text: strings.reasons.unapproved })
  if (!machine.enabled) why.push({ text: strings.reasons.off })
  if (!machine.connected) why.push(absence(machine, dialError))
  if (machine.stale) why.push({ text: strings.reasons.unresponsive })
  const held = machine.active_tasks ?? 0
  if (machine.draining) why.push({ text: machine.drained ? strings.reasons.drained(held) : strings.reasons.ending(held) })
  why.push(...machine.breakers.flatMap(breakerReason))
  if (why.length === 0 && machine.connected && machine.status === 'busy' && machine.available_slots === 0)
    why.push({ text: strings.reasons.allSlots, mild: true })
  for (const { reason, count } of waits) why.push({ text: strings.reasons.waits(count, placementText(reason)), mild: true })
  return why
}

/**
 * Machine id -> a line for each task that it runs; machine id -> why waiting tasks do not go there.
 * @param {Iterable<Pick<TaskView, 'state' | 'engine' | 'operation' | 'waiting_for'> & { attempts: Pick<TaskView['attempts'][number], 'worker_id' | 'progress'>[] }>} tasks
 */
export function workOf(tasks) {
  /** @type {Map<string, string[]>} */
  const jobs = new Map()
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map()
  for (const task of tasks) {
    const attempt = task.attempts.at(-1)
    if (HELD.has(task.state) && attempt) {
      const stage = task.state === 'running' ? percent(attempt.progress) : task.state.replaceAll('_', ' ')
      const line = strings.card.work(engineName(task.engine), task.operation, stage)
      jobs.set(attempt.worker_id, [...(jobs.get(attempt.worker_id) ?? []), line])
    }
    if (task.state !== 'queued') continue
    for (const { worker_id, reason } of task.waiting_for) {
      const reasons = counts.get(worker_id) ?? new Map()
      counts.set(worker_id, reasons.set(reason, (reasons.get(reason) ?? 0) + 1))
    }
  }
  /** @type {Map<string, Wait[]>} */
  const waits = new Map([...counts].map(([id, reasons]) => [id, [...reasons].map(([reason, count]) => ({ reason, count }))]))
  return { jobs, waits }
}

/** @param {Host} host */
export function deviceOf({ gpus = [], unusable_gpus = [], cpu_count = 0 }) {
  const unusable = unusable_gpus.map(({ model, reason }) => strings.card.unusableGpu(model, reason))
  const usable = gpus.map(({ model, backend }) => strings.card.gpu(model, backend))
  if (usable.length + unusable.length > 0) return [...usable, ...unusable].join(', ')
  return cpu_count > 0 ? strings.card.cpuOnly(cpu_count) : strings.card.unknown
}

/** @param {Host} host */
export function memoryOf({ gpus = [], system_memory_bytes = 0 }) {
  const parts = gpus.map(({ memory_bytes, free_memory_bytes }) => strings.card.gpuMemory(bytes(free_memory_bytes), bytes(memory_bytes)))
  if (system_memory_bytes > 0) parts.push(strings.card.systemMemory(bytes(system_memory_bytes)))
  return parts.join('; ') || strings.card.unknown
}

/** Bytes of all GPUs together; 0 without a GPU. @param {Host} host */
export function memoryUseOf({ gpus = [] }) {
  const sum = (/** @type {(gpu: typeof gpus[number]) => number} */ of) => gpus.reduce((all, gpu) => all + of(gpu), 0)
  return { used: sum((gpu) => gpu.memory_bytes - gpu.free_memory_bytes), all: sum((gpu) => gpu.memory_bytes) }
}

/** @param {MachineView} machine @returns {Host} */
export const hostOf = ({ host }) => host

/** The text of a record that the search looks at. An event replaces the record of a machine. @type {WeakMap<MachineView, string>} */
const searchTexts = new WeakMap()
/** In lower case. @param {MachineView} machine */
export function searchTextOf(machine) {
  const { name, id, key_id, address, endpoint, host } = machine
  const parts = [name, id, key_id, address, endpoint, hostOf(machine).hostname, deviceOf(host)]
  const text =
    searchTexts.get(machine) ??
    parts
      .filter((part) => part !== undefined)
      .join('\n')
      .toLowerCase()
  searchTexts.set(machine, text)
  return text
}

/** "gpu 2" is before "gpu 10". @param {string} text */
const numbered = (text) => text.toLowerCase().replaceAll(/\d{1,15}/g, (digits) => digits.padStart(15, '0'))

/**
 * By name, then by id. A thousand names take 30 ms with a Collator, so only names with other letters than English ones do.
 * @template {{ readonly name: string, readonly machine: { readonly id: string } }} T @param {readonly T[]} rows @returns {T[]}
 */
export function inOrder(rows) {
  if (rows.some(({ name }) => /[^\x20-\x7e]/.test(name))) {
    const order = new Intl.Collator(undefined, { numeric: true })
    return [...rows].sort((one, other) => order.compare(one.name, other.name) || order.compare(one.machine.id, other.machine.id))
  }
  return rows
    .map((row) => ({ row, key: `${numbered(row.name)}\n${row.machine.id}` }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row)
}
