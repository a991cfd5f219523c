// POST /generate with `Prefer: respond-async`: a take as a job that survives the end of its request and a restart of the studio. Its steps
// are the synthesis task, a second one if the take moves to this machine, the file, and the row of the history.
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import type { Run } from '#control-plane/inference/run.ts'
import type { Synthesis } from '#control-plane/inference/synthesis.ts'
import { failureFrame } from '#control-plane/jobs/events.ts'
import {
  jobStep,
  jobType,
  type StepContext,
  type StepOutcomes,
  type StepOutput,
  type StepPlan,
  stepOutput,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { Json } from '#control-plane/jobs/key.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import type { Artifacts } from '#control-plane/store/artifact.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { errorCode } from '../generate.rules.ts'
import type { createGenerate, EarlierParts } from '../generate.service.ts'
import type { TakePartsService } from '../parts/parts.service.ts'
import { doneLine, historyRow } from '../parts/row.ts'
import type { GenerateForm } from '../speech.schema.ts'
import { TakeEvent } from '../stream/take-events.schema.ts'
import { Take, type TakePlan } from '../take.ts'
import { NO_PARTS, readKept } from './kept-parts.ts'
import type { RunningTakes } from './running-takes.ts'
import { type LegRequest, type SpeakLeg, SpokenLeg } from './speak-leg.ts'

export type TakeJobs = ReturnType<typeof createTakeJobs>
type Deps = {
  readonly jobs: Pick<Jobs, 'add' | 'create'>
  readonly takes: Pick<ReturnType<typeof createGenerate>, 'plan' | 'make' | 'withdrawnBy'>
  readonly synthesis: Pick<Synthesis, 'check' | 'resume' | 'outputOf'>
  readonly speakLeg: SpeakLeg['speakLeg']
  readonly parts: Pick<TakePartsService, 'again' | 'revised'>
  readonly running: RunningTakes
  readonly artifacts: Pick<Artifacts, 'read'>
  readonly history: LibraryApi['history']
  readonly audioFolder: string
  readonly clock: Clock
  readonly log: Log
}

const record = z.record(z.string(), z.unknown())
/** The stored result of `plan`. Its parts are validated where they are used. */
const Plan = z.looseObject({
  takeId: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
  model: z.string(),
  params: record.and(z.object({ segments: z.array(z.object({ text: z.string() })) })),
  reference: z.object({ name: z.string(), size: z.number(), sha256: z.string(), private: z.literal(true).optional() }).nullable(),
  chunks: z.int(),
  seed: z.number(),
  crossfadeMs: z.number(),
  leadMs: z.number().default(0),
  form: record,
}) as unknown as z.ZodType<TakePlan>
const AT_ONCE = 32
const ID_CHARS = 8

export function createTakeJobs({ jobs, takes, synthesis, speakLeg, parts, running, artifacts, history, audioFolder, clock, log }: Deps) {
  /** Equal for every run of a job, so that a repeated step writes the same file and the same row. Jobs of earlier versions have it from their own. */
  const takeIdOf = (job: string, { takeId }: TakePlan): string => takeId ?? job.slice(0, ID_CHARS)

  /** Readers of the sound learn how the take ended, unless the studio stops. */
  async function speak(request: LegRequest, context: StepContext<TakeEvent>): Promise<StepOutput<SpokenLeg>> {
    const { job } = request
    try {
      const spoken = await speakLeg(request, context)
      if (!spoken.kept) running.end(job, null)
      return stepOutput(spoken, spoken.kept ?? NO_PARTS)
    } catch (error) {
      const reason = takes.withdrawnBy(request.plan, error)
      running.end(job, Failure.from(reason))
      // A cancelled step would end the job as if its client had cancelled it, without the reason.
      throw reason === error ? error : new Failure('INPUT_UNAVAILABLE', (reason as Failure).message, { cause: reason })
    }
  }

  async function speakHere(
    plan: TakePlan,
    before: SpokenLeg,
    job: string,
    context: StepContext<TakeEvent>,
  ): Promise<StepOutput<SpokenLeg>> {
    const earlier = await synthesis.resume(before.task_id, context.signal)
    earlier?.abandon()
    log.info({ job, from: before.machine, parts: before.kept!.parts.length }, 'a take is finished on this machine')
    return speak({ job, plan, first: before.kept!.parts.length, target: LOCAL }, context)
  }

  async function make(plan: TakePlan, legs: readonly SpokenLeg[], id: string, { signal }: StepContext): Promise<StepOutput<Take>> {
    const run = await synthesis.resume(legs.at(-1)!.task_id, signal)
    if (!run) throw new Failure('INPUT_UNAVAILABLE', 'The audio of the task was deleted. Generate the take again.')
    const startedAt = clock.mono() - legs.reduce((sum, { took_ms }) => sum + took_ms, 0)
    if (plan.again) return stepOutput(await revise(plan, run, id, startedAt, signal))
    return stepOutput(await takes.make({ ...plan, run, startedAt, fallback: legs[0]!.fallback }, id, signal, earlierOf(plan, legs)))
  }

  /** The take that has the new sound. */
  async function revise(plan: TakePlan, run: Run<'tts'>, job: string, startedAt: number, signal: AbortSignal): Promise<Take> {
    const { sample_rate: sampleRate, parts: made } = await run.result()
    const spoken = { sampleRate, samples: made[0]?.samples ?? 0, output: await synthesis.outputOf(run) }
    const take = await parts.revised(plan, job, spoken, signal)
    const tookSeconds = Math.round((clock.mono() - startedAt) / 10) / 100
    return { ...take, tookSeconds, seed: plan.seed, sampleRate, dropped: [], notice: null, engine: run.spec.engine }
  }

  function earlierOf({ params }: TakePlan, legs: readonly SpokenLeg[]): EarlierParts | undefined {
    const [{ kept, machine }] = legs as [SpokenLeg]
    if (!kept) return undefined
    const { length: count } = kept.parts
    const notice = `This machine finished the take after ${count} of ${params.segments.length} parts on ${machine}.`
    return { parts: kept.parts, digest: kept.digest, pieces: () => readKept(artifacts, kept), notices: [notice] }
  }

  function keep(plan: TakePlan, take: Take): StepOutput<null> {
    if (!plan.again && !history.has(take.id)) history.add(historyRow(plan, take))
    return stepOutput(null)
  }

  const start = async (plan: TakePlan, madeBy: ClientId): Promise<{ readonly id: string; readonly status: string }> => {
    if (!plan.reference) synthesis.check(plan.model, plan.params)
    const params = plan as unknown as Json
    const { job } = (await jobs.create({ type: 'generate', params, meta: { title: plan.form.text }, madeBy })).record
    return { id: job.id, status: job.status }
  }

  function steps(plan: TakePlan, outcomes: StepOutcomes, job: string): readonly (readonly StepPlan<TakeEvent>[])[] {
    const spoken = readOutput(outcomes, 'speak', SpokenLeg)
    const here = readOutput(outcomes, 'speak_here', SpokenLeg)
    const take = takeOf(outcomes)
    // The job is part of each key, because takes are never shared, even if seed and text are equal.
    const keyOf = (kind: string) => ({ kind, version: 1, inputs: [], params: { job } })
    const spokenBy = (name: string, run: (context: StepContext<TakeEvent>) => Promise<StepOutput<SpokenLeg>>) =>
      jobStep({ name, key: keyOf(`take_${name}`), output: SpokenLeg, run })
    return [
      [spokenBy('speak', (context) => speak({ job, plan, first: 0, target: null }, context))],
      ...(spoken?.kept ? [[spokenBy('speak_here', (context) => speakHere(plan, spoken, job, context))]] : []),
      [
        jobStep({
          ...{ name: 'file', key: keyOf('take_file'), output: Take },
          run: (context) => make(plan, here ? [spoken!, here] : [spoken!], plan.again ? job : takeIdOf(job, plan), context),
        }),
      ],
      [
        jobStep({
          ...{ name: 'history', key: keyOf('take_history'), output: z.null() },
          run: async () => keep(plan, take!),
          frame: () => droppedFrame(take!),
        }),
      ],
    ]
  }

  jobs.add(
    jobType({
      type: 'generate',
      params: Plan,
      events: TakeEvent,
      inputs: ({ reference, whole = [] }) => [
        ...(reference ? [reference.sha256] : []),
        ...new Set(whole.flatMap(({ kept }) => kept?.digest ?? [])),
      ],
      steps,
      concurrency: AT_ONCE,
      onRestart: 'resume',
      async cleanUp(job, plan) {
        const id = takeIdOf(job, plan)
        if (!history.has(id)) await rm(fileIn(audioFolder, `${id}.wav`), { force: true })
      },
      result: (_, outcomes) => {
        const { id, audioPath, seconds } = takeOf(outcomes)!
        return { take_id: id, audio_path: audioPath, duration: seconds }
      },
      doneFrame: (_, outcomes) => doneLine(takeOf(outcomes)!),
      errorFrame: (fault) => {
        const code = errorCode(new Failure(fault.code, fault.message))
        return { ...failureFrame(fault), code, retryable: code !== 'invalid_request' }
      },
    }),
  )

  return {
    /** Durable when it resolves. Throws what `plan` and `Jobs.create` throw, and MODEL_NOT_FOUND or MODEL_NOT_INSTALLED for an engine that no machine has. */
    async create(
      form: GenerateForm,
      uploads: Readonly<Record<string, Upload>>,
      madeBy: ClientId,
      signal: AbortSignal,
    ): Promise<{ readonly id: string; readonly status: string }> {
      return await start(await takes.plan(form, uploads, madeBy, signal), madeBy)
    },
    /** A job that speaks one part of a take again. Durable when it resolves. Throws what `create` throws, NOT_FOUND, CONFLICT. */
    async createAgain(take: string, part: number, madeBy: ClientId, signal: AbortSignal) {
      const { form, planOf } = parts.again(take, part)
      return await start(planOf(await takes.plan(form, {}, madeBy, signal)), madeBy)
    },
  }
}

const takeOf = (outcomes: StepOutcomes): Take | undefined => readOutput(outcomes, 'file', Take)

const droppedFrame = ({ dropped }: Pick<Take, 'dropped'>): TakeEvent | null =>
  dropped.length > 0 ? { type: 'warning', code: 'dropped_chunks', count: dropped.length, text: dropped } : null
