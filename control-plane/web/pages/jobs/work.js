// @ts-check
// What machines do for jobs and other requests, newest first: what runs, what waits and why, what failed. Live.
import { messageOf } from '../../lib/api.js'
import { Action, Field, fieldValue } from '../../lib/controls.js'
import { html, useEffect, useMemo, useState } from '../../lib/html.js'
import { readOlder, readWaiting } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { useGrowing } from '../../look/windowed.js'
import { Activity } from './chart.js'
import { TaskRow } from './row.js'
import { searchTextOf, stateOf } from './state.js'
import { strings } from './strings.js'

/** @import { Live, TaskGroup } from '../../lib/live.js' */
/** @import { Names } from './state.js' */

/** @type {readonly TaskGroup[]} */
const GROUPS = ['all', 'waiting', 'running', 'done', 'failed']
const SHOWN = 30
const WAITING_MS = 5_000

/** @param {string} name @returns {TaskGroup} */
const groupOf = (name) => GROUPS.find((group) => group === name) ?? 'all'

/** Epoch seconds, updated each second while the page is visible. */
function useNow() {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setNow(Date.now() / 1000), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/**
 * The tasks that match the filters, newest first. Below the floor the list has gaps, so nothing older is shown.
 * @param {Live} live
 * @param {TaskGroup} group
 * @param {string} text
 * @param {Names} names
 */
function matching(live, group, text, names) {
  const floor = live.floors.get(group) ?? ''
  const wanted = text.trim().toLowerCase()
  return [...live.tasks.values()]
    .filter((task) => task.task_id >= floor && (group === 'all' || stateOf(task).group === group))
    .filter((task) => wanted === '' || searchTextOf(task, names).includes(wanted))
    .sort((a, b) => (a.task_id < b.task_id ? 1 : -1))
}

/** The frame says that the connection is lost; this says why the studio refuses it. @param {{ refusal: string }} props */
const Refused = ({ refusal }) =>
  html`<p class="callout bad" role="alert">${strings.refusedBefore}<span class="text">${refusal}</span>${strings.refusedAfter}</p>`

/** @param {{ live: Live }} props */
export function Work({ live }) {
  const [group, setGroup] = useState(/** @type {TaskGroup} */ ('all'))
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
  const choose = (/** @type {Event} */ event) => {
    setGroup(groupOf(fieldValue(event)))
    setShown(SHOWN)
  }
  const drawn = useGrowing(Math.min(shown, tasks.length))
  const rows = tasks.slice(0, drawn)
  const isComplete = live.floors.get(group) === ''
  const isSearch = text.trim() !== ''
  const count = isRead ? strings.count(tasks.length, isSearch, isComplete) : shared.loading
  return html`
    ${!live.connected && live.refusal && html`<${Refused} refusal=${live.refusal} />`}
    ${live.error && html`<p class="callout bad" role="alert">${strings.readError}<span class="text">${live.error}</span></p>`}
    <${Activity} />
    <section aria-label=${strings.tasks}>
      <div class="row filters">
        <${Field} label=${strings.show}><select value=${group} onChange=${choose}>${GROUPS.map((one) => html`<option key=${one} value=${one}>${strings.groups[one]}</option>`)}</select><//>
        <${Field} label=${strings.find}><input type="search" value=${text} placeholder=${strings.findExample} onInput=${(/** @type {Event} */ event) => setText(fieldValue(event))} /><//>
        <span class="spread"></span>
        <p class="soft" role="status">${strings.status(live.queueDepth, count)}</p>
      </div>
      ${isRead && rows.length === 0 && html`<p class="empty">${isSearch || group !== 'all' ? strings.noneFound : strings.none}</p>`}
      <ol class="tasks">${rows.map((task) => html`<${TaskRow} key=${task.task_id} task=${task} names=${names} now=${now} />`)}</ol>
      ${
        isRead &&
        (shown < tasks.length || !isComplete) &&
        html`<div class="row older"><${Action} onPress=${more}>${isSearch && shown >= tasks.length ? strings.searchOlder : strings.showOlder}<//></div>`
      }
    </section>`
}
