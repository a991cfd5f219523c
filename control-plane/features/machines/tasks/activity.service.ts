// Counts finished tasks and the maximum of waiting tasks for each of the last 60 minutes. In memory only.

import type { Change } from '#control-plane/tasks/record.ts'
import type { Clock } from '#shared/runtime/clock.ts'

type Minute = { at: number; done: number; failed: number; waiting: number }
type Deps = { readonly clock: Clock; readonly queued: () => number }
export type Activity = ReturnType<typeof createActivity>

const MINUTES = 60
const MINUTE_MS = 60_000

export function createActivity({ clock, queued }: Deps) {
  const minutes: Minute[] = []

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

  return {
    committed(changes: readonly Change[]): void {
      const minute = current()
      for (const { record } of changes)
        if (record.finishedAt !== null) {
          if (record.task.phase === 'succeeded') minute.done++
          else minute.failed++
        }
      depth = queued()
      minute.waiting = Math.max(minute.waiting, depth)
    },
    read: () => {
      current()
      return { minutes: minutes.map(({ at, ...counts }) => ({ at: at * (MINUTE_MS / 1000), ...counts })) }
    },
  }
}
