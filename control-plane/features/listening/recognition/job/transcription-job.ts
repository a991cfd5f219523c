// POST /v1/audio/transcriptions with `Prefer: respond-async`: a transcription that outlives its request and a restart of the studio. Its steps
// are the cutting of the recording, each part, and the transcript, so a kill repeats only the part that was running.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import {
  jobStep,
  jobType,
  type StepContext,
  type StepOutcomes,
  type StepPlan,
  type StepRun,
  stepOutput,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import type { Artifacts } from '#control-plane/store/artifact.ts'
import { AsrResult } from '#shared/operations/asr.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { OpenedRecording } from '../listening.ts'
import type { TranscriptionForm } from '../recognition.schema.ts'
import { explained, type Recognition, wantsWords } from '../recognition.service.ts'
import { factsOf, type Transcript } from '../transcript/assemble.ts'
import type { PartTranscript } from '../transcript/parts.ts'
import { createOpenedRecordings } from './opened-recordings.ts'
import { type TextDelta, TranscriptionEvent } from './transcription-events.schema.ts'

export type TranscriptionJobs = ReturnType<typeof createTranscriptionJobs>
type Deps = {
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get' | 'reserve'>
  readonly artifacts: Pick<Artifacts, 'keep' | 'pathOf'>
  readonly recognition: Pick<Recognition, 'stepwise' | 'requestOf'>
  readonly uploads: string
  readonly clock: Clock
}
/** The transcript that GET /jobs/{job_id}/transcript formats. */
export type StoredTranscript = { readonly transcript: Transcript; readonly withWords: boolean }

const Params = z.object({
  /** SHA-256 of the recording, which is an artifact. */
  file: z.string(),
  size: z.number(),
  name: z.string(),
  withWords: z.boolean(),
  request: z.object({
    model: z.string(),
    language: z.string().nullable(),
    prompt: z.string().nullable(),
    temperature: z.number().nullable(),
    words: z.boolean(),
    speakers: z.object({ count: z.int().nullable(), isRequired: z.boolean().optional() }).nullable(),
  }),
})
type Params = z.output<typeof Params>
const Facts = z.object({
  engine: z.string(),
  reasons: z.array(z.string().nullable()).readonly(),
  isSubstitute: z.boolean(),
  identified: z.string(),
  seconds: z.number(),
  count: z.int(),
})
type Facts = z.output<typeof Facts>
const PartOutput = z.object({ from: z.number(), transcript: AsrResult })
const Meta = z.object({ transcript: z.string() })

const TYPE = 'transcription'
/** More would only wait for the same recognisers. */
const AT_ONCE = 2
/** UTF-16 units of an event. */
const DELTA_CHARS = 16_000
/** Each keeps its recording on the disk. */
const UNFINISHED_PER_CLIENT = 32

