// Runs one job: the stages in order, the steps of a stage in parallel.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { JobFrame, StepPlan } from '../job-type.ts'
import type { StepPlace } from '../record.ts'
import type { LiveJob } from './live-job.ts'
import { areAllPaused, type Marks } from './step-run.ts'

type Deps = {
  readonly runStep: (job: LiveJob, step: StepPlan<JobFrame>, place: StepPlace, marks: Marks) => Promise<void>
  /** The job gives its place to the next one: see `Lanes`. */
  readonly leave: (job: LiveJob) => void
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the studio stops. */
  readonly over: AbortSignal
}

export function createJobRun({ runStep, leave, log, over }: Deps) {
  return { runJob, cleanUp }

  /** Never rejects. `marks`: progress of the running steps. */
  async function runJob(job: LiveJob, marks: Marks): Promise<void> {
    try {
      if (!(await job.persist({ event: { kind: 'start' } }, job.abort.signal))) return
    } catch (error) {
      return await conclude(job, Failure.from(error))
    }
    let failure: Failure | null = null
    try {
      await runStages(job, marks)
    } catch (error) {
      failure = Failure.from(error)
    }
    await conclude(job, failure)
  }

  async function runStages(job: LiveJob, marks: Marks): Promise<void> {
    for (;;) {
      job.abort.signal.throwIfAborted()
      const stages = job.type.steps(job.params, job, job.id)
      const places = placesOf(stages)
      const stage = stages.find((steps) => steps.some((step) => !hasEnded(job, step)))
      if (!stage) return
      const waiting = stage.filter((step) => !hasEnded(job, step))
      const run = (step: StepPlan<JobFrame>) => runStep(job, step, places.get(step.name)!, marks)
      await sideBySide(waiting, job.type.parallel ?? 1, run, () => areAllPaused(marks) && leave(job))
    }
  }

  /** Writes the end of the job. A job whose end cannot be written stays unfinished until the next start. */
  async function conclude(job: LiveJob, failure: Failure | null): Promise<void> {
    try {
      await writeEnd(job, failure)
    } catch (error) {
      const { code, message } = Failure.from(error)
      log.warn({ job: job.id, err: message }, 'the end of a job could not be written')
      if (over.aborted || failure?.code === code) return
      // Its result or its last event cannot be made, also not later: it must not run for ever.
      await conclude(job, new Failure(code, message))
    }
  }

  async function writeEnd(job: LiveJob, failure: Failure | null): Promise<void> {
    // A step that was cancelled elsewhere, such as on the machine that runs it, cancels its job.
    if (failure?.code === 'CANCELLED' && !over.aborted) await job.persist({ event: { kind: 'cancel' } }, over)
    if (job.record().job.cancelWanted) {
      await cleanUp(job)
      await job.persist({ event: { kind: 'stop' } }, over)
    } else if (over.aborted) await job.change({ event: { kind: 'pause' } })
    else if (failure)
      await job.persist({ event: { kind: 'fail', code: failure.code, message: failure.message, needs: failure.needs } }, over)
    else await job.persist({ event: { kind: 'finish' } }, over)
  }

  /** A failed clean-up leaves files behind and must not prevent the end of the job. */
  async function cleanUp(job: LiveJob): Promise<void> {
    try {
      await job.type.cleanUp?.(job.id, job.params)
    } catch (error) {
      log.warn({ job: job.id, err: Failure.from(error).message }, 'files of a cancelled job could not be removed')
    }
  }
}

const hasEnded = ({ outputs, failures }: LiveJob, { name, optional }: StepPlan<JobFrame>): boolean =>
  outputs.has(name) || (optional === true && failures.has(name))

export function placesOf(stages: readonly (readonly StepPlan<JobFrame>[])[]): Map<string, StepPlace> {
  const steps = stages.flat()
  return new Map(steps.map(({ name }, index) => [name, { name, ordinal: index + 1, total: steps.length }]))
}

/** At most `limit` at a time. After a failure nothing new starts, and running ones are awaited. */
async function sideBySide<T>(items: readonly T[], limit: number, run: (item: T) => Promise<void>, oneLess: () => void): Promise<void> {
  let next = 0
  const failures: unknown[] = []
  const lane = async () => {
    while (next < items.length && failures.length === 0) await run(items[next++]!).catch((error: unknown) => void failures.push(error))
    oneLess()
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
}
