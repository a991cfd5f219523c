// POST /generate with `Prefer: respond-async`: a take as a job that survives the end of its request and a restart of the studio. Its steps
// are the synthesis task, the file, and the row of the history.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Upload } from '../../http/input/form.ts'
import type { Run } from '../../inference/run.ts'
import type { Synthesis } from '../../inference/synthesis.ts'
import { failureFrame } from '../../jobs/events.ts'
import { type JobFrame, jobType, type StepContext, type StepOutcomes, type StepOutput, type StepPlan } from '../../jobs/job-type.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Json } from '../../jobs/key.ts'
import { untilAbort } from '../../jobs/until-abort.ts'
import type { LibraryApi } from '../library/api.ts'
import { errorCode } from './generate.rules.ts'
import { type createGenerate, historyRow, informationOf, type Take, type TakePlan } from './generate.service.ts'
import type { GenerateForm } from './speech.schema.ts'

export type TakeJobs = ReturnType<typeof createTakeJobs>
type Deps = {
  readonly jobs: Pick<Jobs, 'add' | 'create'>
  readonly takes: Pick<ReturnType<typeof createGenerate>, 'plan' | 'begin' | 'make'>
  readonly synthesis: Pick<Synthesis, 'check' | 'resume'>
  readonly history: LibraryApi['history']
  readonly audioFolder: string
  readonly clock: Clock
}

const record = z.record(z.string(), z.unknown())
/** The stored result of `plan`. Its parts are validated where they are used. */
const Plan = z.looseObject({
  model: z.string(),
  params: record.and(z.object({ segments: z.array(z.object({ text: z.string() })) })),
  reference: z.object({ name: z.string(), size: z.number(), sha256: z.string() }).nullable(),
  chunks: z.int(),
  seed: z.number(),
  crossfadeMs: z.number(),
  leadMs: z.number().default(0),
  form: record,
}) as unknown as z.ZodType<TakePlan>
const AT_ONCE = 32
const ID_CHARS = 8

export function createTakeJobs({ jobs, takes, synthesis, history, audioFolder, clock }: Deps) {
  /** Equal for every run of a job, so that a repeated step writes the same file and the same row. */
  const takeIdOf = (job: string): string => job.slice(0, ID_CHARS)

  /** Adopts the task that an earlier run of the step has noted. */
  async function runOf(plan: TakePlan, { taskId, noteTask }: StepContext, caller: AbortSignal): Promise<Run<'tts'>> {
    const earlier = taskId === null ? null : await synthesis.resume(taskId, caller)
    if (earlier) return earlier
    const { run } = await takes.begin(plan, caller, '')
    await noteTask(run.taskId)
    return run
  }

  async function speak(plan: TakePlan, context: StepContext): Promise<StepOutput> {
    const { signal, report } = context
    // The task is cancelled with the job. It continues when only the studio stops.
    const caller = new AbortController()
    signal.addEventListener('abort', () => context.isCancelled() && caller.abort(signal.reason), { once: true })
    const startedAt = clock.mono()
    const run = await runOf(plan, context, caller.signal)
    const result = run.result()
    result.catch(() => {}) // awaited below, possibly after it rejects
    void (async () => {
      let last = -1
      for await (const { part } of run.output()) {
        if (signal.aborted) return
        const chunk = Math.min(part, plan.chunks - 1)
        if (chunk === last) continue
        last = chunk
        const frame = { type: 'progress', chunk, total_chunks: plan.chunks }
        report({ fraction: chunk / plan.chunks, secondsLeft: null, frame })
      }
    })().catch(() => {}) // the result rejects with the same failure
    await untilAbort(result, signal)
    return { json: { task_id: run.taskId, took_ms: clock.mono() - startedAt }, digest: null, bytes: 0 }
  }

  async function make(
    plan: TakePlan,
    spoken: { task_id: string; took_ms: number },
    id: string,
    { signal }: StepContext,
  ): Promise<StepOutput> {
    const run = await synthesis.resume(spoken.task_id, signal)
    if (!run) throw new Failure('INPUT_UNAVAILABLE', 'The audio of the task was deleted. Generate the take again.')
    const take = await takes.make({ ...plan, run, startedAt: clock.mono() - spoken.took_ms }, id, signal)
    return { json: take as unknown as Json, digest: null, bytes: 0 }
  }

  function keep(plan: TakePlan, take: Take): StepOutput {
    if (!history.has(take.id)) history.add(historyRow(plan, take))
    return { json: null, digest: null, bytes: 0 }
  }

  function steps(plan: TakePlan, { outputs }: StepOutcomes, job: string): readonly (readonly StepPlan[])[] {
    const spoken = outputs.get('speak')?.json as { task_id: string; took_ms: number } | undefined
    const take = takeOf(outputs)
    // The job is part of each key, because takes are never shared, even if seed and text are equal.
    const keyOf = (kind: string) => ({ kind, version: 1, inputs: [], params: { job } })
    return [
      [{ name: 'speak', key: keyOf('take_speak'), run: (context) => speak(plan, context) }],
      [{ name: 'file', key: keyOf('take_file'), run: (context) => make(plan, spoken!, takeIdOf(job), context) }],
      [{ name: 'history', key: keyOf('take_history'), run: async () => keep(plan, take!), frame: () => droppedFrame(take!) }],
    ]
  }

  jobs.add(
    jobType<TakePlan>({
      type: 'generate',
      params: Plan,
      inputs: ({ reference }) => (reference ? [reference.sha256] : []),
      steps,
      concurrency: AT_ONCE,
      onRestart: 'resume',
      async cleanUp(job) {
        const id = takeIdOf(job)
        if (!history.has(id)) await rm(join(audioFolder, `${id}.wav`), { force: true })
      },
      result: (_, { outputs }) => {
        const { id, audioPath, seconds } = takeOf(outputs)!
        return { take_id: id, audio_path: audioPath, duration: seconds }
      },
      doneFrame: (_, { outputs }) => doneFrame(takeOf(outputs)!),
      errorFrame: (fault) => {
        const code = errorCode(new Failure(fault.code, fault.message))
        return { ...failureFrame(fault), code, retryable: code !== 'invalid_request' }
      },
    }),
  )

  return {
    /** Durable when it resolves. Throws what `plan` and `Jobs.create` throw, and BAD_REQUEST for an engine that no machine has. */
    async create(
      form: GenerateForm,
      uploads: Readonly<Record<string, Upload>>,
      signal: AbortSignal,
    ): Promise<{ readonly id: string; readonly status: string }> {
      const plan = await takes.plan(form, uploads, signal)
      if (!plan.reference) synthesis.check(plan.model, plan.params)
      const { job } = (await jobs.create({ type: 'generate', params: plan as unknown as Json, meta: { title: plan.form.text } })).record
      return { id: job.id, status: job.status }
    },
  }
}

const takeOf = (outputs: StepOutcomes['outputs']): Take | undefined => outputs.get('file')?.json as Take | undefined

/** The last lines of a streamed take, as events of the job. */
const doneFrame = ({ id, audioPath, seconds, tookSeconds, seed, sampleRate, dropped, notice }: Take): JobFrame => ({
  type: 'done',
  id,
  audio_path: audioPath,
  duration: seconds,
  gen_time: tookSeconds,
  seed,
  sample_rate: sampleRate,
  dropped_chunks: dropped.length,
  ...informationOf({ notice }),
})
const droppedFrame = ({ dropped }: Take): JobFrame | null =>
  dropped.length > 0 ? { type: 'warning', code: 'dropped_chunks', count: dropped.length, text: dropped } : null
