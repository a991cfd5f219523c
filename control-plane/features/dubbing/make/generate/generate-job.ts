// The job `dub_<dub>_<unix seconds>`: plans what is spoken, speaks it in groups, and makes the voice track.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { jsonInTurns } from '#control-plane/features/dubbing/store/turns/json-in-turns.ts'
import { DubManifest } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import { type createSpeakPlanning, SpeakPlan } from '#control-plane/features/dubbing/voice/speak/plan.service.ts'
import type { SpeakEvent } from '#control-plane/features/dubbing/voice/speak/speak-events.schema.ts'
import { type Speaking, Unspoken } from '#control-plane/features/dubbing/voice/speak/speaking.ts'
import type { SecondTakes } from '#control-plane/features/dubbing/voice/voices/second-takes.service.ts'
import type { SpokenTakes } from '#control-plane/features/dubbing/voice/voices/spoken-takes.service.ts'
import {
  jobStep,
  jobType,
  SILENT_WAIT_MS,
  type StepContext,
  type StepOutcomes,
  type StepOutput,
  type StepPlan,
  type StepRun,
  stepOutput,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { DubRequests } from '../repair/requests.ts'
import type { TrialTakes } from '../repair/trial-takes.ts'
import { type Assembling, MadeTrack } from './assembling.ts'
import { dubDoneFrame } from './done.rules.ts'
import { GenerateEvent } from './generate-events.schema.ts'
import { createProgressCounts, progressFrame } from './progress-counts.ts'

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'makerOf'>
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get'>
  readonly artifacts: Pick<LocalArtifacts, 'keep' | 'pathOf'>
  readonly planning: ReturnType<typeof createSpeakPlanning>
  readonly speaking: Speaking
  readonly spokenTakes: Pick<SpokenTakes, 'addEffects'>
  readonly secondTakes: Pick<SecondTakes, 'make'>
  readonly assembling: Assembling
  readonly requests: Pick<DubRequests, 'keep'>
  readonly trials: Pick<TrialTakes, 'drop'>
  /** Reason why dubs run here although another machine is chosen; null if they do not. */
  readonly fallback: () => string | null
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
}
const Params = z.object({
  dub: z.string(),
  manifest: z.string(),
  /** Random: an id may be used again. */
  run: z.string(),
})
type Params = z.output<typeof Params>
const Planned = z.object({ plan: z.string(), groups: z.int(), hasSecond: z.boolean().default(false) })

const TYPE = 'dub_generate'
const VERSION = 1
const AT_ONCE = 4
/** The manifest and the plan of each job. */
const MAX_KEPT = 2 * AT_ONCE
/** Groups of one dub at the same time: several machines may speak. */
const PARALLEL = 4
const MACHINE_LOOK_MS = 500
const RUN_BYTES = 8
export type GenerateJobs = ReturnType<typeof createGenerateJobs>

