// The job of one press: waits for the film, transcribes it, and translates its lines. Its id is that of a transcription, `asr_<dub>_<time>`.

import { z } from 'zod'
import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { TranslationApi } from '#control-plane/features/listening/translation/api.ts'
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
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { DubBeginBody } from '../transcribe/transcribe.contract.ts'
import { TranscribeEvent, type TranscribeStepEvent, type TranslatedEvent } from '../transcribe/transcribe-events.schema.ts'
import { type TranscribeJobs, transcriptionAmong, transcriptionError } from '../transcribe/transcribe-job.ts'
import { StoredLines } from '../transcribe/transcribe-steps.ts'
import type { PartOfLines, TranslatedPart } from './translate-lines.ts'

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'dub' | 'makerOf' | 'saved'>
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get' | 'active'>
  readonly transcriptions: Pick<TranscribeJobs, 'steps'>
  readonly translation: Pick<TranslationApi, 'translate'>
  readonly abort: Pick<AbortDub, 'activeOf' | 'requireNoBatch' | 'startAlone'>
  readonly recognition: Pick<RecognitionApi, 'partwise'>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}
const Params = z.object({
  dub: z.string(),
  langs: z.array(z.string()),
  language: z.string().nullable(),
  speakers: z.int().min(1).max(20).nullable(),
})
type Params = z.output<typeof Params>
type BeginEvent = TranscribeStepEvent | TranslatedEvent
const Prepared = z.object({ speech: z.string() })
const Translated = z.object({
  lines: z.array(z.object({ id: z.string(), seconds: z.number().exactOptional(), error: z.string().exactOptional() })),
})
/** Lines that a kill repeats. */
const LINES_A_PART = 40
const TYPE = 'dub_begin'
const LOOK_MS = 500

export function createBeginJobs({ core, jobs, transcriptions, translation, abort, recognition, clock }: Deps) {
  const isPreparing = (dub: string) => abort.activeOf(dub).includes(`prep_${dub}`)

  async function prepared({ dub }: Params, { signal, whileWaiting }: StepContext): Promise<StepOutput<z.output<typeof Prepared>>> {
    if (isPreparing(dub))
      await whileWaiting(async () => {
        while (isPreparing(dub)) await clock.sleep(LOOK_MS, signal)
      })
    const { sound } = dubOrGone(core, dub)
    if (!sound) throw new Failure('INPUT_UNAVAILABLE', 'The film was not prepared, so it has no sound to transcribe. Add the film again.')
    return stepOutput({ speech: sound.speech })
  }

  /** Loaded with the first translation, because a start of the studio needs none. */
  async function translated(dub: string, language: string, lines: PartOfLines, context: StepContext<BeginEvent>) {
    const { createLineTranslation } = await import('./translate-lines.ts')
    return await createLineTranslation({ core, translation })(dub, language, lines, context)
  }

  function translations({ dub, langs }: Params, outcomes: StepOutcomes, jobId: string): StepPlan<BeginEvent>[][] {
    const stored = readOutput(outcomes, 'final', StoredLines)
    if (!stored) return []
    const parts = Array.from({ length: Math.ceil(stored.lines / LINES_A_PART) }, (_, part) => part)
    return langs.flatMap((language) => {
      const name = (part: number) => `translate ${language} ${part}`
      const failed = parts.findIndex((part) => outcomes.failures.has(name(part)))
      return (failed < 0 ? parts : parts.slice(0, failed + 1)).map((part) => [
        jobStep<TranslatedPart, BeginEvent>({
          name: name(part),
          output: Translated,
          key: { kind: 'dub.begin.translate', version: 1, inputs: [], params: { job: jobId, language, part } },
          run: (context) => translated(dub, language, { from: part * LINES_A_PART, to: (part + 1) * LINES_A_PART }, context),
          frame: ({ json: { lines } }) => ({ type: 'translated', language, lines }),
          optional: true,
        }),
      ])
    })
  }

  function steps(params: Params, outcomes: StepOutcomes, jobId: string): (readonly StepPlan<BeginEvent>[])[] {
    const { dub, language, speakers } = params
    const first = jobStep({
      name: 'prepared',
      output: Prepared,
      key: { kind: 'dub.begin.prepared', version: 1, inputs: [], params: { job: jobId } },
      run: (context) => prepared(params, context),
    })
    const film = readOutput(outcomes, 'prepared', Prepared)
    if (!film) return [[first]]
    const asked = { dub, language, speakers, speech: film.speech, lineClips: true }
    return [[first], ...transcriptions.steps(asked, outcomes, jobId), ...translations(params, outcomes, jobId)]
  }

  jobs.add(
    jobType({
      type: TYPE,
      params: Params,
      events: TranscribeEvent,
      steps,
      concurrency: 1,
      onRestart: 'resume',
      onCancel: 'keep',
      framing: 'json',
      errorFrame: transcriptionError,
    }),
  )

  async function start(dubId: string, { langs, language = null, speakers = null }: DubBeginBody): Promise<string> {
    const running = transcriptionAmong(dubId, abort.activeOf(dubId))
    if (running !== undefined) {
      if (jobs.active().some(({ id, type }) => id === running && type === TYPE)) return running
      throw new Failure('CONFLICT', 'The film is being transcribed now. Wait until that has ended, then translate its lines.')
    }
    abort.requireNoBatch(dubId)
    // A film from an address has no row while it is fetched.
    const dub = isPreparing(dubId) ? core.store.dubs.find(dubId) : core.dub(dubId)
    if (!isPreparing(dubId) && !dub?.sound) throw new Failure('NOT_FOUND', 'The film was not prepared. Add it again.')
    recognition.partwise.require()
    let moment = Math.floor(clock.now() / 1000)
    while (await jobs.get(`asr_${dubId}_${moment}`)) moment++
    const id = `asr_${dubId}_${moment}`
    const params: Params = { dub: dubId, langs: [...new Set(langs)], language, speakers }
    const meta = { dub: dubId, filename: dub?.filename ?? '', langs: params.langs }
    await jobs.create({ type: TYPE, id, params, meta, madeBy: core.makerOf(dubId) })
    return id
  }

  /**
   * Resolves with the id of the job, which is durable; the same one while it runs. Throws NOT_FOUND, CONFLICT while the film is transcribed or a batch
   * makes the dub, NOT_READY and MODEL_NOT_INSTALLED without a recogniser.
   */
  return (dubId: string, body: DubBeginBody): Promise<string> => abort.startAlone(dubId, () => start(dubId, body))
}
