// Two curves over the last hour: tasks that ended in each minute, and how many waited. The same in words and as a table beside it.
import UPlot from 'uplot'
import { get } from '../api.js'
import { html, useEffect, useRef, useState } from '../html.js'
import { colour, onThemeChange } from '../theme.js'

const EVERY_MS = 10_000
const HEIGHT = 160
/** Seconds that are shown at least, so that a studio that has just started draws no cliff. */
const LEAST = 900
const clock = (at) => new Date(at * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
const sum = (values) => values.reduce((all, one) => all + one, 0)

function options(width) {
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line'), width: 1 } }
  const whole = (_, splits) => splits.map((value) => (Number.isInteger(value) ? value : ''))
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 28, 0, 0],
    scales: {
      x: { range: (_, first, end) => [Math.min(first, end - LEAST), end] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      { ...axis, values: (_, splits) => splits.map(clock), space: 90 },
      { ...axis, values: whole, size: 54 },
    ],
    series: [
      {},
      { label: 'ended', stroke: colour('--accent'), width: 2, points: { show: false } },
      { label: 'waiting', stroke: colour('--warn'), width: 2, dash: [6, 4], points: { show: false } },
    ],
  }
}

function useActivity() {
  const [minutes, setMinutes] = useState([])
  useEffect(() => {
    const read = () =>
      document.hidden ||
      get('/workers/activity').then(
        ({ minutes: now }) => setMinutes(now),
        () => {}, // the page says by itself that the studio is away
      )
    read()
    const timer = setInterval(read, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return minutes
}

export function Activity() {
  const minutes = useActivity()
  const ref = useRef(null)
  const [theme, setTheme] = useState(0)
  useEffect(() => {
    const again = () => setTheme((count) => count + 1)
    const stop = onThemeChange(again)
    addEventListener('resize', again)
    return () => {
      stop()
      removeEventListener('resize', again)
    }
  }, [])
  useEffect(() => {
    if (minutes.length < 2 || !ref.current) return
    const rows = [minutes.map(({ at }) => at), minutes.map(({ done, failed }) => done + failed), minutes.map(({ waiting }) => waiting)]
    const chart = new UPlot(options(ref.current.clientWidth), rows, ref.current)
    return () => chart.destroy()
  }, [minutes, theme])

  const done = sum(minutes.map((one) => one.done))
  const failed = sum(minutes.map((one) => one.failed))
  const most = Math.max(0, ...minutes.map(({ waiting }) => waiting))
  const words = `Last ${minutes.length === 1 ? 'minute' : `${minutes.length} minutes`}: ${done} done, ${failed} failed or cancelled, at most ${most} waiting.`
  if (minutes.length === 0) return null
  return html`<section class="sheet activity" aria-label="Activity">
    <div class="row"><h2>Activity</h2><span class="spread"></span>
      <small class="key"><span class="line" aria-hidden="true"></span>ended in a minute</small>
      <small class="key"><span class="line waiting" aria-hidden="true"></span>waiting at most</small></div>
    ${minutes.length >= 2 && html`<div class="chart" ref=${ref} role="img" aria-label=${words}></div>`}
    <p class="soft words">${words}</p>
    ${
      minutes.length >= 2 &&
      html`<details><summary>The same as a table</summary><div class="wide" tabindex="0" role="region" aria-label="Activity as a table"><table>
      <thead><tr><th scope="col">Minute</th><th scope="col">Done</th><th scope="col">Failed or cancelled</th><th scope="col">Waiting at most</th></tr></thead>
      <tbody>${minutes.toReversed().map(({ at, ...row }) => html`<tr key=${at}><th scope="row">${clock(at)}</th><td>${row.done}</td><td>${row.failed}</td><td>${row.waiting}</td></tr>`)}</tbody>
    </table></div></details>`
    }
  </section>`
}
