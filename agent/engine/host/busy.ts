// Measures how long one step has blocked the main thread of an engine host. Seconds in which the host computed count, and seconds in which
// nothing in it computed or waited for a processor, as in a deadlock or a call of a device. Time that a busy machine gave to other programs
// does not count: a step that is slow for that reason is not hung. Pure.

import { longestDelay, type ThreadDelays } from './grace.ts'

/** Processor seconds within a second below which the host did not compute; the heartbeat itself needs less. */
const STILL_SECONDS = 0.01
/** Each second counts at least as much, so that a host which never gets a processor is given up as well. */
const MIN_SECONDS = 1 / 30

/**
 * Called once a second; returns the counted seconds since the last tick of the main thread. `cpuSeconds`: processor time of the whole host so
 * far. `delays`: what its threads have waited for a processor so far.
 */
export function createBusyMeter(): (ticks: number, cpuSeconds: number, delays: () => ThreadDelays) => number {
  let lastTicks = -1
  let lastCpu = 0
  let before: ThreadDelays | null = null
  let busy = 0
  return (ticks, cpuSeconds, delays) => {
    const computed = cpuSeconds - lastCpu
    lastCpu = cpuSeconds
    if (ticks !== lastTicks) {
      lastTicks = ticks
      before = null
      busy = 0
      return busy
    }
    const now = delays()
    const waited = before === null ? 0 : longestDelay(before, now) / 1000
    before = now
    const counted = computed < STILL_SECONDS ? 1 - waited : Math.min(1, computed)
    busy += Math.max(MIN_SECONDS, counted)
    return busy
  }
}
