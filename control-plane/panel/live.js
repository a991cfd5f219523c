// The tasks and machines as the studio knows them now: read once, then kept by its events. After a reload or a broken connection the
// events go on where they stopped; when that is not possible the studio says so and everything is read again.
import { get } from './api.js'
import { useEffect, useState } from './html.js'

const TASKS = 200
const RETRY_MS = 2000
const state = { connected: false, fleet: null, tasks: new Map(), queueDepth: 0, error: null, version: 0 }
const watchers = new Set()
let source = null
let pending = false

// Many events arrive together; the page is drawn once for all of them.
function changed() {
  if (pending) return
  pending = true
  requestAnimationFrame(() => {
    pending = false
    state.version++
    for (const watch of watchers) watch(state.version)
  })
}

async function readAll() {
  try {
    const [fleet, { tasks, queue_depth }] = await Promise.all([get('/workers'), get(`/workers/tasks?limit=${TASKS}&always=true`)])
    state.fleet = fleet
    state.tasks = new Map(tasks.map((task) => [task.task_id, task]))
    state.queueDepth = queue_depth
    state.error = null
  } catch (error) {
    state.error = error.message
  }
  changed()
}

function place(task) {
  state.tasks.set(task.task_id, task)
  if (state.tasks.size <= TASKS * 2) return
  const oldest = [...state.tasks.values()].sort((a, b) => b.created_at - a.created_at).slice(0, TASKS)
  state.tasks = new Map(oldest.map((one) => [one.task_id, one]))
}

function placeWorker(worker) {
  if (!state.fleet) return
  const others = state.fleet.workers.filter(({ id }) => id !== worker.id)
  state.fleet = { ...state.fleet, workers: [...others, worker] }
}

function connect() {
  source = new EventSource('/workers/events')
  const on = (kind, take) =>
    source.addEventListener(kind, (event) => {
      take(JSON.parse(event.data))
      changed()
    })
  source.onopen = () => {
    state.connected = true
    changed()
  }
  source.onerror = () => {
    state.connected = false
    changed()
    // The browser tries again by itself, with the id of the last event, unless the studio refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS)
  }
  on('reset', () => void readAll())
  on('task', place)
  on('worker', placeWorker)
  on('worker-gone', ({ id }) => {
    if (state.fleet) state.fleet = { ...state.fleet, workers: state.fleet.workers.filter((worker) => worker.id !== id) }
  })
  on('fleet', (summary) => {
    state.queueDepth = summary.queue_depth
    if (state.fleet) state.fleet = { ...state.fleet, ...summary }
  })
}

/** Everything live, and a new drawing whenever it changes. */
export function useLive() {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (!source) connect()
    watchers.add(redraw)
    return () => void watchers.delete(redraw)
  }, [])
  return state
}

/** After an action whose effect should be seen at once. */
export const refresh = readAll
