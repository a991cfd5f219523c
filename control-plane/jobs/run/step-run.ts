// Runs one step of one job: reuses the result of an equal key, joins a running flight, or starts one. The end, the result and the event of
// the step become durable together.
import { withPatience } from '#control-plane/clients/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { JobFrame, StepPlan, StepProgress } from '../job-type.ts'
import { keyOf } from '../key.ts'
import type { StepPlace, StepRow } from '../record.ts'
import type { JobStore } from '../store/job.store.ts'
import { untilAbort } from '../until-abort.ts'
import type { Flights, Flying, Landing, Participant } from './flights.ts'
import type { Lanes } from './lanes.ts'
import type { LiveJob } from './live-job.ts'
import { createProgressEvents, type ProgressEvents } from './progress-events.ts'
import { madeOutput, storedOutput } from './step-outputs.ts'

/** Progress of a step, for the view of its job. */
export type StepMark = {
  readonly step: StepPlan<JobFrame>
  readonly startedAt: number
  progress: StepProgress<JobFrame> | null
  /** It waits for something outside. */
  isPaused: boolean
  /** The limit of the maker that holds it, as a sentence; null if none does. */
  heldBy: Failure | null
}
export type Marks = Map<string, StepMark>
/** Steps are running, and each waits for something outside. */
export const areAllPaused = (marks: Marks): boolean => marks.size > 0 && [...marks.values()].every(({ isPaused }) => isPaused)
type Deps = {
  readonly store: Pick<JobStore, 'result'>
  readonly flights: Flights
  readonly lanes: Pick<Lanes, 'leave' | 'comeBack'>
  readonly clock: Clock
  /** Called with each progress report. */
  readonly progressed: (job: LiveJob) => void
  readonly measured: (kind: string, ms: number) => void
}

export function createStepRun({ store, flights, lanes, clock, progressed, measured }: Deps) {
  /** Resolves when the end of the step is durable. Rejects with the reason of the job's signal, or with the failure of a required step. */
  return async function runStep(job: LiveJob, step: StepPlan<JobFrame>, place: StepPlace, marks: Marks): Promise<void> {
    const { signal } = job.abort
    const key = keyOf(step.key)
    const row: StepRow = {
      name: step.name,
      ordinal: place.ordinal,
      state: 'running',
      key,
      taskId: job.noted.get(step.name) ?? null,
      resultKey: null,
      failure: null,
    }
    await untilAbort(lanes.comeBack(job), signal)
    await job.persist({ steps: [row], place }, signal)
    const mark: StepMark = { step, startedAt: clock.mono(), progress: null, isPaused: false, heldBy: null }
    marks.set(step.name, mark)
    const events = createProgressEvents(job, clock)
    const boarding = flights.board(key, participantOf(job, row, { mark, marks, events }), (flying) => fly(job, step, key, flying))
    try {
      const landing = await untilAbort(boarding.landing, signal)
      await land(job, step, row, landing, events)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      await fail(job, step, row, Failure.from(error), events)
    } finally {
      events.rest() // of a job that was cancelled
      marks.delete(step.name)
      await boarding.leave(signal.aborted ? (signal.reason as Failure) : FINISHED)
    }
  }

  /** The run that all participants share. */
  async function fly(job: LiveJob, step: StepPlan<JobFrame>, key: string, flying: Flying): Promise<Landing> {
    const stored = await store.result(key)
    const known = stored && storedOutput(step, stored)
    if (known) return { output: known, isReused: true, costMs: 0 }
    flying.signal.throwIfAborted()
    const startedAt = clock.mono()
    const made = await withPatience(flying.patience, () =>
      step.run({
        signal: flying.signal,
        isCancelled: () => (flying.signal.reason as Failure | undefined)?.code === 'CANCELLED',
        taskId: job.noted.get(step.name) ?? null,
        noteTask: flying.noteTask,
        report: flying.report,
        emit: flying.emit,
        whileWaiting: flying.whileWaiting,
      }),
    )
    const costMs = clock.mono() - startedAt
    measured(step.key.kind, costMs)
    return { output: madeOutput(step, made), isReused: false, costMs }
  }

  async function land(
    job: LiveJob,
    step: StepPlan<JobFrame>,
    row: StepRow,
    { output, isReused, costMs }: Landing,
    { rest }: ProgressEvents,
  ): Promise<void> {
    const frame = step.frame?.(output) ?? null
    await job.persist(
      {
        event: { kind: 'step-done' },
        steps: [{ ...row, taskId: job.noted.get(step.name) ?? null, state: isReused ? 'skipped' : 'done', resultKey: row.key }],
        ...(!isReused && { result: { ...output, key: row.key, kind: step.key.kind, costMs } }),
        frames: [...rest(), ...(frame ? [{ kind: 'event' as const, frame }] : [])],
      },
      job.abort.signal,
    )
    job.outputs.set(step.name, output)
  }

  async function fail(job: LiveJob, step: StepPlan<JobFrame>, row: StepRow, failure: Failure, { rest }: ProgressEvents): Promise<void> {
    const fault = { code: failure.code, message: failure.message }
    await job.persist({ steps: [{ ...row, state: 'failed', failure: fault }], frames: rest() }, job.abort.signal)
    job.failures.set(step.name, fault)
    if (!step.optional) throw failure
  }

  type Shown = { readonly mark: StepMark; readonly marks: Marks; readonly events: ProgressEvents }
  function participantOf(job: LiveJob, row: StepRow, { mark, marks, events }: Shown): Participant {
    const { signal } = job.abort
    return {
      report(progress) {
        if (signal.aborted) return
        mark.progress = progress
        progressed(job)
        if (progress.frame !== null) events.add(progress.frame)
      },
      held(reason) {
        if (signal.aborted || mark.heldBy?.message === reason?.message) return
        mark.heldBy = reason
        progressed(job)
      },
      emit: async (frame, kind = 'event') => void (await job.persist({ frames: [...events.rest(), { kind, frame }] }, signal)),
      async noteTask(taskId) {
        job.noted.set(row.name, taskId)
        await job.persist({ steps: [{ ...row, taskId }] }, signal)
      },
      pause() {
        mark.isPaused = true
        if (areAllPaused(marks)) lanes.leave(job)
        return () => {
          mark.isPaused = false
          return lanes.comeBack(job)
        }
      },
      joinTask(taskId) {
        job.noted.set(row.name, taskId)
        // One attempt only: a later write would undo the end of the step.
        job.change({ steps: [{ ...row, taskId }] }).catch(() => {})
      },
    }
  }
}

const FINISHED = new Failure('CANCELLED', 'The step has ended.')
