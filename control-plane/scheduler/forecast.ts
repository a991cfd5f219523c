// When a task is probably finished: what runs by its own pace, what waits by the work that is before it. A guess for people, made of the
// measurements that placement uses; nothing is decided upon it. Nothing measured, nothing said.
import type { Phase } from '#shared/protocol/task.ts'
import type { Unplaced } from './place.ts'

/** What one busy worker has for one engine: how many at once, how fast, and the milliseconds it still needs for what it holds. */
export type Lane = { readonly permits: number; readonly msPerUnit: number; readonly leftMs: number }
export type Pace = { readonly loadMs: number; readonly msPerUnit: number }
type Running = {
  readonly phase: Phase
  readonly size: number
  readonly progress: number
  /** Since its phase began; null when that was not seen. */
  readonly sinceMs: number | null
  /** Null: this worker has never finished such a task. */
  readonly pace: Pace | null
}

/** Below this the pace of the task itself says less than the earlier ones do. */
const TELLING = 0.05

/** Milliseconds that a task which a worker holds still needs; null when nothing is known. */
export function remaining({ phase, size, progress, sinceMs, pace }: Running): number | null {
  const past = sinceMs ?? 0
  if (phase === 'running' || phase === 'delivering') {
    if (progress >= TELLING && sinceMs !== null) return (past * (1 - Math.min(1, progress))) / progress
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
  lane: (workerId: string, need: Unplaced['line']['need']) => Lane | null,
): ReadonlyMap<string, number> {
  type Waiting = { readonly id: string; readonly priority: number; readonly seq: number; readonly ownMs: number }
  const pools = new Map<string, { readonly lanes: readonly Lane[]; readonly waiting: Waiting[] }>()
  for (const { line, why } of unplaced) {
    const busy = why.flatMap(({ workerId, reason }) => (reason === 'busy' ? [workerId] : []))
    const key = `${line.need.engine}|${busy.join()}`
    const known = pools.get(key)
    const lanes = busy.flatMap((id) => lane(id, line.need) ?? [])
    if (lanes.length === 0) continue
    const pool = known ?? { lanes, waiting: [] }
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
