// The state and work of a task, as text. Pure.

import type { TaskView } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { remaining } from '#control-plane/web/lib/format.ts'
import type { TaskGroup } from '#control-plane/web/lib/live.ts'
import { engineName } from '#control-plane/web/lib/names.ts'
import { strings } from '#messages/system/jobs.ts'

export type Group = Exclude<TaskGroup, 'all'>
/** machine id -> its name */
export type Names = ReadonlyMap<string, string>

const STATES: Readonly<Record<TaskView['state'], { group: Group; tone: Tone }>> = {
  queued: { group: 'waiting', tone: 'warn' },
  assigned: { group: 'running', tone: 'busy' },
  accepted: { group: 'running', tone: 'busy' },
  model_loading: { group: 'running', tone: 'busy' },
  running: { group: 'running', tone: 'busy' },
  result_uploading: { group: 'running', tone: 'busy' },
  completed: { group: 'done', tone: 'good' },
  failed: { group: 'failed', tone: 'bad' },
  timeout: { group: 'failed', tone: 'bad' },
  cancelled: { group: 'failed', tone: 'quiet' },
}

/** Newer studios know more. */
const OPERATIONS: Readonly<Partial<Record<string, string>>> = strings.operations
const ATTEMPT_STATES: Readonly<Partial<Record<string, string>>> = strings.attemptStates

export const stateOf = ({ state }: Pick<TaskView, 'state'>): { group: Group; tone: Tone; label: string } => ({
  ...STATES[state],
  label: strings.states[state],
})

export const titleOf = ({ operation, engine, model_id }: Pick<TaskView, 'operation' | 'engine' | 'model_id'>) =>
  strings.title(OPERATIONS[operation] ?? operation, engineName(engine), model_id)

export const attemptLabel = (state: string) => ATTEMPT_STATES[state] ?? state

/** This machine has an id and no name. */
export const nameOf = (names: Names, id: string) => (id === 'local' ? strings.thisMachine : names.get(id) || id)

/** The machine that ran it; of a pool, the pool and its machine. */
export const ranOn = (names: Names, { worker_id: id, machine }: TaskView['attempts'][number]) =>
  [nameOf(names, id), machine].filter(Boolean).join(' · ')

/** When an unfinished task is probably done; null for a finished one. `now`: epoch seconds */
export function timeLeftOf({ expected_at, finished_at }: TaskView, now: number) {
  if (finished_at !== null) return null
  if (expected_at === null) return strings.unknownEnd
  const left = expected_at - now
  return left < 1 ? strings.almostDone : strings.timeLeft(remaining(left))
}

/** Everything of a task that the search looks at, in lower case. */
export const searchTextOf = (task: TaskView, names: Names) =>
  [
    task.task_id,
    titleOf(task),
    stateOf(task).label,
    task.error?.code,
    task.error?.message,
    ...task.attempts.map((attempt) => ranOn(names, attempt)),
  ]
    .join(' ')
    .toLowerCase()
