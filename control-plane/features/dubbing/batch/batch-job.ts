// The job `batch`: a film through preparation, transcription, translation, generation and export, without edits. Its id is that of the dub.
// Each language passes the last three on its own: one that fails leaves the others.
import { z } from 'zod'
import type { PrepSteps } from '#control-plane/features/dubbing/film/prep/prep-job.ts'
import { PrepParams } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { TranscribeJobs } from '#control-plane/features/dubbing/lines/transcribe/transcribe-job.ts'
import { MadeTrack } from '#control-plane/features/dubbing/make/generate/assembling.ts'
import type { GenerateJobs } from '#control-plane/features/dubbing/make/generate/generate-job.ts'
import { BATCH_TYPE } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import {
  type JobFrame,
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
import type { Reservation } from '#control-plane/jobs/run/reservations.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { BatchStage } from './batch.rules.ts'
import type { BatchRows } from './batch.store.ts'
import { BatchEvent } from './batch-events.schema.ts'
import type { BatchPlace, BatchProgresses } from './batch-progress.ts'
import { BatchLines, BatchSpeech, type BatchSteps, KeptManifest, LINES_AT_ONCE, MixedFilm, TranslatedLines } from './batch-steps.ts'
import { type SubSteps, subSteps } from './sub-steps.ts'

export const BatchParams = PrepParams.extend({
  langs: z.array(z.string()),
  voiceId: z.string().nullable(),
  preserveBg: z.boolean(),
})
export type BatchParams = z.output<typeof BatchParams>
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'makerOf'>
  readonly rows: BatchRows
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'reserve'>
  readonly prep: PrepSteps
  readonly transcriptions: Pick<TranscribeJobs, 'steps'>
  readonly generateJobs: Pick<GenerateJobs, 'steps'>
  readonly own: BatchSteps
  readonly progress: BatchProgresses
  readonly removal: Removal
  /** Ends the exports of a dub. */
  readonly stopExports: (dubId: string) => boolean
  readonly clock: Pick<Clock, 'now'>
}
type BatchStep = StepPlan<BatchEvent>
const VERSION = 1
/** Tasks of one item at the same time, as in a generation of its own. */
const PARALLEL = 4
const Concluded = z.object({ langs: z.array(z.string()) })
/** Counts of a progress event, whose lines count from 0. An item names the number of the line. */
const Counts = z.object({ current: z.int().transform((line) => line + 1), total: z.int() })
const Remark = z.object({ type: z.enum(['warning', 'error', 'routing_notice']), text: z.string() })

/** Films of one client that wait or are dubbed. */
const UNFINISHED_PER_CLIENT = 100
export type BatchJobs = ReturnType<typeof createBatchJobs>

