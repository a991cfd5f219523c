// A kind of job as one row: its parameters, its steps, and its behaviour on a restart. The job runner reads nothing else, so a new type
// changes no file of this folder.
import { z } from 'zod'
import { NeedView } from '#shared/protocol/fields/model-need.ts'
import type { JobFault, RestartPolicy } from './job.ts'
import type { Json, KeyParts } from './key.ts'

/** Ends of jobs whose type declares no others. */
export const JobDone = z.strictObject({ type: z.literal('done') })
export type JobDone = z.output<typeof JobDone>
export const JobCancelled = z.strictObject({ type: z.literal('cancelled') })
export type JobCancelled = z.output<typeof JobCancelled>

/** Fields of a failure event of the API, for events that report a failure. */
export const FAILURE_FIELDS = {
  reason: z.string(),
  error: z.string(),
  /** A code of docs/errors.md. */
  error_class: z.string(),
  hint: z.string(),
  docs_topic: z.null(),
  docs_url: z.null(),
  detail: z.string(),
  /** The model that is missing. */
  needs: NeedView.exactOptional(),
} as const
export const JobFailed = z.strictObject({ type: z.literal('error'), ...FAILURE_FIELDS, stage: z.null() })
export type JobFailed = z.output<typeof JobFailed>
/** Ends of a job whose type declares no others. */
export const JOB_ENDS = [JobDone, JobCancelled, JobFailed] as const
export const JobEnd = z.discriminatedUnion('type', JOB_ENDS)

/** The result of a step, as JSON and with a file if it has one. */
export type StepOutput<T = unknown> = {
  readonly json: T
  /** SHA-256 of a file in the artifact folder, or null. */
  readonly digest: string | null
  /** Size of that file. */
  readonly bytes: number
}
/** `E`: the events of the job. */
export type StepProgress<E extends JobFrame = never> = {
  /** 0 to 1, or null when it is unknown. */
  readonly fraction: number | null
  /** The step's own estimate, or null. */
  readonly secondsLeft: number | null
  /** The frame for followers; null: only the view of the job changes. */
  readonly frame: E | null
}
/** One event as clients see it. Each type of job declares its own (`events`). */
export type JobFrame = { readonly type: string } & { readonly [name: string]: Json | undefined }

/** `E`: the events that the step sends. A context without it sends none, so any context serves where it is expected. */
export type StepContext<E extends JobFrame = never> = {
  /** Aborts when no job needs the result. The step must then settle soon and remove incomplete output. */
  readonly signal: AbortSignal
  /** True if the abort is a cancel; false if the studio stops and the job continues later. */
  readonly isCancelled: () => boolean
  /** The task that this step noted before a restart, or null. */
  readonly taskId: string | null
  /** Durable when it resolves, so that the task is found after a restart. Throws STORAGE_FULL. */
  readonly noteTask: (taskId: string) => Promise<void>
  /**
   * Runs `work`, which waits for something outside, such as a machine. If all steps of the job wait, its place is given to the next job. May
   * take longer than `work`, because the job needs a place again. Rejects with the reason of the signal.
   */
  readonly whileWaiting: <T>(work: () => Promise<T>) => Promise<T>
  readonly report: (progress: StepProgress<E>) => void
  /**
   * Durable when it resolves. Waits while the disk is full. Rejects with the signal's reason. `progress`: of use only until the result of the job
   * is there; it is deleted a week after the end of the job, when its results are. Default `event`.
   */
  readonly emit: (frame: E, kind?: 'event' | 'progress') => Promise<void>
}

/** Milliseconds that work waits for a machine before its job says so: pages promise five seconds, and after a start machines need a moment. */
export const SILENT_WAIT_MS = 3_000

