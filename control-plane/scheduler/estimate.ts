// Measured durations of loading and working, which the predicted finish time is computed from. In memory only: a restart begins with the
// priors again.

import type { Change } from '#control-plane/tasks/record.ts'
import type { Clock } from '#shared/runtime/clock.ts'

export type Estimates = ReturnType<typeof createEstimates>
/** Until the first measurement: an engine loads in 5 s and speaks 100 characters a second. */
const PRIOR = { loadMs: 5_000, msPerUnit: 10 }
const WEIGHT = 0.3 // of the newest measurement

export function createEstimates(clock: Clock) {
  const measured = new Map<string, { loadMs: number; msPerUnit: number }>()
  const since = new Map<string, number>() // attempt -> when its phase began
  const loading = new Map<string, number>() // attempt -> how long it took to load: a measurement only if the attempt succeeds
  const finishedOnce = new Set<string>()
  const keyOf = (workerId: string, engine: string, model: string, operation: string) => `${workerId}|${engine}|${model}|${operation}`
  const blend = (old: number, now: number) => old + WEIGHT * (now - old)

  return {
    of: (workerId: string, engine: string, model: string, operation: string) =>
      measured.get(keyOf(workerId, engine, model, operation)) ?? PRIOR,
    /** Same as `of`, but null until such a task has finished there. */
    measured(workerId: string, engine: string, model: string, operation: string) {
      const key = keyOf(workerId, engine, model, operation)
      return finishedOnce.has(key) ? (measured.get(key) ?? null) : null
    },
    /** Time of the attempt in its phase; null when the phase began before this start of the studio. */
    sinceMs(attemptId: string): number | null {
      const at = since.get(attemptId)
      return at === undefined ? null : clock.mono() - at
    },
    /** Follows the committed changes. */
    follow(changes: readonly Change[]): void {
      for (const { record, before, event } of changes) {
        const { spec, task } = record
        const attemptId = task.attemptId ?? before?.attemptId
        const workerId = task.workerId ?? before?.workerId
        if (!attemptId || !workerId || !event) continue
        const now = clock.mono()
        const key = keyOf(workerId, spec.engine, spec.model, spec.operation)
        const old = measured.get(key) ?? PRIOR
        const took = now - (since.get(attemptId) ?? now)
        if (event.kind === 'start') loading.set(attemptId, took)
        // A failed attempt is no speed: a machine that fails at once would look like the fastest.
        if (event.kind === 'complete' && task.phase === 'succeeded') {
          const loadMs = blend(old.loadMs, loading.get(attemptId) ?? old.loadMs)
          measured.set(key, { loadMs, msPerUnit: blend(old.msPerUnit, took / Math.max(1, spec.size)) })
          finishedOnce.add(key)
        }
        if (task.attemptId === null) {
          since.delete(attemptId)
          loading.delete(attemptId)
        } else if (event.kind === 'accept' || event.kind === 'start') since.set(attemptId, now)
      }
    },
  }
}
