// Resumes the jobs that the last run of the studio left unfinished.
import { z } from 'zod'
import { type Client, clientOfSource } from '#control-plane/clients/client.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ENDED, isSetAside } from '../job.ts'
import { JobEnd, type JobFrame, type JobType, jobType, type StepOutput, type StepPlan } from '../job-type.ts'
import type { JobRecord } from '../record.ts'
import type { JobStore } from '../store/job.store.ts'
import type { LiveJob } from './live-job.ts'
import { storedOutput } from './step-outputs.ts'

type Deps = {
  readonly types: ReadonlyMap<string, JobType>
  readonly store: Pick<JobStore, 'unfinished' | 'stepsOf'>
  readonly makers: Pick<Makers, 'makerOf' | 'seesAll'>
  readonly open: (type: JobType, client: Client, params: unknown, record: JobRecord) => LiveJob
  readonly cleanUp: (job: LiveJob) => Promise<void>
  /** Called when the job is queued. */
  readonly enqueue: (job: LiveJob) => void
  /** Called when the job has ended. */
  readonly forget: (job: LiveJob) => void
  /** True if the last run ended by a fault of the process itself. */
  readonly wasFault: () => boolean
  /** Aborts when the studio stops. */
  readonly over: AbortSignal
}
type Reopened = { readonly job: LiveJob; readonly isReadable: boolean }

const UNREADABLE = { code: 'INVALID_TASK_PARAMS', message: 'This version of the studio cannot read the job. Start it again.' } as const

export function createRecovery({ types, store, makers, open, cleanUp, enqueue, forget, wasFault, over }: Deps) {
  const paramsOf = (record: JobRecord) => types.get(record.type)?.params.safeParse(JSON.parse(record.params))
  /** One that was set aside is of use only if it can be tried again. */
  const isOfUse = (record: JobRecord): boolean => !isSetAside(record.job) || paramsOf(record)?.success === true

  /** Loads the job into memory, with the results of its steps. */
  function reopen(record: JobRecord): Reopened {
    const type = types.get(record.type)
    const params = paramsOf(record)
    const known = type && params?.success ? type : unreadable(record.type, type)
    const maker = makers.makerOf('job', record.job.id)
    const job = open(known, clientOfSource(record.source, maker, makers.seesAll(maker)), params?.data, record)
    const stored = new Map<string, StepOutput>()
    for (const { step, output } of store.stepsOf(job.id)) {
      if (output) stored.set(step.name, output)
      else if (step.failure) job.failures.set(step.name, step.failure)
      else if (step.taskId !== null) job.noted.set(step.name, step.taskId)
    }
    takeOver(job, stored)
    return { job, isReadable: params?.success === true }
  }

  /** A job that cannot be resumed fails; the others are resumed. */
  async function resumeOrFail(reopened: Reopened): Promise<void> {
    try {
      await resume(reopened)
    } catch (error) {
      if (over.aborted) throw error
      const { code, message } = Failure.from(error, 'INTERNAL')
      await reopened.job.persist({ event: { kind: 'fail', code, message } }, over)
      forget(reopened.job)
    }
  }

  async function resume({ job, isReadable }: Reopened): Promise<void> {
    if (job.record().job.cancelWanted && isReadable) await cleanUp(job)
    const { onRestart } = job.type
    const policy = !isReadable ? 'resume' : typeof onRestart === 'function' ? onRestart(job.params) : onRestart
    await job.persist({ event: { kind: 'restart', policy, isFault: wasFault() } }, over)
    if (!isReadable) await job.persist({ event: { kind: 'fail', ...UNREADABLE } }, over)
    if (ENDED.has(job.record().job.status)) forget(job)
    else enqueue(job)
  }

  return {
    /** All unfinished jobs are in memory when it returns. The promise resolves when each of them is queued or has ended. */
    begin(): { readonly count: number; readonly done: Promise<void> } {
      const all = store.unfinished().filter(isOfUse).map(reopen)
      const unfinished = all.filter(({ job }) => !isSetAside(job.record().job))
      for (const { job } of all) forget(job) // keeps those that were set aside, and no other of these has ended
      const done = unfinished.reduce((before, each) => before.then(() => resumeOrFail(each)), Promise.resolve())
      return {
        count: unfinished.length,
        done: done.catch((error: unknown) => {
          if (!over.aborted) throw error
        }),
      }
    },
  }
}

/** The job gets the outputs that this version can read, stage by stage, because later steps follow from earlier outputs. The others are computed again. */
function takeOver(job: LiveJob, stored: Map<string, StepOutput>): void {
  for (;;) {
    const known = plannedSteps(job).filter(({ name }) => stored.has(name))
    if (known.length === 0) return
    for (const step of known) {
      const output = storedOutput(step, stored.get(step.name)!)
      stored.delete(step.name)
      if (output) job.outputs.set(step.name, output)
    }
  }
}

/** Empty if the type cannot plan from these outcomes: then the job fails with the reason when it runs. */
function plannedSteps(job: LiveJob): readonly StepPlan<JobFrame>[] {
  try {
    return job.type.steps(job.params, job, job.id).flat()
  } catch {
    return []
  }
}

/** Replaces a type that this version lacks, or whose parameters it cannot read. */
const unreadable = (type: string, row: JobType | undefined): JobType =>
  jobType({
    type,
    params: z.undefined(),
    events: JobEnd,
    steps: () => [],
    concurrency: 1,
    onRestart: 'fail',
    ...(row?.framing && { framing: row.framing }),
  })
