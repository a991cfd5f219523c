// The work of machines for jobs and other requests, newest first: what runs, what waits and why, what failed. Live.
import { messageOf } from '#control-plane/web/lib/api.ts'
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useMemo, useState } from '#control-plane/web/lib/html.ts'
import type { Live, TaskGroup } from '#control-plane/web/lib/live.ts'
import { readOlder, readWaiting } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useGrowing } from '#control-plane/web/look/windowed.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/jobs.ts'
import { Activity } from './chart.tsx'
import { TaskRow } from './row.tsx'
import type { Names } from './state.ts'
import { searchTextOf, stateOf } from './state.ts'

const GROUPS: readonly TaskGroup[] = ['all', 'waiting', 'running', 'done', 'failed']
const SHOWN = 30
const WAITING_MS = 5_000

const groupOf = (name: string): TaskGroup => GROUPS.find((group) => group === name) ?? 'all'

/** Epoch seconds, updated each second while the page is visible. */
function useNow() {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setNow(Date.now() / 1000), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The tasks that match the filters, newest first. Below the floor the list has gaps, so nothing older is shown. */
function matching(live: Live, group: TaskGroup, text: string, names: Names) {
  const floor = live.floors.get(group) ?? ''
  const wanted = text.trim().toLowerCase()
  return [...live.tasks.values()]
    .filter((task) => task.task_id >= floor && (group === 'all' || stateOf(task).group === group))
    .filter((task) => wanted === '' || searchTextOf(task, names).includes(wanted))
    .sort((a, b) => (a.task_id < b.task_id ? 1 : -1))
}

/** The frame says that the connection is lost; this says why the studio refuses it. */
const Refused = ({ refusal }: { refusal: string }) => (
  <p class="callout bad" role="alert">
    {strings.refusedBefore}
    <span class="text">{refusal}</span>
    {strings.refusedAfter}
  </p>
)

export function Work({ live }: { live: Live }) {
  const [group, setGroup] = useState<TaskGroup>('all')
  const [text, setText] = useState('')
  const [shown, setShown] = useState(SHOWN)
  const now = useNow()
  const names = useMemo(() => new Map((live.fleet?.workers ?? []).map(({ id, name }) => [id, name])), [live.fleet])
  const tasks = useMemo(() => matching(live, group, text, names), [live.version, group, text, names])
  const isRead = live.floors.has(group)
  const isWaiting = tasks.some(({ state }) => state === 'queued')
  useEffect(() => {
    if (live.floors.has('all') && !isRead) readOlder(group).catch((error) => notify(messageOf(error), 'error'))
  }, [group, isRead, live.floors])
  useEffect(() => {
    if (!isWaiting || !live.connected) return
    const timer = setInterval(() => document.hidden || readWaiting().catch(() => {}), WAITING_MS)
    return () => clearInterval(timer)
  }, [isWaiting, live.connected])

  const more = async () => {
    if (shown + SHOWN > tasks.length) await readOlder(group)
    setShown(shown + SHOWN)
  }
  const choose = (event: Event) => {
    setGroup(groupOf(fieldValue(event)))
    setShown(SHOWN)
  }
  const drawn = useGrowing(Math.min(shown, tasks.length))
  const rows = tasks.slice(0, drawn)
  const isComplete = live.floors.get(group) === ''
  const isSearch = text.trim() !== ''
  const count = isRead ? strings.count(tasks.length, isSearch, isComplete) : shared.loading
  return (
    <>
      {!live.connected && live.refusal && <Refused refusal={live.refusal} />}
      {live.error && (
        <p class="callout bad" role="alert">
          {strings.readError}
          <span class="text">{live.error}</span>
        </p>
      )}
      <Activity />
      <section aria-label={strings.tasks}>
        <div class="row filters">
          <Field label={strings.show}>
            <select value={group} onChange={choose}>
              {GROUPS.map((one) => (
                <option key={one} value={one}>
                  {strings.groups[one]}
                </option>
              ))}
            </select>
          </Field>
          <Field label={strings.find}>
            <input type="search" value={text} placeholder={strings.findExample} onInput={(event: Event) => setText(fieldValue(event))} />
          </Field>
          <span class="spread"></span>
          <p class="soft" role="status">
            {strings.status(live.queueDepth, count)}
          </p>
        </div>
        {isRead && rows.length === 0 && <p class="empty">{isSearch || group !== 'all' ? strings.noneFound : strings.none}</p>}
        <ol class="tasks">
          {rows.map((task) => (
            <TaskRow key={task.task_id} task={task} names={names} now={now} />
          ))}
        </ol>
        {isRead && (shown < tasks.length || !isComplete) && (
          <div class="row older">
            <Action onPress={more}>{isSearch && shown >= tasks.length ? strings.searchOlder : strings.showOlder}</Action>
          </div>
        )}
      </section>
    </>
  )
}
