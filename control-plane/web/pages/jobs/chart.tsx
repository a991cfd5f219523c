// The last hour as a chart, a sentence and a table: tasks that ended in each minute, and how many waited at most.

import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { exact } from '#control-plane/web/lib/format.ts'
import { useMemo } from '#control-plane/web/lib/html.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { grouped } from '#messages/language.ts'
import { strings } from '#messages/system/jobs.ts'
import { plotOf } from './plot.ts'

export type Minutes = Gets['/workers/activity']['minutes']

const EVERY_MS = 10_000
/** 16:20. `at`: epoch seconds */
const clock = (at: number) => exact(at).slice(11)
const percentage = (share: number) => `${share * 100}%`
const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)

function Chart({ minutes, summary }: { minutes: Minutes; summary: string }) {
  const { ended, waited, times, values } = useMemo(() => plotOf(minutes), [minutes])
  return (
    <div class="chart" role="img" aria-label={summary}>
      {values.map(({ value, place }) => (
        <span key={`value ${value}`} class="value number" style={{ bottom: percentage(place) }}>
          {grouped(value)}
        </span>
      ))}
      {times.map(({ value, place }) => (
        <span key={`time ${value}`} class="time number" style={{ left: percentage(place) }}>
          {clock(value)}
        </span>
      ))}
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <polyline class="waiting" points={waited} />
        <polyline points={ended} />
      </svg>
    </div>
  )
}

const Table = ({ minutes }: { minutes: Minutes }) => (
  <details>
    <summary>{strings.asTable}</summary>
    <div class="wide" tabindex={0} role="region" aria-label={strings.table}>
      <table>
        <thead>
          <tr>
            {strings.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {minutes.toReversed().map(({ at, ...row }) => (
            <tr key={at}>
              <th scope="row">{clock(at)}</th>
              <td>{row.done}</td>
              <td>{row.failed}</td>
              <td>{row.waiting}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)

export function Activity() {
  const minutes = usePolled('/workers/activity', EVERY_MS).value?.minutes ?? []
  if (minutes.length === 0) return null
  const done = sum(minutes.map((one) => one.done))
  const failed = sum(minutes.map((one) => one.failed))
  const summary = strings.summary(minutes.length, done, failed, Math.max(0, ...minutes.map(({ waiting }) => waiting)))
  return (
    <section class="sheet activity" aria-label={strings.activity}>
      <div class="row">
        <h2>{strings.activity}</h2>
        <span class="spread"></span>
        <small class="key">
          <span class="line" aria-hidden="true"></span>
          {strings.finishedPerMinute}
        </small>
        <small class="key">
          <span class="line waiting" aria-hidden="true"></span>
          {strings.peakWaiting}
        </small>
      </div>
      {minutes.length >= 2 && <Chart minutes={minutes} summary={summary} />}
      <p class="soft words">{summary}</p>
      {minutes.length >= 2 && <Table minutes={minutes} />}
    </section>
  )
}
