// The waiting tasks in the order in which they should be placed. Tasks of one client with equal needs wait in one line, so that the cost of a
// decision grows with the number of clients and different needs, and not with the number of waiting tasks.

import { type Client, STUDIO_CLIENT } from '#control-plane/clients/client.ts'
import { createCounts } from '#control-plane/clients/counts.ts'
import { createHeldPermits, type SharedWork } from '#control-plane/clients/held-permits.ts'
import type { HeldShare } from '#control-plane/clients/share.ts'
import { HELD, type Task } from '#shared/protocol/task.ts'
import type { Priority, SpeechNeed, TaskRecord, TaskSpec } from './record.ts'

/** Everything that decides where a task may run: equal needs get equal answers. */
export type Need = {
  readonly operation: string
  readonly engine: string
  readonly model: string
  /** Only a machine whose model has this digest may run it. */
  readonly modelDigest?: string
  /** Only a machine that offers these voices and this language may run it. */
  readonly speaks?: SpeechNeed
  readonly target: string
  readonly excluded: readonly string[]
  readonly avoided: readonly string[]
  /** The task has the recording of a voice, which only some engines can imitate. */
  readonly cloning?: boolean
  /** It has an input that only the agent of this machine may receive. */
  readonly staysHere?: boolean
  /** Ids of the machines that may run it. */
  readonly machines?: readonly string[]
  /** Id of the machine that gets it if it can run it now. */
  readonly preferred?: string
}
export type Waiting = { readonly id: string; readonly seq: number; readonly size: number }
export type Line = {
  readonly need: Need
  /** Equal for lines with equal needs. */
  readonly needKey: string
  readonly priority: Priority
  readonly client: Client
  readonly waiting: ReadonlyMap<string, Waiting>
}
export type Queue = ReturnType<typeof createQueue>

export function createQueue() {
  const lines = new Map<string, Line & { waiting: Map<string, Waiting> }>()
  const newCounts = () => [createCounts(), createCounts()] as const
  let counts = newCounts() // by priority
  const permits = createHeldPermits()

  // A retried task is older than every other in its line, so it gets a line of its own instead of a sorted insert into a long one.
  const keyOf = (record: TaskRecord) => `${clientOf(record.spec).name} ${record.spec.priority} ${needKeyOf(record)}`
  const needKeyOf = ({ spec, task }: TaskRecord) =>
    JSON.stringify([
      spec.operation,
      spec.engine,
      spec.model,
      task.target,
      task.excluded,
      task.avoided,
      task.epoch > 0,
      clones(spec),
      staysHere(spec),
      spec.modelDigest ?? '',
      spec.speaks ?? null,
      spec.machines ?? null,
      spec.preferred ?? '',
    ])

  function add(record: TaskRecord): void {
    const { spec, task } = record
    const key = keyOf(record)
    let line = lines.get(key)
    if (!line) {
      const need = {
        operation: spec.operation,
        engine: spec.engine,
        model: spec.model,
        target: task.target,
        excluded: task.excluded,
        avoided: task.avoided,
        ...(clones(spec) && { cloning: true }),
        ...(staysHere(spec) && { staysHere: true }),
        ...(spec.modelDigest !== undefined && { modelDigest: spec.modelDigest }),
        ...(spec.speaks !== undefined && { speaks: spec.speaks }),
        ...(spec.machines !== undefined && { machines: spec.machines }),
        ...(spec.preferred !== undefined && { preferred: spec.preferred }),
      }
      line = { need, needKey: needKeyOf(record), priority: spec.priority, client: clientOf(spec), waiting: new Map() }
      lines.set(key, line)
    }
    if (!line.waiting.has(task.id)) counts[spec.priority].add(line.client)
    line.waiting.set(task.id, { id: task.id, seq: record.seq, size: spec.size })
  }

  function remove(key: string, id: string): void {
    const line = lines.get(key)
    if (!line?.waiting.delete(id)) return
    counts[line.priority].add(line.client, -1)
    if (line.waiting.size === 0) lines.delete(key)
  }

  return {
    get count() {
      return counts[0].total() + counts[1].total()
    },
    waiting: (priority: Priority): number => counts[priority].total(),
    waitingOf: (client: Client, priority: Priority): HeldShare => counts[priority].of(client),
    /** Permits that clients hold on machines. */
    permits,
    /** Follows every staged change. */
    follow(record: TaskRecord, before: Task | null): void {
      if (before?.phase === 'queued') remove(keyOf({ ...record, task: before }), record.task.id)
      if (record.task.phase === 'queued') add(record)
      const [was, is] = [before !== null && HELD.has(before.phase), HELD.has(record.task.phase)]
      if (is && !was) permits.begin(sharedWork(record))
      else if (was && !is) permits.end(sharedWork(record))
    },
    rebuild(live: Iterable<TaskRecord>): void {
      const records = [...live]
      lines.clear()
      counts = newCounts()
      for (const record of records) if (record.task.phase === 'queued') add(record)
      permits.rebuild(records.filter(({ task }) => HELD.has(task.phase)).map(sharedWork))
    },
    /** Interactive before batch, then by the age of the first in line. */
    lines: (): Line[] => [...lines.values()].sort((a, b) => a.priority - b.priority || head(a).seq - head(b).seq),
  }
}

const clientOf = ({ client = STUDIO_CLIENT }: TaskSpec): Client => client
const sharedWork = ({ spec }: TaskRecord): SharedWork => ({ client: clientOf(spec), engine: spec.engine, priority: spec.priority })

const clones = ({ operation, inputs = [] }: TaskSpec): boolean => operation === 'tts' && inputs.some(({ name }) => name === 'reference')

const staysHere = ({ inputs = [] }: TaskSpec): boolean => inputs.some((input) => input.private === true)

export const head = (line: Line): Waiting => line.waiting.values().next().value!