/** Long factory: the stages of one job share its rows, its progress and the steps of the other jobs. */
export function createBatchJobs(deps: Deps) {
  const { core, rows, jobs, prep, transcriptions, generateJobs, own: batch, progress, removal, stopExports, clock } = deps

  function stages(params: BatchParams, outcomes: StepOutcomes, jobId: string): readonly (readonly BatchStep[])[] {
    const { dub, langs, voiceId, preserveBg, run: item } = params
    const own = <T>(name: string, output: z.ZodType<T>, run: StepRun<T>): BatchStep =>
      jobStep({
        name,
        output,
        key: { kind: `dub.batch.${name.split(' ')[0]}`, version: VERSION, inputs: [params.source], params: { run: item, name } },
        run,
      })
    const part = (
      stage: BatchStage,
      language: string | null,
      plan: (own: StepOutcomes) => readonly (readonly BatchStep[])[],
    ): SubSteps<BatchEvent> =>
      subSteps(
        outcomes,
        {
          prefix: language === null ? stage : `${stage} ${language}`,
          isOptional: language !== null,
          contextOf(context, place) {
            const at = {
              language: language === null ? 0 : langs.indexOf(language),
              languages: language === null ? 1 : langs.length,
              ...place,
            }
            return observed(dub, { stage, language, at }, context)
          },
        },
        plan,
      )
    const all: (readonly BatchStep[])[] = []
    /** False while some of it is left to do. */
    const isOver = (...parts: readonly SubSteps<BatchEvent>[]): boolean => {
      all.push(...parts.flatMap((each) => each.stages))
      return parts.every((each) => each.isOver)
    }
    const begin = own('begin', z.null(), async () => {
      rows.started(dub, clock.now())
      return stepOutput(null)
    })
    all.push([begin])

    const film = part('extract', null, (outcome) => [...prep.steps(params, outcome), [own('speech', BatchSpeech, () => batch.speech(dub))]])
    if (!isOver(film)) return all
    const { speech } = readOutput(outcomes, 'extract speech', BatchSpeech)!

    const asked = { dub, speech, speakers: null, lineClips: true }
    const transcript = part('transcribe', null, (outcome) => [
      ...transcriptions.steps(asked, outcome, jobId),
      ...(outcome.outputs.has('final') ? [[own('lines', BatchLines, () => batch.lines(dub))]] : []),
    ])
    if (!isOver(transcript)) return all
    const { lines } = readOutput(outcomes, 'transcribe lines', BatchLines)!

    const faults = new Map<string, string>()
    /** A stage of every language that has not failed; null while some of it is left to do. */
    const forLanguages = (among: readonly string[], each: (language: string) => SubSteps<BatchEvent>): string[] | null => {
      const parts = among.map((language) => ({ language, made: each(language) }))
      if (!isOver(...parts.map(({ made }) => made))) return null
      for (const { language, made } of parts) if (made.fault) faults.set(language, made.fault.message)
      return among.filter((language) => !faults.has(language))
    }
    const windows = Array.from({ length: Math.ceil(lines / LINES_AT_ONCE) }, (_, at) => at)
    const translated = forLanguages(langs, (language) =>
      part('translate', language, () =>
        windows
          .map((at) => [own(`lines ${at}`, TranslatedLines, (context) => batch.translate(dub, language, at, context))])
          .map((stage) => keyedBy(stage, language)),
      ),
    )
    if (!translated) return all
    const partsOf = (language: string) => windows.map((at) => readOutput(outcomes, `translate ${language} lines ${at}`, TranslatedLines)!)
    const spoken = forLanguages(translated, (language) =>
      part('generate', language, (outcome) => {
        const first = keyedBy([own('manifest', KeptManifest, () => batch.manifest(dub, language, voiceId, partsOf(language)))], language)
        const kept = readOutput(outcome, 'manifest', KeptManifest)
        if (!kept) return [first]
        const { manifest } = kept
        const made = generateJobs.steps({ dub, manifest, run: item }, outcome, `${jobId} ${language}`)
        const done = readOutput(outcome, 'assemble', MadeTrack)
        const check = keyedBy([own('check', z.null(), async () => requireSpeech(done!))], language)
        return [first, ...made, ...(done ? [check] : [])]
      }),
    )
    if (!spoken) return all
    const mixed = forLanguages(spoken, (language) =>
      part('mix', language, () => [
        keyedBy([own('film', MixedFilm, (context) => batch.mix(dub, language, preserveBg, context))], language),
      ]),
    )
    if (!mixed) return all
    return [...all, [own('end', Concluded, async () => conclude(dub, mixed, faults))]]
  }

  function conclude(dub: string, made: readonly string[], faults: ReadonlyMap<string, string>): StepOutput<z.output<typeof Concluded>> {
    for (const [language, message] of faults) rows.warn(dub, `${language}: ${message}`)
    if (made.length === 0) {
      const [[language, message] = ['', 'Nothing was made.']] = faults
      throw new Failure('WORKER_FAILED', language === '' ? message : `${language}: ${message}`)
    }
    return stepOutput({ langs: [...made] })
  }

  /** The context of a step, whose progress and warnings become those of the item. */
  function observed(id: string, place: BatchPlace, context: StepContext<BatchEvent>): StepContext<BatchEvent> {
    progress.report(id, place, null, null)
    return {
      ...context,
      report(made) {
        const counts = made.frame?.type === 'progress' ? (Counts.safeParse(made.frame).data ?? null) : null
        progress.report(id, place, made.fraction, counts)
        context.report(made)
      },
      async emit(frame) {
        const text = remarkOf(frame)
        if (text !== null) rows.warn(id, place.language === null ? text : `${place.language}: ${text}`)
        await context.emit(frame)
      },
    }
  }

  jobs.add(
    jobType({
      type: BATCH_TYPE,
      params: BatchParams,
      events: BatchEvent,
      steps: stages,
      concurrency: 1,
      unfinishedPerClient: UNFINISHED_PER_CLIENT,
      parallel: PARALLEL,
      onRestart: 'resume',
      onCancel: 'discard',
      async cleanUp(_, { dub }) {
        stopExports(dub)
        if (core.store.dubs.find(dub)?.sound === null) await removal.remove(dub)
      },
    }),
  )

  return {
    /** A place for `start`. Throws QUEUE_FULL. */
    reserve: (): Reservation => jobs.reserve(BATCH_TYPE),
    /** Resolves when the job is durable. Throws what `Jobs.create` throws. */
    async start(params: BatchParams, reservation: Reservation): Promise<void> {
      const { dub: id, filename, langs } = params
      const madeBy = core.makerOf(id)
      await jobs.create({ type: BATCH_TYPE, id, params, meta: { dub: id, filename, langs: [...langs] }, madeBy, reservation })
    },
  }
}

/** Steps of one language have keys of their own. */
const keyedBy = (stage: readonly BatchStep[], language: string): BatchStep[] =>
  stage.map((step) => ({ ...step, key: { ...step.key, inputs: step.key.inputs, params: { of: step.key.params, language } } }))

function requireSpeech({ segments_processed: lines, seg_hashes: made }: MadeTrack): StepOutput<null> {
  if (lines > 0 && Object.keys(made).length === 0)
    throw new Failure('WORKER_FAILED', 'No line could be spoken. The warnings of the job say why.')
  return stepOutput(null)
}

/** Text of a frame for people; null for one that only counts. */
function remarkOf(frame: JobFrame): string | null {
  const text = [frame['message'], frame['detail'], frame['error'], frame['reason']].find((one) => typeof one === 'string' && one !== '')
  return Remark.safeParse({ type: frame.type, text }).data?.text.slice(0, 500) ?? null
}