export function createTranscriptionJobs({ jobs, artifacts, recognition, uploads, clock }: Deps) {
  const { check, assembled } = recognition.stepwise
  const recordings = createOpenedRecordings({ recognition, uploads, clock })

  const requestOf = ({ request: { speakers, ...request } }: Params) => ({ ...request, ...(speakers && { speakers }) })

  /** `engine`: of the earlier steps, which another one must not continue; null for the first step. */
  async function withRecording<T>(
    job: string,
    params: Params,
    engine: string | null,
    { signal }: StepContext,
    use: (recording: OpenedRecording) => Promise<T>,
  ): Promise<T> {
    const source = { path: artifacts.pathOf(params.file), name: params.name, size: params.size }
    const request = { ...requestOf(params), ...(engine && { model: engine }) }
    return await recordings.using(job, source, request, signal, use).catch(explained)
  }

  function partOf(job: string, params: Params, { engine }: Facts, part: number, context: StepContext<TextDelta>): Promise<PartTranscript> {
    let furthest = 0
    // Another attempt begins the part again; what is shown stays until it is further.
    const onProgress = (share: number) => {
      furthest = Math.max(furthest, share)
      context.report({ fraction: furthest, secondsLeft: null, frame: null })
    }
    const transcribe = (recording: OpenedRecording) =>
      whenReady(() => withText(part, recording.textOf(part, { onProgress, text: 'replaceable' }), context), clock, context.signal)
    return withRecording(job, params, engine, context, transcribe)
  }

  async function finish(job: string, params: Params, facts: Facts, outcomes: StepOutcomes, context: StepContext) {
    const parts = Array.from({ length: facts.count }, (_, part) => readOutput(outcomes, partName(part), PartOutput)!)
    const request = { ...requestOf(params), signal: context.signal, traceparent: '' }
    const transcript = await (request.speakers
      ? withRecording(job, params, facts.engine, context, ({ whole }) => assembled(request, facts, parts, whole))
      : assembled(request, facts, parts, async () => null))
    const bytes = Buffer.from(JSON.stringify({ transcript, withWords: params.withWords } satisfies StoredTranscript))
    const digest = createHash('sha256').update(bytes).digest('hex')
    await artifacts.keep(digest, { chunks: [bytes] }).catch(notStored)
    await recordings.close(job)
    return stepOutput(null, { digest, bytes: bytes.length })
  }

  function steps(params: Params, outcomes: StepOutcomes, job: string): StepPlan<TextDelta>[][] {
    const own = <T>(name: string, kind: string, weight: number, output: z.ZodType<T>, run: StepRun<T, TextDelta>): StepPlan<TextDelta> =>
      jobStep({
        name,
        weight,
        output,
        // The job is part of each key: recordings of different people are never shared.
        key: { kind: `transcription.${kind}`, version: 1, inputs: [], params: { job, name } },
        run,
      })
    const begin = own('begin', 'begin', 0, Facts, async (context) =>
      stepOutput(await withRecording(job, params, null, context, async (recording) => factsOf(recording))),
    )
    const facts = readOutput(outcomes, 'begin', Facts)
    if (!facts) return [[begin]]
    return [
      [begin],
      ...Array.from({ length: facts.count }, (_, part) => [
        own(partName(part), 'part', 1, PartOutput, async (context) => stepOutput(await partOf(job, params, facts, part, context))),
      ]),
      [
        own('transcript', 'transcript', params.request.speakers ? 1 : 0, z.null(), (context) =>
          finish(job, params, facts, outcomes, context),
        ),
      ],
    ]
  }

  jobs.add(
    jobType({
      type: TYPE,
      params: Params,
      events: TranscriptionEvent,
      inputs: ({ file }) => [file],
      steps,
      concurrency: AT_ONCE,
      unfinishedPerClient: UNFINISHED_PER_CLIENT,
      onRestart: 'resume',
      cleanUp: (job) => recordings.close(job),
      result: (_, { outputs }) => ({ transcript: outputs.get('transcript')!.digest }),
    }),
  )

  return {
    /** Durable when it resolves. Throws what `check` and `Jobs.create` throw, BAD_REQUEST without a file, QUEUE_FULL, STORAGE_FULL. */
    async create(
      form: TranscriptionForm,
      upload: Upload | undefined,
      madeBy: ClientId,
      signal: AbortSignal,
    ): Promise<{ readonly id: string; readonly status: string }> {
      if (!upload) throw new Failure('BAD_REQUEST', 'The recording is missing from the form.')
      const request = recognition.requestOf(form, { signal, traceparent: '' })
      check(request)
      // Before the recording is read and stored.
      const reservation = jobs.reserve(TYPE)
      try {
        const file = await digestOf(upload.path, signal)
        await artifacts.keep(file, { file: upload.path }).catch(notStored)
        const { model, language, prompt, temperature, words, speakers = null } = request
        const name = bareName(upload.filename)
        const params = {
          file,
          size: upload.size,
          name,
          withWords: wantsWords(form),
          request: { model, language, prompt, temperature, words, speakers },
        }
        const { job } = (await jobs.create({ type: TYPE, params, meta: { filename: name }, madeBy, reservation })).record
        return { id: job.id, status: job.status }
      } finally {
        reservation.giveBack()
      }
    },

    /** Throws NOT_FOUND for another job and a deleted transcript, CONFLICT before its end and after a cancel, and the failure of the job. */
    async transcript(id: string): Promise<StoredTranscript> {
      const record = (await jobs.get(id))?.record
      if (record?.type !== TYPE) throw new Failure('NOT_FOUND', 'There is no such transcription. It may have been removed after 30 days.')
      const { status, failure } = record.job
      if (status === 'failed')
        throw new Failure(failure?.code ?? 'RECOGNITION_FAILED', failure?.message ?? 'The recording was not transcribed.')
      if (status === 'cancelled') throw new Failure('CONFLICT', 'The transcription was cancelled.')
      if (status !== 'done') throw new Failure('CONFLICT', 'The transcription is not complete yet.')
      const path = artifacts.pathOf(Meta.parse(JSON.parse(record.meta)).transcript)
      const text = await readFile(path, 'utf8').catch(() => null)
      if (text === null)
        throw new Failure('NOT_FOUND', 'The transcript was deleted a week after it was made. Transcribe the recording again.')
      return JSON.parse(text)
    },
  }
}

/**
 * The text of a part as events of the job. `at`: the UTF-16 unit of the part at which `delta` begins. What another attempt recognised from there
 * on is replaced, which is how a part that is repeated after a restart begins.
 */
async function withText(
  part: number,
  pieces: AsyncGenerator<string, PartTranscript>,
  { emit }: Pick<StepContext<TextDelta>, 'emit'>,
): Promise<PartTranscript> {
  let sent = ''
  const send = async (text: string) => {
    for (let from = 0; from < text.length; from += DELTA_CHARS) {
      const delta = text.slice(from, from + DELTA_CHARS)
      await emit({ type: 'transcript.text.delta', part, at: sent.length, delta }, 'progress')
      sent += delta
    }
  }
  try {
    let step = await pieces.next()
    for (; !step.done; step = await pieces.next()) await send(step.value)
    const { text } = step.value.transcript
    if (sent !== text) {
      sent = ''
      await send(text)
    }
    return step.value
  } finally {
    await pieces.return(undefined as never)
  }
}
const partName = (part: number): string => `part ${part}`

function notStored(cause: unknown): never {
  throw new Failure('STORAGE_FULL', `The recording could not be stored: ${(cause as Error).message}.`, { cause })
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path, { signal })) hash.update(bytes)
  return hash.digest('hex')
}
