// The tasks and machines of the studio: read once, then patched by events. After a broken connection the events continue with the next one. If
// the server no longer has it, it sends `reset`, and the page reads the lists again.

import type { FleetEvents } from '#control-plane/features/machines/tasks/events.contract.ts'
import { at } from '../at.ts'
import { get, messageOf, noteLost, request } from './api.ts'
import type { MachineFleet, MachineView, TaskPage, TaskView } from './api-types.ts'
import { useEffect, useRef, useState } from './html.ts'
import { getFirst, isRequested, readFailedAgain } from './read.ts'

export type TaskGroup = 'all' | 'waiting' | 'running' | 'done' | 'failed'
export type Live = {
  connected: boolean
  /** null until it is read */
  fleet: MachineFleet | null
  tasks: Map<string, TaskView>
  /** group -> id of the oldest task from which on the list has no gap; '' when it is complete */
  floors: Map<string, string>
  queueDepth: number
  error: string | null
  /** reason why the server refused the event stream */
  refusal: string | null
  version: number
}

const PAGE = 100
/** The oldest tasks beyond this number are dropped, and read again on request. */
const KEPT = 2000
const RETRY_MS = 2000
/** The lists are read again at most this often. */
const REREAD_MS = 2000

/** Ids of tasks ascend with time. */
const state: Live = {
  connected: false,
  fleet: null,
  tasks: new Map(),
  floors: new Map(),
  queueDepth: 0,
  error: null,
  refusal: null,
  version: 0,
}
const machines: Map<string, MachineView> = new Map()
const watchers: Set<(version: number) => void> = new Set()
let isDrawPending = false
let haveMachinesChanged = false

function draw() {
  isDrawPending = false
  if (haveMachinesChanged && state.fleet) state.fleet = { ...state.fleet, workers: [...machines.values()] }
  haveMachinesChanged = false
  state.version++
  for (const watch of watchers) watch(state.version)
}

// One redraw per frame, however many events arrive in it. Before the first drawing there is nothing to draw again.
function changed() {
  if (isDrawPending) return
  if (watchers.size === 0) return draw()
  isDrawPending = true
  requestAnimationFrame(draw)
}

function addPage({ tasks, queue_depth }: TaskPage, group: TaskGroup) {
  for (const task of tasks) state.tasks.set(task.task_id, task)
  const oldest = tasks.at(-1)
  state.floors.set(group, tasks.length < PAGE || !oldest ? '' : oldest.task_id)
  state.queueDepth = queue_depth
}

/** Events that arrive during a read, per read. */
const replays: Set<(() => void)[]> = new Set()
/** Applies a read, and then the events that arrived meanwhile: the answer may be older than they are. */
async function withReplay(run: () => Promise<void>) {
  const events: (() => void)[] = []
  replays.add(events)
  try {
    await run()
  } finally {
    replays.delete(events)
    for (const apply of events) apply()
    changed()
  }
}

/** Another machine as the studio last described it. */
export const machineNow = (id: string) => machines.get(id)

const listPath = (query: string): `/workers/tasks?${string}` => `/workers/tasks?limit=${PAGE}&always=true${query}`

/** Reads everything again. For actions whose effect must be visible at once. */
export async function refresh() {
  try {
    await withReplay(async () => {
      const [fleet, page] = await Promise.all([getFirst('/workers'), getFirst(`/workers/tasks?limit=${PAGE}&always=true`)])
      state.fleet = fleet
      machines.clear()
      for (const worker of fleet.workers) machines.set(worker.id, worker)
      state.tasks = new Map()
      state.floors = new Map()
      addPage(page, 'all')
      state.error = null
    })
  } catch (error) {
    state.error = messageOf(error)
    refreshSoon()
  }
}

let isRereadPlanned = false
let readAt = Number.NEGATIVE_INFINITY
function refreshSoon() {
  if (isRereadPlanned) return
  isRereadPlanned = true
  const run = () => {
    isRereadPlanned = false
    readAt = performance.now()
    void refresh()
  }
  setTimeout(run, Math.max(0, readAt + REREAD_MS - performance.now()))
}

/** Reads the next older page of a group. */
export async function readOlder(group: TaskGroup) {
  const floor = state.floors.get(group)
  if (floor === '') return
  const query = `${group === 'all' ? '' : `&status=${group}`}${floor ? `&before=${floor}` : ''}`
  await withReplay(async () => addPage(await get(listPath(query)), group))
}

/** A waiting task moves with every task before it, for which no event is sent. */
export const readWaiting = () =>
  withReplay(async () => {
    const { tasks } = await get(listPath('&status=waiting'))
    for (const task of tasks) if (state.tasks.has(task.task_id)) state.tasks.set(task.task_id, task)
  })

function putTask(task: TaskView) {
  state.tasks.set(task.task_id, task)
  if (state.tasks.size <= KEPT * 1.5) return
  const kept = [...state.tasks].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-KEPT)
  state.tasks = new Map(kept)
  const oldest = kept[0]?.[0] ?? ''
  for (const [group, floor] of state.floors) if (floor < oldest) state.floors.set(group, oldest)
}

