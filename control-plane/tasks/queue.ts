// The waiting tasks in the order in which they should be placed. Tasks with equal needs wait in one line, so that the cost of a decision
// grows with the number of different needs and not with the number of waiting tasks.
import type { Task } from '#shared/protocol/task.ts'
import type { Priority, TaskRecord, TaskSpec } from './record.ts'

/** Everything that decides where a task may run: equal needs get equal answers. */
export type Need = {
  readonly operation: string
  readonly engine: string
  readonly model: string
  /** Only a machine whose model has this digest may run it. */
  readonly modelDigest?: string
  readonly target: string
  readonly excluded: readonly string[]
  readonly avoided: readonly string[]
  /** The task has the recording of a voice, which only some engines can imitate. */
  readonly cloning?: boolean
  /** It has an input that only the agent of this machine may receive. */
  readonly staysHere?: boolean
}
export type Waiting = { readonly id: string; readonly seq: number; readonly size: number }
export type Line = { readonly need: Need; readonly priority: Priority; readonly waiting: ReadonlyMap<string, Waiting> }
export type Queue = ReturnType<typeof createQueue>

export function createQueue() {
  const lines = new Map<string, Line & { waiting: Map<string, Waiting> }>()
  const counts: [number, number] = [0, 0] // by priority

  // A retried task is older than every other in its line, so it gets a line of its own instead of a sorted insert into a long one.
  const keyOf = ({ spec, task }: TaskRecord) =>
    JSON.stringify([
      spec.priority,
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
      }
      line = { need, priority: spec.priority, waiting: new Map() }
      lines.set(key, line)
    }
    if (!line.waiting.has(task.id)) counts[spec.priority]++
    line.waiting.set(task.id, { id: task.id, seq: record.seq, size: spec.size })
  }

  function remove(key: string, id: string): void {
    const line = lines.get(key)
    if (!line?.waiting.delete(id)) return
    counts[line.priority]--
    if (line.waiting.size === 0) lines.delete(key)
  }

  return {
    get count() {
      return counts[0] + counts[1]
    },
    waiting: (priority: Priority): number => counts[priority],
    /** Follows every staged change. */
    follow(record: TaskRecord, before: Task | null): void {
      if (before?.phase === 'queued') remove(keyOf({ ...record, task: before }), record.task.id)
      if (record.task.phase === 'queued') add(record)
    },
    rebuild(live: Iterable<TaskRecord>): void {
      lines.clear()
      counts.fill(0)
      for (const record of live) if (record.task.phase === 'queued') add(record)
    },
    /** Interactive before batch, then by the age of the first in line. */
    lines: (): Line[] => [...lines.values()].sort((a, b) => a.priority - b.priority || head(a).seq - head(b).seq),
  }
}

const clones = ({ operation, inputs = [] }: TaskSpec): boolean => operation === 'tts' && inputs.some(({ name }) => name === 'reference')

const staysHere = ({ inputs = [] }: TaskSpec): boolean => inputs.some((input) => input.private === true)

export const head = (line: Line): Waiting => line.waiting.values().next().value!
