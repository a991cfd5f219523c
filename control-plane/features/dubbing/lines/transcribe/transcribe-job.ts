// The job `asr_<dub>_<time>`. A kill repeats only the part that was running.

import type { z } from 'zod'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { lineRow } from '#control-plane/features/dubbing/store/line.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { JobFault } from '#control-plane/jobs/job.ts'
import { jobStep, jobType, type StepOutcomes, type StepOutput, type StepPlan, type StepRun } from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { Failure, isRetryable } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { storedLine } from './lines.rules.ts'
import { PART_SECONDS } from './parts.rules.ts'
import { PartTurns } from './speakers/turns.rules.ts'
import { type TranscribedPart, TranscribeEvent, type TranscribeStepEvent } from './transcribe-events.schema.ts'
import {
  FilmSpans,
  partName,
  RecognisedPart,
  StoredLines,
  speakersNames,
  type TranscribeSteps,
  TranscriptionParams,
} from './transcribe-steps.ts'

export type TranscribeJobs = ReturnType<typeof createTranscribeJobs>
type Deps = {
  readonly core: Pick<DubCore, 'dub' | 'makerOf'>
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get'>
  readonly steps: TranscribeSteps
  readonly abort: Pick<AbortDub, 'activeOf' | 'requireNoBatch'>
  readonly recognition: Pick<RecognitionApi, 'partwise'>
  readonly clock: Pick<Clock, 'now'>
}
const TYPE = 'dub_transcribe'

/** The last event of a transcription that failed. */
export const transcriptionError = ({ code, message, needs }: JobFault): TranscribeEvent & { readonly type: 'error' } => ({
  type: 'error',
  detail: message,
  retryable: isRetryable(code),
  code,
  ...(needs && { needs }),
})

export function createTranscribeJobs({ core, jobs, steps, abort, recognition, clock }: Deps) {
  /** Starts of a dub that were requested together share one job. */
  const starting = new Map<string, Promise<string>>()

  function stages(params: TranscriptionParams, outcomes: StepOutcomes, jobId: string): StepPlan<TranscribeStepEvent>[][] {
    const own = <T>(
      name: string,
      output: z.ZodType<T>,
      run: StepRun<T, TranscribeStepEvent>,
      frame?: (output: StepOutput<T>) => TranscribeStepEvent,
    ): StepPlan<TranscribeStepEvent> =>
      jobStep({
        name,
        output,
        key: { kind: `dub.transcribe.${name}`, version: 1, inputs: [params.speech], params: { job: jobId } },
        run,
        ...(frame && { frame }),
      })
    const begin = own(
      'begin',
      FilmSpans,
      (context) => steps.begin(params, context),
      ({ json: { seconds, parts } }) => ({ type: 'start', duration: seconds, chunks: parts.length, chunk_s: PART_SECONDS }),
    )
    const film = readOutput(outcomes, 'begin', FilmSpans)
    if (!film) return [[begin]]
    return [
      [begin],
      ...film.parts.map((_, part) => [partStep(params, film, part)]),
      ...speakersNames(film, params).map((name, part) => [own(name, PartTurns, (context) => steps.speakers(params, film, part, context))]),
      [
        own(
          'final',
          StoredLines,
          (context) => steps.finish(params, outcomes, jobId, context),
          () => ({ type: 'final' }),
        ),
      ],
    ]
  }

  function partStep(params: TranscriptionParams, film: FilmSpans, part: number): StepPlan<TranscribeStepEvent> {
    const { engine, model, language, parts } = film
    const { from, to } = parts[part]!
    const frame = (segments: TranscribedPart['segments'], fault: Failure | null): TranscribedPart => ({
      type: 'segments',
      chunk: part,
      total_chunks: parts.length,
      segments,
      progress: (part + 1) / parts.length,
      error: fault?.message ?? null,
      error_code: fault?.code ?? null,
    })
    return jobStep({
      name: partName(part),
      output: RecognisedPart,
      // Not the job: a transcription that was cancelled or repeated finds the parts that it has made.
      key: { kind: 'dub.transcribe.part', version: 2, inputs: [params.speech], params: { engine, model, language, part, from, to } },
      run: (context) => steps.part(params, film, part, (fault) => frame([], fault), context),
      frame: ({ json: { lines } }) =>
        frame(
          lines.map((line) => lineRow(storedLine(line))),
          null,
        ),
      optional: true,
    })
  }

  jobs.add(
    jobType({
      type: TYPE,
      params: TranscriptionParams,
      events: TranscribeEvent,
      steps: stages,
      concurrency: 1,
      onRestart: 'resume',
      onCancel: 'keep',
      framing: 'json',
      errorFrame: transcriptionError,
    }),
  )

  async function start(dubId: string, speakers: number | null, lineClips: boolean): Promise<string> {
    const active = abort.activeOf(dubId)
    const running = transcriptionAmong(dubId, active)
    if (running !== undefined) return running
    abort.requireNoBatch(dubId)
    const { sound, filename } = core.dub(dubId)
    if (!sound) throw new Failure('NOT_FOUND', 'The sound of this dub is not extracted yet. Wait until its preparation has ended.')
    recognition.partwise.require()
    const params: TranscriptionParams = { dub: dubId, speech: sound.speech, speakers, lineClips }
    let moment = Math.floor(clock.now() / 1000)
    while (await jobs.get(`asr_${dubId}_${moment}`)) moment++
    const id = `asr_${dubId}_${moment}`
    await jobs.create({ type: TYPE, id, params, meta: { dub: dubId, filename }, madeBy: core.makerOf(dubId) })
    return id
  }

  return {
    /** Steps for jobs that transcribe among other things. Pure, as the steps of a job type. */
    steps: stages,
    /** True also while a batch makes the dub. */
    async isRunning(dubId: string): Promise<boolean> {
      if (starting.has(dubId)) return true
      const active = abort.activeOf(dubId)
      return transcriptionAmong(dubId, active) !== undefined || active.includes(dubId)
    },
    /**
     * Resolves with the id of the running transcription of the dub, or of a new one. Throws NOT_FOUND for an unknown dub and one without sound,
     * CONFLICT for a dub that a batch makes, NOT_READY, MODEL_NOT_INSTALLED with the payload that clients read, and what `Jobs.create` throws.
     */
    async start(dubId: string, speakers: number | null, lineClips: boolean): Promise<string> {
      const begun = starting.get(dubId) ?? start(dubId, speakers, lineClips)
      starting.set(dubId, begun)
      try {
        return await begun
      } finally {
        if (starting.get(dubId) === begun) starting.delete(dubId)
      }
    },
  }
}

/** The running transcription of a dub. */
export const transcriptionAmong = (dubId: string, jobIds: readonly string[]): string | undefined =>
  jobIds.find((id) => id.startsWith(`asr_${dubId}_`))
