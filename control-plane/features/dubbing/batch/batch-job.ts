// The job `batch`: a film through preparation, transcription, translation, generation and export, without edits. Its id is that of the dub.
// Each language passes the last three on its own: one that fails leaves the others.
import { z } from 'zod'
import { outputOf } from '#control-plane/features/dubbing/film/prep/film-steps.ts'
import type { PrepSteps } from '#control-plane/features/dubbing/film/prep/prep-job.ts'
import { PrepParams } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { TranscribeJobs } from '#control-plane/features/dubbing/lines/transcribe/transcribe-job.ts'
import type { GenerateJobs } from '#control-plane/features/dubbing/make/generate/generate-job.ts'
import { BATCH_TYPE } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import {
  type JobFrame,
  jobType,
  type StepContext,
  type StepOutcomes,
  type StepOutput,
  type StepPlan,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { Reservation } from '#control-plane/jobs/run/reservations.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { BatchStage } from './batch.rules.ts'
import type { BatchRows } from './batch.store.ts'
import type { BatchPlace, BatchProgresses } from './batch-progress.ts'
import { BatchLines, type BatchSteps, LINES_AT_ONCE, TranslatedLines } from './batch-steps.ts'
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
const VERSION = 1
/** Tasks of one item at the same time, as in a generation of its own. */
const PARALLEL = 4
const Speech = z.object({ speech: z.string() })
const Kept = z.object({ manifest: z.string() })
const Spoken = z.object({ segments_processed: z.int(), seg_hashes: z.record(z.string(), z.string()) })
/** Of a progress event, whose lines count from 0. An item names the number of the line. */
const Counts = z.object({ current: z.int().transform((line) => line + 1), total: z.int() })
const Remark = z.object({ type: z.enum(['warning', 'error', 'routing_notice']), text: z.string() })

/** Films of one client that wait or are dubbed. */
const UNFINISHED_PER_CLIENT = 100
export type BatchJobs = ReturnType<typeof createBatchJobs>

export function createBatchJobs(deps: Deps) {
  const { core, rows, jobs, prep, transcriptions, generateJobs, own, progress, removal, stopExports, clock } = deps

  function stages(params: BatchParams, outcomes: StepOutcomes, jobId: string): readonly (readonly StepPlan[])[] {
    const { dub, langs, voiceId, preserveBg, run } = params
    const step = (name: string, work: (context: StepContext) => Promise<StepOutput>): StepPlan => ({
      name,
      key: { kind: `dub.batch.${name.split(' ')[0]}`, version: VERSION, inputs: [params.source], params: { run, name } },
      run: work,
    })
    const part = (stage: BatchStage, language: string | null, plan: (own: StepOutcomes) => readonly (readonly StepPlan[])[]): SubSteps =>
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
    const all: (readonly StepPlan[])[] = []
    /** False while some of it is left to do. */
    const isOver = (...parts: readonly SubSteps[]): boolean => {
      all.push(...parts.flatMap((each) => each.stages))
      return parts.every((each) => each.isOver)
    }
    const begin = step('begin', async () => {
      rows.started(dub, clock.now())
      return outputOf(null)
    })
    all.push([begin])

    const film = part('extract', null, (outcome) => [...prep.steps(params, outcome), [step('speech', () => own.speech(dub))]])
    if (!isOver(film)) return all
    const { speech } = Speech.parse(outcomes.outputs.get('extract speech')!.json)

    const asked = { dub, speech, speakers: null, lineClips: true }
    const transcript = part('transcribe', null, (outcome) => [
      ...transcriptions.steps(asked, outcome, jobId),
      ...(outcome.outputs.has('final') ? [[step('lines', () => own.lines(dub))]] : []),
    ])
    if (!isOver(transcript)) return all
    const { lines } = BatchLines.parse(outcomes.outputs.get('transcribe lines')!.json)

    const faults = new Map<string, string>()
    /** A stage of every language that has not failed; null while some of it is left to do. */
    const forLanguages = (among: readonly string[], each: (language: string) => SubSteps): string[] | null => {
      const parts = among.map((language) => ({ language, made: each(language) }))
      if (!isOver(...parts.map(({ made }) => made))) return null
      for (const { language, made } of parts) if (made.fault) faults.set(language, made.fault.message)
      return among.filter((language) => !faults.has(language))
    }
    const windows = Array.from({ length: Math.ceil(lines / LINES_AT_ONCE) }, (_, at) => at)
    const translated = forLanguages(langs, (language) =>
      part('translate', language, () =>
        windows
          .map((at) => [step(`lines ${at}`, (context) => own.translate(dub, language, at, context))])
          .map((stage) => keyedBy(stage, language)),
      ),
    )
    if (!translated) return all
    const partsOf = (language: string) =>
      windows.map((at) => TranslatedLines.parse(outcomes.outputs.get(`translate ${language} lines ${at}`)!.json))
    const spoken = forLanguages(translated, (language) =>
      part('generate', language, (outcome) => {
        const first = keyedBy([step('manifest', () => own.manifest(dub, language, voiceId, partsOf(language)))], language)
        const kept = outcome.outputs.get('manifest')
        if (!kept) return [first]
        const { manifest } = Kept.parse(kept.json)
        const made = generateJobs.steps({ dub, manifest, run }, outcome, `${jobId} ${language}`)
        const done = outcome.outputs.get('assemble')
        const check = keyedBy([step('check', async () => requireSpeech(Spoken.parse(done!.json)))], language)
        return [first, ...made, ...(done ? [check] : [])]
      }),
    )
    if (!spoken) return all
    const mixed = forLanguages(spoken, (language) =>
      part('mix', language, () => [keyedBy([step('film', (context) => own.mix(dub, language, preserveBg, context))], language)]),
    )
    if (!mixed) return all
    return [...all, [step('end', async () => conclude(dub, mixed, faults))]]
  }

  function conclude(dub: string, made: readonly string[], faults: ReadonlyMap<string, string>): StepOutput {
    for (const [language, message] of faults) rows.warn(dub, `${language}: ${message}`)
    if (made.length === 0) {
      const [[language, message] = ['', 'Nothing was made.']] = faults
      throw new Failure('WORKER_FAILED', language === '' ? message : `${language}: ${message}`)
    }
    return outputOf({ langs: [...made] })
  }

  /** The context of a step, whose progress and warnings become those of the item. */
  function observed(id: string, place: BatchPlace, context: StepContext): StepContext {
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
    jobType<BatchParams>({
      type: BATCH_TYPE,
      params: BatchParams,
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
const keyedBy = (stage: readonly StepPlan[], language: string): StepPlan[] =>
  stage.map((step) => ({ ...step, key: { ...step.key, inputs: step.key.inputs, params: { of: step.key.params, language } } }))

function requireSpeech({ segments_processed: lines, seg_hashes: made }: z.output<typeof Spoken>): StepOutput {
  if (lines > 0 && Object.keys(made).length === 0)
    throw new Failure('WORKER_FAILED', 'No line could be spoken. The warnings of the job say why.')
  return outputOf(null)
}

/** What a frame says to people; null for one that only counts. */
function remarkOf(frame: JobFrame): string | null {
  const text = [frame['message'], frame['detail'], frame['error'], frame['reason']].find((one) => typeof one === 'string' && one !== '')
  return Remark.safeParse({ type: frame.type, text }).data?.text.slice(0, 500) ?? null
}
