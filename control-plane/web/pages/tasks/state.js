// What a task is and does, in words.
export const GROUPS = [
  { group: 'all', label: 'All' },
  { group: 'waiting', label: 'Waiting' },
  { group: 'running', label: 'Running' },
  { group: 'done', label: 'Done' },
  { group: 'failed', label: 'Failed or cancelled' },
]
const STATES = {
  queued: { group: 'waiting', words: 'waiting', tone: 'warn' },
  assigned: { group: 'running', words: 'offered to a machine', tone: 'busy' },
  accepted: { group: 'running', words: 'accepted', tone: 'busy' },
  model_loading: { group: 'running', words: 'loading the model', tone: 'busy' },
  running: { group: 'running', words: 'running', tone: 'busy' },
  result_uploading: { group: 'running', words: 'delivering', tone: 'busy' },
  completed: { group: 'done', words: 'done', tone: 'good' },
  failed: { group: 'failed', words: 'failed', tone: 'bad' },
  timeout: { group: 'failed', words: 'out of time', tone: 'bad' },
  cancelled: { group: 'failed', words: 'cancelled', tone: 'quiet' },
}
const OPERATIONS = { tts: 'Speech', asr: 'Recognition', clean: 'Cleaning', probe: 'Probe', translate: 'Translation' }
const ATTEMPTS = {
  assigned: 'offered',
  accepted: 'accepted',
  running: 'running',
  uploading: 'delivering',
  committed: 'done',
  rejected: 'declined',
  failed: 'failed',
  timed_out: 'out of time',
  cancelled: 'cancelled',
  lost: 'lost: the machine went away',
}
export const stateOf = ({ state }) => STATES[state] ?? { group: 'running', words: state, tone: 'quiet' }
export const titleOf = ({ operation, engine, model_id }) =>
  `${OPERATIONS[operation] ?? operation} with ${engine}${model_id ? ` (${model_id})` : ''}`
export const attemptWords = (state) => ATTEMPTS[state] ?? state

/** The studio's own machine has an id and no name among the others. */
export const nameOf = (names, id) => (id === 'local' ? 'this machine' : names.get(id) || id)

/** A length of time in words. */
export function lasting(seconds) {
  if (seconds < 1) return 'less than a second'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

export function expectedWords({ expected_at, finished_at }, now) {
  if (finished_at !== null) return null
  if (expected_at === null) return 'not known yet when it will be finished'
  const left = expected_at - now
  return left < 1 ? 'should be finished any moment' : `finished in about ${lasting(left)}`
}

/** Everything of a task that somebody may look for. */
export const wordsOf = (task, names) =>
  [
    task.task_id,
    titleOf(task),
    stateOf(task).words,
    task.error?.code,
    task.error?.message,
    ...task.attempts.map(({ worker_id }) => nameOf(names, worker_id)),
  ]
    .join(' ')
    .toLowerCase()
