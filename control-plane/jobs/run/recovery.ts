// Takes up the jobs that the last run of the studio has left unfinished.
import { z } from 'zod'
import { ENDED } from '../job.ts'
import { type JobType, jobType } from '../job-type.ts'
import type { JobRecord } from '../record.ts'
import type { JobStore } from '../store/job.store.ts'
import type { LiveJob } from './live-job.ts'

type Deps = {
  readonly types: ReadonlyMap<string, JobType>
  readonly store: Pick<JobStore, 'unfinished' | 'stepsOf'>
  readonly open: (type: JobType, params: unknown, record: JobRecord) => LiveJob
  readonly cleanUp: (job: LiveJob) => Promise<void>
  /** The job waits for its turn. */
  readonly enqueue: (job: LiveJob) => void
  /** The job has ended. */
  readonly forget: (job: LiveJob) => void
  /** Aborts when the studio stops. */
  readonly over: AbortSignal
}
type Reopened = { readonly job: LiveJob; readonly isReadable: boolean }

const UNREADABLE = { code: 'INVALID_TASK_PARAMS', message: 'This version of the studio cannot read the job. Start it again.' } as const

export function createRecovery({ types, store, open, cleanUp, enqueue, forget, over }: Deps) {
  /** Puts the job into memory, with what its steps have made. */
  function reopen(record: JobRecord): Reopened {
    const type = types.get(record.type)
    const params = type?.params.safeParse(JSON.parse(record.params))
    const job = open(type && params?.success ? type : unreadable(record.type, type), params?.data, record)
    for (const { step, output } of store.stepsOf(job.id)) {
      if (output) job.outputs.set(step.name, output)
      else if (step.failure) job.failures.set(step.name, step.failure)
      else if (step.taskId !== null) job.noted.set(step.name, step.taskId)
    }
    return { job, isReadable: params?.success === true }
  }

  async function resume({ job, isReadable }: Reopened): Promise<void> {
    if (job.record().job.cancelWanted && isReadable) await cleanUp(job)
    await job.persist({ event: { kind: 'restart', policy: isReadable ? job.type.onRestart : 'resume' } }, over)
    if (!isReadable) await job.persist({ event: { kind: 'fail', ...UNREADABLE } }, over)
    if (ENDED.has(job.record().job.status)) forget(job)
    else enqueue(job)
  }

  return {
    /** All unfinished jobs are in memory when it returns. The promise resolves when each of them waits for its turn or has ended. */
    begin(): { readonly count: number; readonly done: Promise<void> } {
      const left = store.unfinished().map(reopen)
      const done = left.reduce((before, each) => before.then(() => resume(each)), Promise.resolve())
      return {
        count: left.length,
        done: done.catch((error: unknown) => {
          if (!over.aborted) throw error
        }),
      }
    },
  }
}

/** Stands for a type that this version does not have, or whose parameters it cannot read. */
const unreadable = (type: string, row: JobType | undefined): JobType =>
  jobType<undefined>({
    type,
    params: z.undefined(),
    steps: () => [],
    concurrency: 1,
    onRestart: 'fail',
    ...(row?.framing && { framing: row.framing }),
  })
