// Finds the times of the wall clock that belong to the last hour, although that clock may have jumped meanwhile: for the ages of files.
import type { Clock } from '#shared/runtime/clock.ts'

/** Epoch milliseconds. What was written in the window has a time between them. */
export type WallWindow = { readonly from: number; readonly to: number }

/** The window of the last `ms`. Call the result again and again: a jump counts from the first call after it. */
export function createWallWindow(clock: Pick<Clock, 'now' | 'mono'>, ms: number): () => WallWindow {
  /** Lead of the wall clock, oldest first, and the end of each. */
  let ahead: { by: number; until: number }[] = []
  return () => {
    const mono = clock.mono()
    const by = clock.now() - mono
    const last = ahead.at(-1)
    // Less than a second is the ordinary correction of a clock.
    if (last && Math.abs(last.by - by) < SAME_MS) last.until = mono
    else ahead.push({ by, until: mono })
    ahead = ahead.filter(({ until }) => until >= mono - ms)
    const all = ahead.map((each) => each.by)
    return { from: mono - ms + Math.min(...all) - SAME_MS, to: mono + Math.max(...all) + SAME_MS }
  }
}
const SAME_MS = 1_000
