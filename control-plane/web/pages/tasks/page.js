// Everything the studio was asked to do, newest first: what runs, what waits and why, what went wrong. Live.
import { html, useEffect, useMemo, useState } from '../html.js'
import { readOlder, readWaiting } from '../live.js'
import { Action, Field, notify } from '../parts/basics.js'
import { Activity } from '../parts/tasks-chart.js'
import { TaskRow } from '../parts/tasks-row.js'
import { GROUPS, stateOf, wordsOf } from '../parts/tasks-words.js'

const SHOWN = 30
const WAITING_MS = 5_000

/** Seconds since the epoch, moving while somebody looks. */
function useNow() {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setNow(Date.now() / 1000), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The tasks that the filters leave, newest first. Below the floor there are gaps, so nothing of that is shown. */
function chosen(live, group, text, names) {
  const floor = live.floors.get(group) ?? ''
  const wanted = text.trim().toLowerCase()
  const fits = (task) =>
    task.task_id >= floor && (group === 'all' || stateOf(task).group === group) && (wanted === '' || wordsOf(task, names).includes(wanted))
  return [...live.tasks.values()].filter(fits).sort((a, b) => (a.task_id < b.task_id ? 1 : -1))
}

const Broken = ({ refusal }) => html`<p class="callout bad" role="alert">
  ${refusal ? html`The studio does not tell this page what happens: <span class="text">${refusal}</span>.` : 'The connection to the studio is broken.'}
  ${' '}What is shown here may be old. It is tried again by itself.
</p>`

export function Tasks({ live }) {
  const [group, setGroup] = useState('all')
  const [text, setText] = useState('')
  const [shown, setShown] = useState(SHOWN)
  const now = useNow()
  const names = useMemo(() => new Map((live.fleet?.workers ?? []).map(({ id, name }) => [id, name])), [live.fleet])
  const tasks = useMemo(() => chosen(live, group, text, names), [live.version, group, text, names])
  const isRead = live.floors.has(group)
  const isWaiting = tasks.some(({ state }) => state === 'queued')
  useEffect(() => {
    if (live.floors.has('all') && !isRead) readOlder(group).catch((error) => notify(error.message, 'error'))
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
  const rows = tasks.slice(0, shown)
  const isAll = live.floors.get(group) === ''
  const found = `${tasks.length} ${text.trim() ? 'found' : tasks.length === 1 ? 'task' : 'tasks'}`
  const count = isAll ? found : `${found} so far, and older ones`
  return html`
    ${!live.connected && live.version > 0 && html`<${Broken} refusal=${live.refusal} />`}
    ${live.error && html`<p class="callout bad" role="alert">The tasks could not be read: <span class="text">${live.error}</span></p>`}
    <${Activity} />
    <section aria-label="Tasks">
      <div class="row filters">
        <${Field} label="Show"><select value=${group} onChange=${(event) => {
          setGroup(event.target.value)
          setShown(SHOWN)
        }}>${GROUPS.map((one) => html`<option key=${one.group} value=${one.group}>${one.label}</option>`)}</select><//>
        <${Field} label="Find"><input type="search" value=${text} placeholder="engine, machine, failure, id" onInput=${(event) => setText(event.target.value)} /><//>
        <span class="spread"></span>
        <p class="soft" role="status">${live.queueDepth} waiting. ${isRead ? `${count}.` : 'Reading.'}</p>
      </div>
      ${isRead && rows.length === 0 && html`<p class="empty">${text.trim() || group !== 'all' ? 'No task is like that.' : 'No task yet. Say something on the page Speak.'}</p>`}
      <ol class="tasks">${rows.map((task) => html`<${TaskRow} key=${task.task_id} task=${task} names=${names} now=${now} />`)}</ol>
      ${
        isRead &&
        (rows.length < tasks.length || !isAll) &&
        html`<div class="row older"><${Action} onPress=${more}>${text.trim() && rows.length === tasks.length ? 'Search older ones' : 'Show older ones'}<//></div>`
      }
    </section>`
}
