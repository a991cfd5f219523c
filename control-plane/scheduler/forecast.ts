// Predicts when a task will be finished: a running one from its own pace, a waiting one from the work before it. For people only; no
// decision reads it. Without measurements there is no prediction.
import type { Phase } from '#shared/protocol/task.ts'
import type { Unplaced } from './place.ts'

/** One busy worker for one engine: tasks at once, pace, and the milliseconds it still needs for the tasks it holds. */
export type ForecastLane = { readonly permits: number; readonly msPerUnit: number; readonly leftMs: number }
export type MeasuredPace = { readonly loadMs: number; readonly msPerUnit: number }
type Running = {
  readonly phase: Phase
  readonly size: number
  readonly progress: number
  /** Since its phase began; null when that is not known. */
  readonly sinceMs: number | null
  /** Null: this worker has never finished such a task. */
  readonly pace: MeasuredPace | null
}

/** Below this share the pace of earlier tasks predicts better than the task itself. */
const MIN_PROGRESS = 0.05

/** Milliseconds that a held task still needs; null when unknown. */
export function remaining({ phase, size, progress, sinceMs, pace }: Running): number | null {
  const past = sinceMs ?? 0
  if (phase === 'running' || phase === 'delivering') {
    if (progress >= MIN_PROGRESS && sinceMs !== null) return (past * (1 - Math.min(1, progress))) / progress
    return pace && Math.max(0, pace.msPerUnit * size - past)
  }
  if (phase === 'loading' || phase === 'offered') return pace && Math.max(0, pace.loadMs - past) + pace.msPerUnit * size
  return null
}

/**
 * Milliseconds until each waiting task is finished, by its id. Tasks that wait for the same workers share these as one pool; a task whose
 * every worker is away, paused or unmeasured is not in the answer.
 */
export function forecast(
  unplaced: readonly Unplaced[],
  lane: (workerId: string, need: Unplaced['line']['need']) => ForecastLane | null,
): ReadonlyMap<string, number> {
  type Waiting = { readonly id: string; readonly priority: number; readonly seq: number; readonly ownMs: number }
  const pools = new Map<string, { readonly lanes: readonly ForecastLane[]; readonly waiting: Waiting[] }>()
  for (const { line, why } of unplaced) {
    const busy = why.flatMap(({ workerId, reason }) => (reason === 'busy' ? [workerId] : []))
    const key = `${line.need.engine}|${busy.join()}`
    const lanes = busy.flatMap((id) => lane(id, line.need) ?? [])
    if (lanes.length === 0) continue
    const pool = pools.get(key) ?? { lanes, waiting: [] }
    pools.set(key, pool)
    const msPerUnit = lanes.reduce((sum, one) => sum + one.msPerUnit, 0) / lanes.length
    for (const { id, seq, size } of line.waiting.values()) pool.waiting.push({ id, seq, priority: line.priority, ownMs: msPerUnit * size })
  }
  const ends = new Map<string, number>()
  for (const { lanes, waiting } of pools.values()) {
    const permits = lanes.reduce((sum, one) => sum + one.permits, 0)
    let aheadMs = lanes.reduce((sum, one) => sum + one.leftMs, 0)
    waiting.sort((a, b) => a.priority - b.priority || a.seq - b.seq)
    for (const { id, ownMs } of waiting) {
      ends.set(id, aheadMs / permits + ownMs)
      aheadMs += ownMs
    }
  }
  return ends
}
