// The tasks that have not ended, in memory: by id, by the worker that holds them and by idempotency key. A task leaves when its end is
// durable; of those the last ones are kept by name, because late reports of their workers still arrive.
import type { Task } from '#shared/protocol/task.ts'
import type { TaskRecord } from './record.ts'

type Ended = { readonly task: Task; readonly key: string | null }
/** Late reports come within minutes; a worker holds few attempts. About 5 MB. */
const ENDED_KEPT = 10_000

export function createLiveTasks(records: Iterable<TaskRecord>) {
  const live = new Map<string, TaskRecord>()
  const heldBy = new Map<string, Map<string, TaskRecord>>()
  const ended = new Map<string, Ended>()
  const keys = new Map<string, string>()

  /** Replaces what memory holds of the task. */
  function put(record: TaskRecord): void {
    const { id, workerId } = record.task
    drop(id)
    live.set(id, record)
    if (record.spec.idempotencyKey !== null) keys.set(record.spec.idempotencyKey, id)
    if (workerId === null) return
    const held = heldBy.get(workerId) ?? new Map<string, TaskRecord>()
    heldBy.set(workerId, held)
    held.set(id, record)
  }

  /** The order of `live` is the order of admission, so the entry stays where it is. */
  function drop(id: string): void {
    const workerId = live.get(id)?.task.workerId ?? null
    if (workerId !== null) heldBy.get(workerId)?.delete(id)
  }

  for (const record of records) put(record)

  return {
    put,
    get: (id: string): TaskRecord | undefined => live.get(id),
    values: (): IterableIterator<TaskRecord> => live.values(),
    held: (workerId: string): TaskRecord[] => [...(heldBy.get(workerId)?.values() ?? [])],
    /** A task whose admission was undone. */
    remove(id: string): void {
      const key = live.get(id)?.spec.idempotencyKey ?? null
      if (key !== null) keys.delete(key)
      drop(id)
      live.delete(id)
    },
    /** The end of the task is durable. */
    end({ task, spec }: TaskRecord): void {
      drop(task.id)
      live.delete(task.id)
      ended.set(task.id, { task, key: spec.idempotencyKey })
      if (ended.size <= ENDED_KEPT) return
      const [oldest, { key }] = ended.entries().next().value!
      ended.delete(oldest)
      if (key !== null) keys.delete(key)
    },
    /** The state of a live task or of one that ended recently. */
    stateOf: (id: string): Task | null => live.get(id)?.task ?? ended.get(id)?.task ?? null,
    /** The id of the live or recently ended task with this idempotency key. */
    idOfKey: (key: string): string | undefined => keys.get(key),
  }
}
