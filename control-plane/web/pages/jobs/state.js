// @ts-check
// What a task is and does, as text. Pure.

import { duration } from '../../lib/format.js'
import { engineName } from '../../lib/strings.js'
import { strings } from './strings.js'

/** @import { TaskView } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */
/** @import { TaskGroup } from '../../lib/live.js' */
/** @typedef {Exclude<TaskGroup, 'all'>} Group */
/** @typedef {ReadonlyMap<string, string>} Names machine id -> its name */

/** @type {Readonly<Record<TaskView['state'], { group: Group, tone: Tone }>>} */
const STATES = {
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

/** @param {Pick<TaskView, 'state'>} task @returns {{ group: Group, tone: Tone, label: string }} */
export const stateOf = ({ state }) => ({ ...STATES[state], label: strings.states[state] })

/** @param {Pick<TaskView, 'operation' | 'engine' | 'model_id'>} task */
export const titleOf = ({ operation, engine, model_id }) =>
  strings.title(strings.operations[operation] ?? operation, engineName(engine), model_id)

/** @param {string} state */
export const attemptLabel = (state) => strings.attemptStates[state] ?? state

/** This machine has an id and no name. @param {Names} names @param {string} id */
export const nameOf = (names, id) => (id === 'local' ? strings.thisMachine : names.get(id) || id)

/** When an unfinished task is probably done; null for a finished one. @param {TaskView} task @param {number} now epoch seconds */
export function timeLeftOf({ expected_at, finished_at }, now) {
  if (finished_at !== null) return null
  if (expected_at === null) return strings.unknownEnd
  const left = expected_at - now
  return left < 1 ? strings.almostDone : strings.timeLeft(duration(left))
}

/** Everything of a task that the search looks at, in lower case. @param {TaskView} task @param {Names} names */
export const searchTextOf = (task, names) =>
  [
    task.task_id,
    titleOf(task),
    stateOf(task).label,
    task.error?.code,
    task.error?.message,
    ...task.attempts.map(({ worker_id }) => nameOf(names, worker_id)),
  ]
    .join(' ')
    .toLowerCase()