/**
 * A stream of events that is open while the tab is visible: a browser allows six connections to a host, for all its tabs together.
 * `again` opens it once more after the server has closed it.
 */
export function whileVisible(open: () => EventSource) {
  let stream: EventSource | null = null
  let isOver = false
  const again = () => {
    if (isOver || document.hidden) {
      stream?.close()
      stream = null
    } else if (stream === null || stream.readyState === EventSource.CLOSED) stream = open()
  }
  const close = () => {
    isOver = true
    again()
    document.removeEventListener('visibilitychange', again)
  }
  document.addEventListener('visibilitychange', again)
  again()
  return { again, close }
}

let current: ReturnType<typeof whileVisible> | null = null
/** Id of the newest event, after which a stream goes on. */
let lastId = ''

/** An EventSource does not give the reason of a refusal; a plain request does. While access is refused, fall back to polling. */
async function refused() {
  setTimeout(() => current?.again(), RETRY_MS)
  const abort = new AbortController()
  try {
    await request('GET', '/workers/events', { signal: abort.signal })
    abort.abort()
  } catch (error) {
    state.refusal = messageOf(error)
    refreshSoon()
  }
}

function connect() {
  const source = new EventSource(at(`/workers/events${lastId && `?after=${lastId}`}`))
  const on = <K extends keyof FleetEvents>(kind: K, apply: (data: FleetEvents[K]) => void) =>
    source.addEventListener(kind, (event) => {
      lastId = event.lastEventId
      const data = JSON.parse(event.data)
      apply(data)
      for (const events of replays) events.push(() => apply(data))
      changed()
    })
  for (const kind of ['reset', 'tasks']) source.addEventListener(kind, refreshSoon)
  source.onopen = () => {
    state.connected = true
    state.refusal = null
    readFailedAgain()
    changed()
  }
  source.onerror = () => {
    if (state.connected) noteLost()
    state.connected = false
    changed()
    // The browser reconnects by itself with the id of the last event, unless the server refused.
    if (source.readyState === EventSource.CLOSED) void refused()
  }
  on('task', putTask)
  on('worker', (worker) => {
    machines.set(worker.id, worker)
    haveMachinesChanged = true
  })
  on('worker-gone', ({ id }) => {
    machines.delete(id)
    haveMachinesChanged = true
  })
  on('fleet', (summary) => {
    state.queueDepth = summary.queue_depth
    if (state.fleet) state.fleet = { ...state.fleet, ...summary }
  })
  return source
}

/** True if the first view shows the lists. */
export const isFirst = isRequested('/workers')
/**
 * Follows the events. The stream begins after the lists of the first view were read: its first event makes the page read them again, since
 * something may have changed in between.
 */
export function startLive() {
  if (isFirst) {
    readAt = performance.now()
    void refresh()
  }
  current = whileVisible(connect)
}
/** Ends the stream of events, before the server would cut it. */
export const stopLive = () => current?.close()

/**
 * Calls `run` now and whenever it changes: true while the studio answers. A visitor who may not follow the machines counts as one whom it
 * answers. Returns the end of it.
 */
export function onReach(run: (canReach: boolean) => void) {
  let last: boolean | null = null
  const watch = () => {
    const can = state.connected || state.refusal !== null
    if (can !== last) run(can)
    last = can
  }
  watchers.add(watch)
  watch()
  return () => void watchers.delete(watch)
}

/** The live state; the component is redrawn with every change. */
export function useLive() {
  const [, redraw] = useState(0)
  const drawn = state.version
  useEffect(() => {
    watchers.add(redraw)
    if (state.version !== drawn) redraw(state.version)
    return () => void watchers.delete(redraw)
  }, [])
  return state
}

const isUsable = ({ connected, enabled, consent_granted: isApproved, quarantine, status }: MachineView) =>
  connected && enabled && isApproved && quarantine === null && (status === 'ready' || status === 'busy')

/** Ids of the machines that can take work, as one text: when it changes, other engines and models are available. */
export const usableMachines = ({ fleet }: Pick<Live, 'fleet'>) =>
  (fleet?.workers ?? [])
    .filter(isUsable)
    .map(({ id }) => id)
    .sort()
    .join(' ')

/**
 * Calls `run` when other machines can take work than at the first drawing, and when a lost connection is back. Not for the first list
 * that arrives without such a machine: what the page has read then is true.
 */
export function useMachineChange(live: Pick<Live, 'fleet' | 'connected'>, run: () => unknown) {
  const usable = live.connected && live.fleet ? usableMachines(live) : null
  const last = useRef({ isKnown: usable !== null, usable: usable ?? '' } as { isKnown: boolean; usable: string | null })
  useEffect(() => {
    const before = last.current
    if (usable === null) last.current = { isKnown: before.isKnown, usable: before.isKnown ? null : before.usable }
    else {
      last.current = { isKnown: true, usable }
      if (usable !== before.usable) run()
    }
  }, [usable])
}
