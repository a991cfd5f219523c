// The job that speaks lines again whose check has failed, keeps the best take of each, and assembles the track once.

import { z } from 'zod'
import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import { type AbortDub, REPAIR_TYPE } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { apiIdOf } from '#control-plane/features/dubbing/store/line.ts'
import { type createSpeakPlanning, SpeakPlan } from '#control-plane/features/dubbing/voice/speak/plan.service.ts'
import type { SpeakEvent } from '#control-plane/features/dubbing/voice/speak/speak-events.schema.ts'
import { type Speaking, Unspoken } from '#control-plane/features/dubbing/voice/speak/speaking.ts'
import type { SecondTakes } from '#control-plane/features/dubbing/voice/voices/second-takes.service.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import {
  jobStep,
  jobType,
  type StepContext,
  type StepOutcomes,
  type StepOutput,
  type StepPlan,
  type StepRun,
  stepOutput,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Assembling } from '../generate/assembling.ts'
import { progressFrame } from '../generate/progress-counts.ts'
import type { DubQc } from '../qc/qc.service.ts'
import { type createJudging, JudgedTake } from './judging.ts'
import { bestTake, MAX_MORE_TAKES, needsAnotherTake, TakeScore } from './repair.rules.ts'
import { RepairEvent } from './repair-events.schema.ts'
import type { DubRequests, KeptRequest } from './requests.ts'
import type { TrialTakes } from './trial-takes.ts'

const FailedLine = z.object({ id: z.string(), slotUs: z.number(), roomUs: z.number(), score: TakeScore })
export type FailedLine = z.output<typeof FailedLine>
const Params = z.object({
  dub: z.string(),
  language: z.string(),
  threshold: z.number(),
  /** The generation whose track was checked. */
  generation: z.string(),
  lines: z.array(FailedLine),
  /** Random: an id may be used again. */
  run: z.string(),
})
type Params = z.output<typeof Params>
const Repaired = z.object({
  flagged: z.int(),
  faulty: z.int(),
  kept: z.array(z.object({ seg_id: z.union([z.string(), z.int()]), takes: z.int(), best: z.int() })),
})
type Repaired = z.output<typeof Repaired>
const JudgedTakes = z.array(JudgedTake)

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'makerOf'>
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get'>
  readonly abort: Pick<AbortDub, 'activeOf' | 'requireNoOtherTracks' | 'startAlone'>
  readonly requests: DubRequests
  readonly trials: TrialTakes
  readonly planning: ReturnType<typeof createSpeakPlanning>
  readonly speaking: Speaking
  readonly secondTakes: Pick<SecondTakes, 'make'>
  readonly assembling: Assembling
  readonly judge: ReturnType<typeof createJudging>
  readonly examine: DubQc['examine']
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
}
export type DubRepairs = ReturnType<typeof createDubRepairs>

const VERSION = 1
const RUN_BYTES = 8

