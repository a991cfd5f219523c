// The view of a job for people: its record, and while it runs its current step, progress and remaining time.
import type { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Costs, type StepLoad, secondsLeft } from './estimate.ts'
import type { JobRecord } from './record.ts'
import type { LiveJob } from './run/live-job.ts'
import type { Marks } from './run/step-run.ts'

export type JobView = {
  readonly record: JobRecord
  /** 0 to 1; null before the first step starts, and while no known step has a weight. */
  readonly progress: number | null
  /** Whole seconds; null if unknown and after the end. */
  readonly secondsLeft: number | null
  /** The refusal of the limit of the maker that holds the job now; absent if none does. */
  readonly heldBy?: Failure
}

export const endedView = (record: JobRecord): JobView => ({
  record,
  progress: record.job.status === 'done' ? 1 : null,
  secondsLeft: null,
})

export function liveView(job: LiveJob, marks: Marks, costs: Costs, clock: Clock): JobView {
  const record = job.record()
  if (record.job.status !== 'running' || record.step === null) return { record, progress: null, secondsLeft: null }
  const steps = job.type.steps(job.params, job, job.id).flat()
  const remaining = steps.filter(({ name }) => !job.outputs.has(name) && !job.failures.has(name))
  const loads = remaining.map(({ name, key }): StepLoad => {
    const mark = marks.get(name)
    return {
      kind: key.kind,
      elapsedMs: mark ? clock.mono() - mark.startedAt : null,
      fraction: mark?.progress?.fraction ?? null,
      secondsLeft: mark?.progress?.secondsLeft ?? null,
    }
  })
  const weightOf = ({ weight = 1 }: { readonly weight?: number }) => weight
  const whole = steps.reduce((sum, step) => sum + weightOf(step), 0)
  const left = remaining.reduce((sum, step, at) => sum + weightOf(step) * (1 - (loads[at]!.fraction ?? 0)), 0)
  const heldBy = [...marks.values()].map((mark) => mark.heldBy).find((reason) => reason !== null) ?? null
  return {
    record,
    progress: whole === 0 ? null : (whole - left) / whole,
    secondsLeft: heldBy === null ? secondsLeft(loads, costs, job.type.parallel ?? 1) : null,
    ...(heldBy !== null && { heldBy }),
  }
}
