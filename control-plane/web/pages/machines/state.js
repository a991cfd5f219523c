// What a machine does and why it gets no work, in words. Records in, sentences out; nothing here draws or asks.

export const LOCAL = 'local'
const HELD = new Set(['assigned', 'accepted', 'model_loading', 'running', 'result_uploading'])
export const TONES = {
  ready: 'good',
  busy: 'busy',
  draining: 'warn',
  paused: 'bad',
  'waiting for approval': 'warn',
  'switched off': 'quiet',
  offline: 'quiet',
  'not responding': 'bad',
  quarantined: 'bad',
}
export const STATES = Object.keys(TONES)

/** For places that know no element of their own (an option, a notice): what the text does to its direction ends with it. */
export const isolated = (text) => `\u2068${text}\u2069`
export const short = (text, most = 60) => (text.length > most ? `${text.slice(0, most)}…` : text)
export const nameOf = (worker) => (worker.id === LOCAL ? 'This machine' : short(worker.name || worker.key_id, 120))

export function stateOf(worker) {
  if (worker.quarantine !== null) return 'quarantined'
  if (worker.id !== LOCAL && !worker.consent_granted) return 'waiting for approval'
  if (!worker.enabled) return 'switched off'
  if (!worker.connected) return 'offline'
  if (worker.stale) return 'not responding'
  if (worker.draining) return 'draining'
  if (worker.breakers.some(({ state }) => state === 'open')) return 'paused'
  return worker.status ?? 'offline'
}

const modelOf = (key) => key.replace(/:$/, '')
/** The words of the router where they alone would not explain themselves. */
const WAIT_WORDS = {
  'not the chosen machine': 'another machine is chosen for it',
  'cannot run it': 'it has no engine or model for it',
  'failed it before': 'it failed this task before',
  'shutting down': 'it drains',
}
/** Every reason that stands, the one that matters most first. `since` and `until` are moments that whoever draws keeps counting; `mild`
 * marks what is in order as it is. `dialled`: what came of dialling a machine that listens; null for one that dials this studio. */
export function reasonsOf(worker, waits = [], dialled = null) {
  const why = []
  const say = (text, more = {}) => why.push({ text, ...more })
  if (worker.quarantine !== null) say(`Set aside: ${worker.quarantine}. Nothing is sent there until you release it.`)
  if (worker.id !== LOCAL && !worker.consent_granted) say('Nothing is sent there until you approve it.')
  if (!worker.enabled) say('You have switched it off; its work goes elsewhere.')
  if (!worker.connected) {
    if (dialled !== null) say(`It is not connected. ${dialled || 'This studio keeps dialling it.'}`)
    else if (worker.last_seen_at === null) say('It has not connected yet. Its owner starts it with: ./studio agent')
    else say('It is offline. Its owner starts it again with: ./studio agent. Last heard', { since: worker.last_seen_at })
  }
  if (worker.stale) say('It is connected but says nothing. Its log may tell why.')
  if (worker.draining)
    say(worker.active_tasks > 0 ? `It finishes what it holds (${worker.active_tasks}) and takes nothing new.` : 'It takes nothing new.')
  for (const { model_key, state, summary, retry_at } of worker.breakers) {
    const model = modelOf(model_key)
    if (state === 'open') say(`${model}: ${summary.replace(/, retrying in \d+ s$/, '')}.`, { until: retry_at })
    else if (state === 'half_open') say(`${model}: ${summary}.`)
  }
  if (why.length === 0 && worker.connected && worker.status === 'busy' && worker.available_slots === 0)
    say('Every slot is in use.', { mild: true })
  for (const { reason, count } of waits)
    say(`${count === 1 ? 'A waiting task does' : `${count} waiting tasks do`} not go there: ${WAIT_WORDS[reason] ?? reason}.`, {
      mild: true,
    })
  return why
}

/** worker id -> lines on what it does now; worker id -> why waiting tasks do not go there, with how many. */
export function workOf(tasks) {
  const jobs = new Map()
  const waits = new Map()
  for (const task of tasks) {
    const attempt = task.attempts.at(-1)
    if (HELD.has(task.state) && attempt) {
      const stage = task.state === 'running' ? `${Math.round(attempt.progress * 100)} %` : task.state.replaceAll('_', ' ')
      jobs.set(attempt.worker_id, [...(jobs.get(attempt.worker_id) ?? []), `${task.engine} ${task.operation}, ${stage}`])
    }
    if (task.state !== 'queued') continue
    for (const { worker_id, reason } of task.waiting_for) {
      const known = waits.get(worker_id) ?? new Map()
      waits.set(worker_id, known.set(reason, (known.get(reason) ?? 0) + 1))
    }
  }
  return { jobs, waits: new Map([...waits].map(([id, all]) => [id, [...all].map(([reason, count]) => ({ reason, count }))])) }
}

const size = (bytes) => `${(bytes / 2 ** 30).toFixed(bytes < 2 ** 33 ? 1 : 0)} GiB`
export function deviceOf({ gpus = [], cpu_count = 0 }) {
  if (gpus.length > 0) return gpus.map(({ model, backend }) => `${model} (${backend})`).join(', ')
  return cpu_count > 0 ? `processor, ${cpu_count} ${cpu_count === 1 ? 'core' : 'cores'}, no GPU` : 'not told yet'
}
export function memoryOf({ gpus = [], system_memory_bytes = 0 }) {
  const parts = gpus.map(({ memory_bytes, free_memory_bytes }) => `${size(free_memory_bytes)} of ${size(memory_bytes)} GPU memory free`)
  if (system_memory_bytes > 0) parts.push(`${size(system_memory_bytes)} of memory`)
  return parts.join('; ') || 'not told yet'
}

/** What a person may type to find it. */
export const wordsOf = (worker) =>
  [worker.name, worker.id, worker.key_id, worker.address ?? '', worker.endpoint, worker.host.hostname ?? '', deviceOf(worker.host)]
    .join('\n')
    .toLowerCase()