export type StepPlan<E extends JobFrame = never> = {
  /** Unique within the job. */
  readonly name: string
  readonly key: KeyParts
  /** The form of its output. A stored output without this form, such as one of another version, is computed again. */
  readonly output: z.ZodType
  readonly run: (context: StepContext<E>) => Promise<StepOutput>
  /** The frame that becomes durable with the end of the step; none when absent or null. */
  readonly frame?: (output: StepOutput) => E | null
  /** The job continues if this step fails. */
  readonly optional?: boolean
  /** Its share of the progress of the job, compared with the other steps. Default 1. */
  readonly weight?: number
}
export type StepRun<T, E extends JobFrame = never> = (context: StepContext<E>) => Promise<StepOutput<NoInfer<T>>>
type TypedStep<T, E extends JobFrame> = Omit<StepPlan, 'output' | 'run' | 'frame'> & {
  readonly output: z.ZodType<T>
  readonly run: StepRun<T, E>
  readonly frame?: (output: StepOutput<T>) => E | null
}
/** Declares a step whose output has the type of its form. */
export const jobStep = <T, E extends JobFrame = never>(plan: TypedStep<T, E>): StepPlan<E> => plan as StepPlan<E>

/** The output of a step, with the file of the artifact folder that belongs to it. */
export const stepOutput = <T>(json: T, { digest, bytes }: Pick<StepOutput, 'digest' | 'bytes'> = NO_FILE): StepOutput<T> => ({
  json,
  digest,
  bytes,
})
const NO_FILE = { digest: null, bytes: 0 }

/** The outcomes of the steps so far, by name. */
export type StepOutcomes = {
  readonly outputs: ReadonlyMap<string, StepOutput>
  readonly failures: ReadonlyMap<string, JobFault>
}

/** The last frame: needed where the default one is no event of the job. */
type LastFrame<E, Default, Name extends string, Make> = [Default] extends [E]
  ? { readonly [N in Name]?: Make }
  : { readonly [N in Name]: Make }
type LastFrames<P, E> = LastFrame<E, JobDone, 'doneFrame', (params: P, outcomes: StepOutcomes) => E> &
  LastFrame<E, JobCancelled, 'cancelledFrame', (jobId: string, params: P) => E> &
  LastFrame<E, JobFailed, 'errorFrame', (failure: JobFault) => E>

/** The last frames of a job. Default: `{type: 'done'}`, `{type: 'cancelled'}` and the failure event of the API. */
export type JobTypeRow<P, E extends JobFrame = JobFrame> = LastFrames<P, E> & {
  readonly type: string
  readonly params: z.ZodType<P>
  /** Every event of such a job. One that it does not describe does not compile where it is sent. */
  readonly events: z.ZodType<E>
  /**
   * Pure: the same parameters and outcomes give the same steps. Each inner list is a stage; a stage starts when the previous one has ended.
   * Called again before each stage, so later stages may depend on earlier outcomes.
   */
  readonly steps: (params: P, outcomes: StepOutcomes, jobId: string) => readonly (readonly StepPlan<NoInfer<E>>[])[]
  /** Digests of artifacts that the job needs until it ends. */
  readonly inputs?: (params: P) => readonly string[]
  /** Jobs of this type of one client that run at the same time. All clients together run more (`clients/share.ts`). */
  readonly concurrency: number
  /** Jobs of this type of one client that have not ended. Default 1,000. */
  readonly unfinishedPerClient?: number
  /** Steps of one job that run at the same time. Default 1. */
  readonly parallel?: number
  /** A function where it depends on the parameters. */
  readonly onRestart: RestartPolicy | ((params: P) => RestartPolicy)
  /** Treatment of a cancelled job's results that no other job uses. Default `discard`. */
  readonly onCancel?: 'discard' | 'keep'
  /**
   * Removes what the steps of a cancelled job created besides their results. Called before the job becomes `cancelled`, and again after a
   * crash in between.
   */
  readonly cleanUp?: (jobId: string, params: P) => Promise<void>
  /** Stored form of events: `sse` as `data: {…}\n\n`, `json` as the JSON alone. Default `sse`. */
  readonly framing?: 'sse' | 'json'
  /** Merged into `meta` when the job succeeds. */
  readonly result?: (params: P, outcomes: StepOutcomes) => { readonly [name: string]: Json }
}
export type JobType = JobTypeRow<unknown>

/** Declares a job type. Its steps get parameters that its schema has parsed. */
export const jobType = <P, E extends JobFrame>(row: JobTypeRow<P, E>): JobType => row as unknown as JobType
