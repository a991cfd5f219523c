// @ts-check
// The last hour as a chart, a sentence and a table: tasks that ended in each minute, and how many waited at most.
import { get } from '../../lib/api.js'
import { exact } from '../../lib/format.js'
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { grouped } from '../../lib/strings.js'
import { onThemeChange, themeColor } from '../../look/theme.js'
import { strings } from './strings.js'

/** @import UPlot from 'uplot' */
/** @import { Gets } from '../../lib/api-types.ts' */
/** @typedef {Gets['/workers/activity']['minutes']} Minutes */

const EVERY_MS = 10_000
const HEIGHT = 160
/** Seconds that are shown at least, so that the first minutes of a studio are not stretched over the chart. */
const LEAST = 900
/** 16:20. @param {number} at epoch seconds */
const clock = (at) => exact(at).slice(11)
/** @param {number[]} values */
const sum = (values) => values.reduce((all, one) => all + one, 0)

/** @param {number} width @returns {UPlot.Options} */
function options(width) {
  const line = { stroke: themeColor('--line'), width: 1 }
  const axis = { stroke: themeColor('--text-3'), grid: line, ticks: line }
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 28, 0, 0],
    scales: {
      x: { range: (_, first, end) => [Math.min(first, end - LEAST), end] },
      y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] },
    },
    axes: [
      { ...axis, values: (_, splits) => splits.map(clock), space: 90 },
      { ...axis, values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? grouped(value) : '')), size: 54 },
    ],
    series: [
      {},
      { stroke: themeColor('--accent'), width: 2, points: { show: false } },
      { stroke: themeColor('--warn-dot'), width: 2, dash: [6, 4], points: { show: false } },
    ],
  }
}

/** @returns {Minutes} */
function useActivity() {
  const [minutes, setMinutes] = useState(/** @type {Minutes} */ ([]))
  useEffect(() => {
    const read = () =>
      document.hidden ||
      get('/workers/activity').then(
        (activity) => setMinutes(activity.minutes),
        () => {}, // the page shows a lost connection
      )
    read()
    const timer = setInterval(read, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return minutes
}

/** A number that changes whenever the chart must be drawn again: another theme or another width. */
function useLook() {
  const [look, setLook] = useState(0)
  useEffect(() => {
    const change = () => setLook((count) => count + 1)
    const stop = onThemeChange(change)
    addEventListener('resize', change)
    return () => {
      stop()
      removeEventListener('resize', change)
    }
  }, [])
  return look
}

/** @param {{ minutes: Minutes }} props */
const Table = ({ minutes }) => html`<details><summary>${strings.asTable}</summary>
  <div class="wide" tabindex="0" role="region" aria-label=${strings.table}><table>
    <thead><tr>${strings.columns.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>
    <tbody>${minutes
      .toReversed()
      .map(
        ({ at, ...row }) =>
          html`<tr key=${at}><th scope="row">${clock(at)}</th><td>${row.done}</td><td>${row.failed}</td><td>${row.waiting}</td></tr>`,
      )}</tbody>
  </table></div></details>`

export function Activity() {
  const minutes = useActivity()
  const look = useLook()
  const place = useRef(/** @type {HTMLElement | null} */ (null))
  useEffect(() => {
    if (minutes.length < 2 || !place.current) return
    /** @type {[number[], number[], number[]]} */
    const rows = [minutes.map(({ at }) => at), minutes.map(({ done, failed }) => done + failed), minutes.map(({ waiting }) => waiting)]
    const { current } = place
    let isGone = false
    /** @type {UPlot | undefined} */
    let chart
    // Without the chart the sentence and the table say the same.
    const draw = async () => {
      const { default: Plot } = await import('uplot')
      if (!isGone) chart = new Plot(options(current.clientWidth), rows, current)
    }
    draw().catch(() => {})
    return () => {
      isGone = true
      chart?.destroy()
    }
  }, [minutes, look])
  if (minutes.length === 0) return null
  const done = sum(minutes.map((one) => one.done))
  const failed = sum(minutes.map((one) => one.failed))
  const summary = strings.summary(minutes.length, done, failed, Math.max(0, ...minutes.map(({ waiting }) => waiting)))
  return html`<section class="sheet activity" aria-label=${strings.activity}>
    <div class="row"><h2>${strings.activity}</h2><span class="spread"></span>
      <small class="key"><span class="line" aria-hidden="true"></span>${strings.finishedPerMinute}</small>
      <small class="key"><span class="line waiting" aria-hidden="true"></span>${strings.peakWaiting}</small></div>
    ${minutes.length >= 2 && html`<div class="chart" ref=${place} role="img" aria-label=${summary}></div>`}
    <p class="soft words">${summary}</p>
    ${minutes.length >= 2 && html`<${Table} minutes=${minutes} />`}
  </section>`
}