/** Long factory: the steps of one job share its manifest, its counts and the voices that it began with. */
export function createGenerateJobs(deps: Deps) {
  const { core, jobs, artifacts, planning, speaking, spokenTakes, secondTakes, assembling, requests, trials, fallback, clock, random } =
    deps
  const counts = createProgressCounts()

  async function keepJson(value: Readonly<Record<string, unknown>>): Promise<string> {
    const bytes = Buffer.from(await jsonInTurns(value))
    const digest = createHash('sha256').update(bytes).digest('hex')
    try {
      await artifacts.keep(digest, { chunks: [bytes] })
    } catch (cause) {
      throw new Failure('STORAGE_FULL', `The lines of the dub could not be stored: ${(cause as Error).message}.`, { cause })
    }
    remember(digest, Promise.resolve(value))
    return digest
  }
  async function parsed<T>(schema: z.ZodType<T>, digest: string): Promise<T> {
    const text = await readFile(artifacts.pathOf(digest), 'utf8').catch((cause: unknown) => {
      throw new Failure('INPUT_UNAVAILABLE', 'The lines of this generation were deleted. Start it again.', { cause })
    })
    return schema.parse(JSON.parse(text))
  }
  /** Recent values of jobs, by digest, the newest last. Every group reads all of it, and a film of hours has hundreds of groups. */
  const kept = new Map<string, Promise<unknown>>()
  function remember(digest: string, value: Promise<unknown>): void {
    kept.delete(digest)
    kept.set(digest, value)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  }
  function readJson<T>(schema: z.ZodType<T>, digest: string): Promise<T> {
    const value = (kept.get(digest) as Promise<T> | undefined) ?? parsed(schema, digest)
    remember(digest, value)
    value.catch(() => kept.delete(digest))
    return value
  }

  async function plan(params: Params, jobId: string, context: StepContext<SpeakEvent>): Promise<StepOutput<z.output<typeof Planned>>> {
    const manifest = await readJson(DubManifest, params.manifest)
    const { signal, emit, whileWaiting } = context
    await trials.drop(params.dub, manifest.languageCode)
    const look = () =>
      planning(dubOrGone(core, params.dub), manifest, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        const failure = Failure.from(error)
        if (failure.code !== 'NO_CAPABLE_WORKER') throw failure
        return failure
      })
    let found = await look()
    if (found instanceof Failure) found = await whileWaiting(() => untilPlanned(look, context))
    const made = found
    const missing = new Set(made.groups.flat().map((index) => made.takes[index]!.line))
    counts.start(jobId, manifest.lines.length, manifest.lines.length - missing.size)
    const reason = fallback()
    if (reason !== null) await emit({ type: 'routing_notice', status: 'local_fallback', reason })
    for (const reason of made.routing) await emit({ type: 'routing_notice', status: 'notice', reason })
    for (const message of made.notices) await emit({ type: 'warning', segment: null, message })
    for (const { line, why } of made.failed) await emit({ type: 'error', segment: line, error: why })
    const digest = await keepJson(made)
    const hasSecond = made.voices.some(({ takesDuration }) => takesDuration === true)
    return stepOutput({ plan: digest, groups: made.groups.length, hasSecond }, { digest, bytes: 0 })
  }

  async function untilPlanned(look: () => Promise<SpeakPlan | Failure>, { signal, emit }: StepContext<SpeakEvent>): Promise<SpeakPlan> {
    const since = clock.mono()
    let isReported = false
    for (;;) {
      const found = await look()
      if (!(found instanceof Failure)) return found
      if (!isReported && clock.mono() - since > SILENT_WAIT_MS) {
        isReported = true
        await emit({ type: 'routing_notice', status: 'waiting', reason: found.message })
      }
      await clock.sleep(MACHINE_LOOK_MS, signal)
    }
  }

  async function speak(
    params: Params,
    jobId: string,
    planDigest: string,
    group: number,
    context: StepContext<SpeakEvent>,
  ): Promise<StepOutput<Unspoken>> {
    dubOrGone(core, params.dub)
    const manifest = await readJson(DubManifest, params.manifest)
    const made = await readJson(SpeakPlan, planDigest)
    const total = manifest.lines.length
    const known = counts.of(jobId)
    if (!known) {
      // After a restart: the groups before this one are done.
      const open = made.groups.slice(group).flat().length
      counts.start(jobId, total, total - open)
    }
    const own = made.groups[group]!
    const failed = await speaking(manifest, made, own, context, {
      settled(line) {
        const done = counts.add(jobId)
        context.report({
          fraction: done / Math.max(1, total),
          secondsLeft: null,
          frame: progressFrame(done, total, manifest.lines[line]!.text),
        })
      },
    })
    // The next groups are spoken meanwhile.
    const takes = own.map((at) => made.takes[at]!)
    await spokenTakes.addEffects(manifest, takes, context.signal)
    return stepOutput(failed)
  }

  async function lengths(params: Params, planDigest: string, context: StepContext<SpeakEvent>): Promise<StepOutput<null>> {
    await secondTakes.make(await readJson(DubManifest, params.manifest), await readJson(SpeakPlan, planDigest), context)
    return stepOutput(null)
  }

  async function assemble(
    params: Params,
    jobId: string,
    planDigest: string,
    unspoken: Unspoken,
    context: StepContext<SpeakEvent>,
  ): Promise<StepOutput<MadeTrack>> {
    const manifest = await readJson(DubManifest, params.manifest)
    const made = await readJson(SpeakPlan, planDigest)
    await context.emit({ type: 'assembling' })
    const progress = (fraction: number) => context.report({ fraction, secondsLeft: null, frame: null })
    const all = { ...made, failed: [...made.failed, ...unspoken] }
    const result = await assembling(manifest, all, context.signal, progress)
    await nextTurn()
    await requests.keep(jobId, manifest)
    await nextTurn()
    kept.delete(params.manifest)
    kept.delete(planDigest)
    return stepOutput(result)
  }

  function steps(params: Params, outcomes: StepOutcomes, jobId: string): StepPlan<SpeakEvent>[][] {
    const own = <T>(name: string, output: z.ZodType<T>, run: StepRun<T, SpeakEvent>): StepPlan<SpeakEvent> =>
      jobStep({
        name,
        output,
        // Takes and tracks are shared by their keys; which of them exist is looked up by each run.
        key: { kind: `dub.generate.${name.split(' ')[0]}`, version: VERSION, inputs: [params.manifest], params: { run: params.run, name } },
        run,
      })
    const first = [[own('plan', Planned, (context) => plan(params, jobId, context))]]
    const planned = readOutput(outcomes, 'plan', Planned)
    if (!planned) return first
    const { plan: digest, groups, hasSecond } = planned
    const names = Array.from({ length: groups }, (_, group) => `speak ${group}`)
    const unspoken = () => names.flatMap((name) => readOutput(outcomes, name, Unspoken) ?? [])
    return [
      ...first,
      ...(groups === 0 ? [] : [names.map((name, group) => own(name, Unspoken, (context) => speak(params, jobId, digest, group, context)))]),
      ...(hasSecond ? [[own('lengths', z.null(), (context) => lengths(params, digest, context))]] : []),
      [own('assemble', MadeTrack, (context) => assemble(params, jobId, digest, unspoken(), context))],
    ]
  }

  jobs.add(
    jobType({
      type: TYPE,
      params: Params,
      events: GenerateEvent,
      inputs: ({ manifest }) => [manifest],
      steps,
      concurrency: AT_ONCE,
      parallel: PARALLEL,
      onRestart: 'resume',
      doneFrame: (_, outcomes) => dubDoneFrame(readOutput(outcomes, 'assemble', MadeTrack)!),
      // The tracks are those of an earlier generation, or there are none: nothing may judge them as the result of this one.
      cleanUp: async (_, { dub }) => core.store.dubs.change(dub, { isAborted: true }),
      cancelledFrame: (jobId) => ({ type: 'cancelled', segments_processed: counts.of(jobId)?.done ?? 0 }),
    }),
  )

  return {
    /** Steps for jobs that generate among other things. `jobId`: names the run in its progress. Pure, as the steps of a job type. */
    steps,
    /** Stores the lines; resolves with the `manifest` of the parameters. Throws STORAGE_FULL. */
    keepManifest: (manifest: DubManifest): Promise<string> => keepJson(manifest),
    /** Resolves with the id of the job, which is durable. Throws what `Jobs.create` throws, STORAGE_FULL. */
    async start(manifest: DubManifest): Promise<string> {
      const digest = await keepJson(manifest)
      const params = { dub: manifest.dub, manifest: digest, run: random.hex(RUN_BYTES) }
      const filename = core.store.dubs.find(manifest.dub)?.filename ?? ''
      const meta = { dub: manifest.dub, filename, language_code: manifest.languageCode, segments: manifest.lines.length }
      for (let second = Math.floor(clock.now() / 1000); ; second++) {
        const id = `dub_${manifest.dub}_${second}`
        if (await jobs.get(id)) continue
        try {
          await jobs.create({ type: TYPE, id, params, meta, madeBy: core.makerOf(manifest.dub) })
          return id
        } catch (error) {
          if (Failure.from(error).code !== 'CONFLICT') throw error
        }
      }
    },
  }
}