/** Long factory: the steps of one job share its request, its engines and the wait for them. */
export function createDubRepairs({
  core,
  jobs,
  abort,
  requests,
  trials,
  planning,
  speaking,
  secondTakes,
  assembling,
  judge,
  examine,
  clock,
  random,
}: Deps) {
  const { store } = core
  /** Throws CONFLICT when the track was generated again since. `own`: this job, once it has assembled. */
  async function requestOf({ dub, language, generation }: Params, own: string): Promise<KeptRequest> {
    const request = await requests.of(dub, language)
    if (request && [generation, own].includes(request.job)) return request
    throw new Failure('CONFLICT', 'The dub was generated again meanwhile. Check it again.')
  }

  /** Only what is spoken: the other lines keep their takes. */
  async function plan(params: Params, jobId: string, ids: ReadonlySet<string>, { signal }: StepContext): Promise<StepOutput<SpeakPlan>> {
    const { manifest } = await requestOf(params, jobId)
    const lines = manifest.lines.map((line) => ({ ...line, isAgain: ids.has(line.id) }))
    const made = await whenReady(() => planning(dubOrGone(core, params.dub), { ...manifest, lines }, signal), clock, signal)
    const spoken = made.groups.flat()
    await trials.add(
      params.dub,
      params.language,
      spoken.map((index) => made.takes[index]!.key),
    )
    const places = new Map(spoken.map((index, at) => [index, at]))
    const small: SpeakPlan = {
      ...made,
      takes: spoken.map((index) => made.takes[index]!),
      groups: made.groups.map((group) => group.map((index) => places.get(index)!)),
    }
    return stepOutput(small)
  }

  async function judged(
    params: Params,
    jobId: string,
    made: SpeakPlan,
    context: StepContext<SpeakEvent>,
  ): Promise<StepOutput<JudgedTake[]>> {
    const { manifest } = await requestOf(params, jobId)
    const wanted = new Map(params.lines.map((line) => [line.id, line]))
    const results: JudgedTake[] = []
    for (const [at, { line, key }] of made.takes.entries()) {
      const { id, text } = manifest.lines[line]!
      const asked = wanted.get(id)
      if (!asked) continue
      const { slotUs, roomUs } = asked
      results.push(
        await whenReady(() => judge(params.dub, params.language, { id, key, text, slotUs, roomUs }, context.signal), clock, context.signal),
      )
      const total = made.takes.length
      context.report({ fraction: (at + 1) / total, secondsLeft: null, frame: progressFrame(at + 1, total, text) })
    }
    return stepOutput(results)
  }

  /** The takes of each line in the order in which they were spoken; the first is the one that failed. */
  const takesOf = ({ lines }: Params, rounds: readonly (readonly JudgedTake[])[]) =>
    lines.map(({ id, score }) => ({
      id,
      takes: [{ key: '', score }, ...rounds.flatMap((round) => round.filter((take) => take.id === id))],
    }))

  async function assemble(
    params: Params,
    rounds: JudgedTake[][],
    jobId: string,
    context: StepContext<SpeakEvent>,
  ): Promise<StepOutput<Repaired>> {
    const { dub, language, threshold } = params
    const { signal, emit } = context
    const { manifest } = await requestOf(params, jobId)
    const kept = takesOf(params, rounds).map(({ id, takes }) => ({ id, takes, best: bestTake(takes.map(({ score }) => score)) }))
    // The latest take of a line counts: those after the best one go.
    const losers = kept.flatMap(({ takes, best }) => takes.slice(best + 1).map(({ key }) => key))
    store.tracks.removeTakes(dub, language, losers)
    await emit({ type: 'assembling' })
    const made = await whenReady(() => planning(dubOrGone(core, dub), manifest, signal), clock, signal)
    if (made.voices.some(({ takesDuration }) => takesDuration === true)) await secondTakes.make(manifest, made, context)
    await assembling(manifest, made, signal, () => {})
    await trials.keep(dub, language)
    await requests.keep(jobId, manifest)
    const { answer } = await whenReady(
      () => examine(dub, { language, threshold, needsWords: false }, { signal, traceparent: '' }),
      clock,
      signal,
    )
    const lines = kept.map(({ id, takes, best }) => ({ seg_id: apiIdOf(id), takes: takes.length, best }))
    return stepOutput({ flagged: answer.flagged_count, faulty: answer.faulty_count, kept: lines })
  }

  function steps(params: Params, outcomes: StepOutcomes, jobId: string): StepPlan<SpeakEvent>[][] {
    const own = <T>(name: string, output: z.ZodType<T>, run: StepRun<T, SpeakEvent>): StepPlan<SpeakEvent> =>
      jobStep({
        name,
        output,
        key: { kind: `dub.repair.${name.split(' ')[0]}`, version: VERSION, inputs: [], params: { run: params.run, name } },
        run,
      })
    const stages: StepPlan<SpeakEvent>[][] = []
    const rounds: JudgedTake[][] = []
    let open = new Set(params.lines.map(({ id }) => id))
    for (let round = 1; round <= MAX_MORE_TAKES && open.size > 0; round++) {
      const ids = open
      stages.push([own(`plan ${round}`, SpeakPlan, (context) => plan(params, jobId, ids, context))])
      const made = readOutput(outcomes, `plan ${round}`, SpeakPlan)
      if (!made) return stages
      const groups = made.groups.map((group, at) =>
        own(`speak ${round} ${at}`, Unspoken, async (context) => {
          const { manifest } = await requestOf(params, jobId)
          return stepOutput(await speaking(manifest, made, group, context, { settled() {} }))
        }),
      )
      if (groups.length > 0) stages.push(groups)
      stages.push([own(`judge ${round}`, JudgedTakes, (context) => judged(params, jobId, made, context))])
      const takes = readOutput(outcomes, `judge ${round}`, JudgedTakes)
      if (!takes) return stages
      rounds.push(takes)
      open = new Set(takes.filter(({ score }) => needsAnotherTake(score)).map(({ id }) => id))
    }
    stages.push([own('assemble', Repaired, (context) => assemble(params, rounds, jobId, context))])
    return stages
  }

  jobs.add(
    jobType({
      type: REPAIR_TYPE,
      params: Params,
      events: RepairEvent,
      steps,
      concurrency: 2,
      parallel: 2,
      onRestart: 'resume',
      doneFrame: (_, outcomes) => {
        const { flagged, faulty, kept } = readOutput(outcomes, 'assemble', Repaired)!
        return { type: 'done', flagged_count: flagged, faulty_count: faulty, lines: kept.slice(0, 2_000) }
      },
    }),
  )

  async function create(params: Params): Promise<string> {
    const { dub, language, lines } = params
    const filename = store.dubs.find(dub)?.filename ?? ''
    const meta = { dub, filename, language_code: language, segments: lines.length }
    for (let second = Math.floor(clock.now() / 1000); ; second++) {
      const id = `dub_${dub}_${second}`
      if (await jobs.get(id)) continue
      try {
        await jobs.create({ type: REPAIR_TYPE, id, params, meta, madeBy: core.makerOf(dub) })
        return id
      } catch (error) {
        if (Failure.from(error).code !== 'CONFLICT') throw error
      }
    }
  }
  /** Throws CONFLICT while a batch, a generation or another repair makes voice tracks of the dub. */
  function requireIdle(dub: string): void {
    abort.requireNoOtherTracks(dub)
    if (abort.activeOf(dub).some((id) => id.startsWith(`dub_${dub}_`)))
      throw new Failure('CONFLICT', 'This dub is being generated. Wait until that has ended.')
  }

  return {
    requireIdle,
    /**
     * Resolves with the id of a durable job; null when none of the lines can be spoken again. Throws as `requireIdle`, BAD_REQUEST for a track of
     * an earlier version, and what `Jobs.create` throws.
     */
    start: (dub: string, language: string, threshold: number, failed: readonly FailedLine[]): Promise<string | null> =>
      abort.startAlone(dub, async () => {
        const request = await requests.of(dub, language)
        if (!request) throw new Failure('BAD_REQUEST', 'This track was made by an earlier version. Generate it once more to repair it.')
        const known = new Set(request.manifest.lines.map(({ id }) => id))
        const lines = failed.filter(({ id, score }) => known.has(id) && needsAnotherTake(score))
        if (lines.length === 0) return null
        requireIdle(dub)
        await trials.drop(dub, language)
        return await create({ dub, language, threshold, generation: request.job, lines, run: random.hex(RUN_BYTES) })
      }),
  }
}
