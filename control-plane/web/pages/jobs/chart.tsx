// The last hour, or some days, as a chart, a sentence and a table: tasks that ended in each minute or span, and how many waited at most.

import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { exact } from '#control-plane/web/lib/format.ts'
import { useMemo } from '#control-plane/web/lib/html.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { grouped } from '#messages/language.ts'
import { strings } from '#messages/system/jobs.ts'
import { plotOf } from './plot.ts'

export type Minutes = Gets['/workers/activity']['minutes']

const EVERY_MS = 10_000
/** Days that can be chosen; 0 is the last hour. */
const RANGES = [0, 1, 7, 30]
/** 16:20. `at`: epoch seconds */
const clock = (at: number) => exact(at).slice(11)
/** 11-30 */
const day = (at: number) => exact(at).slice(5, 10)
export const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
/** 1 hour, 24 hours, 7 days. `days`: 0 for the last hour */
export const rangeOf = (days: number) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: days <= 1 ? 'hour' : 'day', unitDisplay: 'long' }).format(
    days === 0 ? 1 : days === 1 ? 24 : days,
  )
const percentage = (share: number) => `${share * 100}%`

function Chart({ minutes, summary, label }: { minutes: Minutes; summary: string; label: (at: number) => string }) {
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
          {label(value)}
        </span>
      ))}
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <polyline class="waiting" points={waited} />
        <polyline points={ended} />
      </svg>
    </div>
  )
}

const Table = ({ minutes, columns, label }: { minutes: Minutes; columns: readonly string[]; label: (at: number) => string }) => (
  <details>
    <summary>{strings.asTable}</summary>
    <div class="wide" tabindex={0} role="region" aria-label={strings.table}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {minutes.toReversed().map(({ at, ...row }) => (
            <tr key={at}>
              <th scope="row">{label(at)}</th>
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

/** The last hour. */
export const Activity = () => <Shown days={0} minutes={usePolled('/workers/activity', EVERY_MS).value?.minutes ?? []} />

/** `days`: 0 for the last hour */
function Shown({ days, minutes }: { days: number; minutes: Minutes }) {
  if (minutes.length === 0) return null
  const done = sum(minutes.map((one) => one.done))
  const failed = sum(minutes.map((one) => one.failed))
  const most = Math.max(0, ...minutes.map(({ waiting }) => waiting))
  const [, ...names] = strings.columns
  const summary =
    days > 0
      ? [rangeOf(days), ...[done, failed, most].map((count, at) => `${names[at]}: ${grouped(count)}`)].join(' · ')
      : strings.summary(minutes.length, done, failed, most)
  const label = days > 1 ? day : clock
  return (
    <section class="sheet activity" aria-label={strings.activity}>
      <div class="row">
        <h2>{strings.activity}</h2>
        <span class="spread"></span>
        <small class="key">
          <span class="line" aria-hidden="true"></span>
          {days > 0 ? strings.finished : strings.finishedPerMinute}
        </small>
        <small class="key">
          <span class="line waiting" aria-hidden="true"></span>
          {strings.peakWaiting}
        </small>
      </div>
      {minutes.length >= 2 && <Chart minutes={minutes} summary={summary} label={label} />}
      <p class="soft words">{summary}</p>
      {minutes.length >= 2 && (
        <Table minutes={minutes} columns={days > 0 ? [strings.time, ...names] : strings.columns} label={days > 1 ? exact : clock} />
      )}
    </section>
  )
}

type Range = { chosen: number; days: number; minutes: Minutes; onDays: (days: number) => void }
/** With a choice of the time that is shown. `minutes`: of `days`, until those of the `chosen` time are read */
export function ActivityOfDays({ chosen, days, minutes, onDays }: Range) {
  return (
    <>
      <div class="row segments" role="group" aria-label={strings.activity}>
        {RANGES.map((one) => (
          <button key={one} type="button" class="quiet" aria-pressed={chosen === one} onClick={() => onDays(one)}>
            {rangeOf(one)}
          </button>
        ))}
      </div>
      <Shown days={days} minutes={minutes} />
    </>
  )
}
