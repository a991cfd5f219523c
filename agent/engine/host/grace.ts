// The grace period of a cancelled run. Time in which its host was ready to run and got no processor does not count: on a busy machine a
// host that obeys its cancellations must not be taken for one that ignores them, because its other runs would be lost with it.

import { readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '#shared/runtime/clock.ts'

/** A host that got no processor for so many times the grace is given up as well. */
const MAX_GRACES = 30

/** Milliseconds that each thread of a process has waited for a free processor. Empty if the system does not report it, as outside Linux. */
export type ThreadDelays = ReadonlyMap<string, number>

export function threadDelays(pid: number): ThreadDelays {
  const delays = new Map<string, number>()
  for (const thread of orNothing(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
    const [, waitedNs] = orNothing(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))?.split(' ') ?? []
    if (waitedNs !== undefined) delays.set(thread, Number(waitedNs) / 1e6)
  }
  return delays
}

/** The milliseconds of the thread that waited longest between two reports. */
export const longestDelay = (before: ThreadDelays, now: ThreadDelays): number =>
  Math.max(0, ...[...now].map(([thread, ms]) => ms - (before.get(thread) ?? 0)))

/** Null if it fails: on another system, or when the process or one of its threads has just ended. */
function orNothing<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/**
 * Calls `act` once, when `graceMs` have passed in which no thread of `pid` waited for a processor, and at the latest after thirty times as long.
 * The caller decides whether the run has stopped by then.
 */
export function afterGrace(
  clock: Pick<Clock, 'mono' | 'after'>,
  pid: number | undefined,
  graceMs: number,
  act: () => void,
  delaysOf = threadDelays,
): void {
  const from = clock.mono()
  const before = pid === undefined ? new Map<string, number>() : delaysOf(pid)
  const wait = (ms: number): void => void clock.after(ms, check)
  const check = () => {
    const longest = longestDelay(before, pid === undefined ? before : delaysOf(pid))
    const passed = clock.mono() - from
    const left = Math.min(graceMs + longest, MAX_GRACES * graceMs) - passed
    // A timer may fire a fraction of a millisecond early.
    if (left < 1) act()
    else wait(left)
  }
  wait(graceMs)
}
