// Counts finished tasks and the maximum of waiting tasks: for each of the last 60 minutes in memory, and for each quarter of an hour in the database.
// A killed studio loses the counts of its last quarter; the tasks themselves are elsewhere.

import type { Change } from '#control-plane/tasks/record.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type ActivityStore, QUARTER_S } from './activity.store.ts'
import type { ActivityMinute } from './events.contract.ts'

type Minute = { at: number; done: number; failed: number; waiting: number }
type Deps = { readonly clock: Clock; readonly queued: () => number; readonly store: ActivityStore; readonly log: Log }
export type Activity = ReturnType<typeof createActivity>

const MINUTES = 60
const MINUTE_MS = 60_000
/** Quarters of an hour in a span, by the days that are shown: about a hundred spans. */
const QUARTERS: readonly (readonly [days: number, quarters: number])[] = [
  [1, 1],
  [7, 8],
  [30, 32],
]

export function createActivity({ clock, queued, store, log }: Deps) {
  const minutes: Minute[] = []
  let quarter: Minute | null = null

  // The queue depth changes only with a commit: a minute without one keeps the depth of the last one.
  function current(): Minute {
    const at = Math.floor(clock.now() / MINUTE_MS)
    const last = minutes.at(-1)
    if (last && last.at >= at) return last // also if the clock was set back
    for (let next = Math.max(at - MINUTES + 1, last ? last.at + 1 : at); next <= at; next++)
      minutes.push({ at: next, done: 0, failed: 0, waiting: last ? depth : queued() })
    minutes.splice(0, minutes.length - MINUTES)
    return minutes.at(-1)!
  }
  let depth = 0

  /** Stores the quarter that has ended. On a full disk its counts are lost, because the tasks of the next one are worth more. */
  function flush(): void {
    if (!quarter) return
    const ended = quarter
    quarter = null
    try {
      store.add(ended)
    } catch (error) {
      log.warn({ err: String(error) }, 'the activity of a quarter of an hour was not stored')
    }
  }
  function currentQuarter(): Minute {
    const at = Math.floor(clock.now() / 1000 / QUARTER_S) * QUARTER_S
    if (quarter && quarter.at !== at) flush()
    quarter ??= { at, done: 0, failed: 0, waiting: 0 }
    return quarter
  }

  /** The days in spans of equal length, the oldest first, without a gap. */
  function spansOf(days: number) {
    const [, quarters] = QUARTERS.find(([most]) => days <= most) ?? QUARTERS.at(-1)!
    const seconds = quarters * QUARTER_S
    const startOf = (at: number) => Math.floor(at / seconds) * seconds
    const last = startOf(currentQuarter().at)
    const first = startOf(last - days * 86_400) + seconds
    const spans = new Map<number, Minute>()
    for (let at = first; at <= last; at += seconds) spans.set(at, { at, done: 0, failed: 0, waiting: 0 })
    for (const row of [...store.since(first), currentQuarter()]) {
      const span = spans.get(startOf(row.at))
      if (!span) continue // of a clock that was set back
      span.done += row.done
      span.failed += row.failed
      span.waiting = Math.max(span.waiting, row.waiting)
    }
    return { span_seconds: seconds, spans: [...spans.values()] as ActivityMinute[] }
  }

  return {
    committed(changes: readonly Change[]): void {
      const counted = [current(), currentQuarter()]
      depth = queued()
      for (const one of counted) {
        for (const { record } of changes)
          if (record.finishedAt !== null) {
            if (record.task.phase === 'succeeded') one.done++
            else one.failed++
          }
        one.waiting = Math.max(one.waiting, depth)
      }
    },
    flush,
    /** `days`: of the spans; null without them. */
    read(days: number | null) {
      current()
      return {
        minutes: minutes.map(({ at, ...counts }) => ({ at: at * (MINUTE_MS / 1000), ...counts })),
        ...(days !== null && spansOf(days)),
      }
    },
  }
}
