// The tasks and machines as the studio knows them now: read once, then kept by its events. After a reload or a broken connection the
// events go on where they stopped; when that is not possible the studio says so and everything is read again.
import { ask, get } from './api.js'
import { useEffect, useState } from './html.js'

const PAGE = 100
/** More tasks than this are not kept: the oldest are forgotten, and read again when somebody asks for them. */
const KEPT = 2000
const RETRY_MS = 2000
/** Not read anew more often than this, however much happens. */
const REREAD_MS = 2000
const ALL = 'all'
/** floors: group of tasks -> the id from which on everything newer is here; '' when there is nothing older. Ids grow with time. */
const state = { connected: false, fleet: null, tasks: new Map(), floors: new Map(), queueDepth: 0, error: null, refusal: null, version: 0 }
const machines = new Map()
const watchers = new Set()
let source = null
let pending = false
let fleetMoved = false

// Many events arrive together; the page is drawn once for all of them.
function changed() {
  if (pending) return
  pending = true
  requestAnimationFrame(() => {
    pending = false
    if (fleetMoved && state.fleet) state.fleet = { ...state.fleet, workers: [...machines.values()] }
    fleetMoved = false
    state.version++
    for (const watch of watchers) watch(state.version)
  })
}

function take({ tasks, queue_depth }, group) {
  for (const task of tasks) state.tasks.set(task.task_id, task)
  state.floors.set(group, tasks.length < PAGE ? '' : tasks.at(-1).task_id)
  state.queueDepth = queue_depth
}

const hearing = new Set()
/** Reads, and then does once more what was told meanwhile: the answer may be older than that. */
async function read(paths, use) {
  const heard = []
  hearing.add(heard)
  try {
    use(...(await Promise.all(paths.map((path) => get(path)))))
  } finally {
    hearing.delete(heard)
    for (const run of heard) run()
    changed()
  }
}
const listPath = (query = '') => `/workers/tasks?limit=${PAGE}&always=true${query}`

async function readAll() {
  try {
    await read(['/workers', listPath()], (fleet, list) => {
      state.fleet = fleet
      machines.clear()
      for (const worker of fleet.workers) machines.set(worker.id, worker)
      state.tasks = new Map()
      state.floors = new Map()
      take(list, ALL)
      state.error = null
    })
  } catch (error) {
    state.error = error.message
  }
}

let isAsked = false
let readAt = Number.NEGATIVE_INFINITY
// So much has changed that it was not told one by one.
function readSoon() {
  if (isAsked) return
  isAsked = true
  const again = () => {
    isAsked = false
    readAt = performance.now()
    void readAll()
  }
  setTimeout(again, Math.max(0, readAt + REREAD_MS - performance.now()))
}

/** The next older page of a group ('all', 'waiting', 'running', 'done', 'failed'). */
export async function readOlder(group) {
  const floor = state.floors.get(group)
  if (floor === '') return
  const query = `${group === ALL ? '' : `&status=${group}`}${floor ? `&before=${floor}` : ''}`
  await read([listPath(query)], (list) => take(list, group))
}

/** What waits moves with everything before it, which is not told for each. */
export const readWaiting = () =>
  read([listPath('&status=waiting')], ({ tasks }) => {
    for (const task of tasks) if (state.tasks.has(task.task_id)) state.tasks.set(task.task_id, task)
  })

function place(task) {
  state.tasks.set(task.task_id, task)
  if (state.tasks.size <= KEPT * 1.5) return
  const kept = [...state.tasks.keys()].sort().slice(-KEPT)
  state.tasks = new Map(kept.map((id) => [id, state.tasks.get(id)]))
  for (const [group, floor] of state.floors) if (floor < kept[0]) state.floors.set(group, kept[0])
}

/** An event source does not say why it was refused; asking once more does. Until it is let in, the page is read every now and then. */
async function refused() {
  setTimeout(connect, RETRY_MS)
  const abort = new AbortController()
  try {
    await ask('GET', '/workers/events', { signal: abort.signal })
    abort.abort()
  } catch (error) {
    state.refusal = error.message
    readSoon()
  }
}

function connect() {
  source = new EventSource('/workers/events')
  const on = (kind, run) =>
    source.addEventListener(kind, (event) => {
      const body = JSON.parse(event.data)
      run(body)
      for (const heard of hearing) heard.push(() => run(body))
      changed()
    })
  for (const kind of ['reset', 'tasks']) source.addEventListener(kind, readSoon)
  source.onopen = () => {
    state.connected = true
    state.refusal = null
    changed()
  }
  source.onerror = () => {
    state.connected = false
    changed()
    // The browser tries again by itself, with the id of the last event, unless the studio refused.
    if (source.readyState === EventSource.CLOSED) void refused()
  }
  on('task', place)
  on('worker', (worker) => {
    machines.set(worker.id, worker)
    fleetMoved = true
  })
  on('worker-gone', ({ id }) => {
    machines.delete(id)
    fleetMoved = true
  })
  on('fleet', (summary) => {
    state.queueDepth = summary.queue_depth
    if (state.fleet) state.fleet = { ...state.fleet, ...summary }
  })
}

// At once, while the page is still being drawn for the first time.
connect()

/** Everything live, and a new drawing whenever it changes. */
export function useLive() {
  const [, redraw] = useState(0)
  useEffect(() => {
    watchers.add(redraw)
    return () => void watchers.delete(redraw)
  }, [])
  return state
}

/** After an action whose effect should be seen at once. */
export const refresh = readAll
