// @ts-check
// The last hour as a chart, a sentence and a table: tasks that ended in each minute, and how many waited at most.
import { exact } from '../../lib/format.js'
import { html, useMemo } from '../../lib/html.js'
import { usePolled } from '../../lib/read.js'
import { grouped } from '../../lib/strings.js'
import { plotOf } from './plot.js'
import { strings } from './strings.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @typedef {Gets['/workers/activity']['minutes']} Minutes */

const EVERY_MS = 10_000
/** 16:20. @param {number} at epoch seconds */
const clock = (at) => exact(at).slice(11)
/** @param {number} share */
const percentage = (share) => `${share * 100}%`
/** @param {number[]} values */
const sum = (values) => values.reduce((all, one) => all + one, 0)

/** @param {{ minutes: Minutes, summary: string }} props */
function Chart({ minutes, summary }) {
  const { ended, waited, times, values } = useMemo(() => plotOf(minutes), [minutes])
  return html`<div class="chart" role="img" aria-label=${summary}>
    ${values.map(({ value, place }) => html`<span key=${`value ${value}`} class="value number" style=${{ bottom: percentage(place) }}>${grouped(value)}</span>`)}
    ${times.map(({ value, place }) => html`<span key=${`time ${value}`} class="time number" style=${{ left: percentage(place) }}>${clock(value)}</span>`)}
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><polyline class="waiting" points=${waited} /><polyline points=${ended} /></svg>
  </div>`
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
  const minutes = usePolled('/workers/activity', EVERY_MS).value?.minutes ?? []
  if (minutes.length === 0) return null
  const done = sum(minutes.map((one) => one.done))
  const failed = sum(minutes.map((one) => one.failed))
  const summary = strings.summary(minutes.length, done, failed, Math.max(0, ...minutes.map(({ waiting }) => waiting)))
  return html`<section class="sheet activity" aria-label=${strings.activity}>
    <div class="row"><h2>${strings.activity}</h2><span class="spread"></span>
      <small class="key"><span class="line" aria-hidden="true"></span>${strings.finishedPerMinute}</small>
      <small class="key"><span class="line waiting" aria-hidden="true"></span>${strings.peakWaiting}</small></div>
    ${minutes.length >= 2 && html`<${Chart} minutes=${minutes} summary=${summary} />`}
    <p class="soft words">${summary}</p>
    ${minutes.length >= 2 && html`<${Table} minutes=${minutes} />`}
  </section>`
}
