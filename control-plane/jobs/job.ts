// The lifecycle of a job as a table of edges and one pure function. A restart of the studio is an event: the type of a job decides whether
// the job resumes, becomes interrupted, or fails.
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'

export const JOB_STATUSES = ['pending', 'running', 'done', 'failed', 'cancelled'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
export const ENDED: ReadonlySet<JobStatus> = new Set(['done', 'failed', 'cancelled'])

export const STEP_STATES = ['waiting', 'running', 'done', 'failed', 'skipped'] as const
export type StepState = (typeof STEP_STATES)[number]

/** `interrupt` and `fail` both end the job; an interrupted job keeps the results of its steps for a new job. */
export type RestartPolicy = 'resume' | 'interrupt' | 'fail'
/**
 * A job that has resumed this often without finishing another step is set aside, because its input may end the process. After an end by a fault
 * of the process itself it resumes once; a kill or a power cut says less.
 */
export const MAX_RESUMES = 2
const MAX_RESUMES_AFTER_FAULT = 1

/** `needs`: the model that is missing; known until the studio ends, and in the events of the job. */
export type JobFault = { readonly code: FailureCode; readonly message: string; readonly needs?: ModelNeed | undefined }
export type JobEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'step-done' }
  | { readonly kind: 'cancel' }
  /** All work of the job has stopped after a cancel. */
  | { readonly kind: 'stop' }
  /** The studio stops in an orderly way, so the stop does not count as a crash. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'finish' }
  | ({ readonly kind: 'fail' } & JobFault)
  /** The studio has started, and the job is unfinished. `isFault`: the last run ended by a fault of the process itself. */
  | { readonly kind: 'restart'; readonly policy: RestartPolicy; readonly isFault: boolean }
  /** A person runs a job again that was set aside. Its finished steps stay. */
  | { readonly kind: 'retry' }
export type JobEventKind = JobEvent['kind']

export type Job = {
  readonly id: string
  readonly status: JobStatus
  readonly cancelWanted: boolean
  /** Resumes after a crash since the last finished step. */
  readonly resumes: number
  readonly interrupted: boolean
  /** Set exactly when the status is `failed`. */
  readonly failure: JobFault | null
}
export type JobMove = { readonly ok: true; readonly job: Job } | { readonly ok: false }

/** States that each event may lead to. An event without an entry is refused. */
export const JOB_EDGES: Readonly<Record<JobStatus, { readonly [K in JobEventKind]?: readonly JobStatus[] }>> = {
  pending: { start: ['running'], cancel: ['cancelled'], fail: ['failed'], restart: ['pending', 'failed'] },
  running: {
    'step-done': ['running'],
    cancel: ['running'],
    stop: ['cancelled'],
    pause: ['pending', 'cancelled'],
    finish: ['done', 'cancelled'],
    fail: ['failed', 'cancelled'],
    restart: ['pending', 'failed', 'cancelled'],
  },
  done: {},
  failed: { retry: ['pending'] },
  cancelled: {},
}

export const newJob = (id: string): Job => ({
  id,
  status: 'pending',
  cancelWanted: false,
  resumes: 0,
  interrupted: false,
  failure: null,
})

/** Moves a job. Never throws; an event that the table does not allow changes nothing. */
export function moveJob(job: Job, event: JobEvent): JobMove {
  const targets = JOB_EDGES[job.status][event.kind]
  if (!targets) return { ok: false }
  if (event.kind === 'stop' && !job.cancelWanted) return { ok: false }
  if (event.kind === 'retry' && !isSetAside(job)) return { ok: false }
  const status = targets.length === 1 ? targets[0]! : choose(job, event)
  return { ok: true, job: enter(status, job, event) }
}

function choose(job: Job, event: JobEvent): JobStatus {
  // A confirmed cancel wins over any other end.
  if (job.cancelWanted) return 'cancelled'
  switch (event.kind) {
    case 'finish':
      return 'done'
    case 'pause':
      return 'pending'
    case 'restart':
      return event.policy === 'resume' && !isExhausted(job, event.isFault) ? 'pending' : 'failed'
    default:
      return 'failed'
  }
}

const isExhausted = ({ status, resumes }: Job, isFault: boolean): boolean =>
  status === 'running' && resumes >= (isFault ? MAX_RESUMES_AFTER_FAULT : MAX_RESUMES)

/** The job ended the studio, or seems to have. Its input is kept, and it can be tried again. */
export const isSetAside = ({ failure }: Pick<Job, 'failure'>): boolean => failure?.code === 'JOB_SET_ASIDE'

function enter(status: JobStatus, job: Job, event: JobEvent): Job {
  return {
    id: job.id,
    status,
    cancelWanted: (job.cancelWanted || event.kind === 'cancel') && status !== 'pending',
    resumes: event.kind === 'step-done' || event.kind === 'retry' ? 0 : resumesAfter(status, job, event),
    interrupted: status === 'failed' && event.kind === 'restart' && event.policy === 'interrupt',
    failure: status === 'failed' ? faultOf(job, event) : null,
  }
}

const resumesAfter = (status: JobStatus, job: Job, event: JobEvent): number =>
  event.kind === 'restart' && job.status === 'running' && status === 'pending' ? job.resumes + 1 : job.resumes

function faultOf(job: Job, event: JobEvent): JobFault {
  if (event.kind === 'fail') return { code: event.code, message: event.message, ...(event.needs && { needs: event.needs }) }
  if (event.kind === 'restart' && event.policy === 'resume')
    return {
      code: 'JOB_SET_ASIDE',
      message: `The studio ended unexpectedly ${job.resumes + 1} times while it ran this job, so the job was set aside. Its input is kept.`,
    }
  return { code: 'NOT_READY', message: 'The job was interrupted by a restart of the studio. Start it again.' }
}
