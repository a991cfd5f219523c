// POST /v1/audio/transcriptions with `Prefer: respond-async`: a transcription that outlives its request and a restart of the studio. Its steps
// are the cutting of the recording, each part, and the transcript, so a kill repeats only the part that was running.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { LibraryProjects } from '#control-plane/features/base/library/api.ts'
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
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { AsrResult } from '#shared/operations/asr.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { KeptTranscripts } from '../kept/kept-transcripts.service.ts'
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
  readonly artifacts: Pick<LocalArtifacts, 'keep' | 'pathOf'>
  readonly recognition: Pick<Recognition, 'stepwise' | 'requestOf'>
  readonly uploads: string
  readonly clock: Clock
  readonly makers: Pick<Makers, 'makerOf'>
  readonly projects: Pick<LibraryProjects, 'freeId'>
  /** Opened when it is needed first. */
  readonly kept: () => Promise<Pick<KeptTranscripts, 'keep'>>
}
/** The transcript that GET /jobs/{job_id}/transcript formats. */
export type StoredTranscript = { readonly transcript: Transcript; readonly withWords: boolean }

const Params = z.object({
  /** SHA-256 of the recording, which is an artifact. */
  file: z.string(),
  size: z.number(),
  name: z.string(),
  withWords: z.boolean(),
  /** The project that the transcript becomes; absent if it becomes none. */
  project: z.string().optional(),
  /** Epoch milliseconds; 0 in jobs of earlier versions. */
  askedAt: z.number().default(0),
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

/** Long factory: the steps of one job share its recording, its recogniser and its project. */
export function createTranscriptionJobs({ jobs, artifacts, recognition, uploads, clock, makers, projects, kept }: Deps) {
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

  /** The project of a complete transcript, which is made once. Throws what `keep` throws, and the error of the disk. */
  async function keepProject(job: string, params: Params, digest: string): Promise<string> {
    const { transcript }: StoredTranscript = JSON.parse(await readFile(artifacts.pathOf(digest), 'utf8'))
    return await (await kept()).keep({
      id: job,
      project: params.project ?? null,
      madeBy: makers.makerOf('job', job),
      transcript,
      filename: params.name,
      took: params.askedAt === 0 ? 0 : Math.max(0, Math.round((clock.now() - params.askedAt) / 1000)),
      sound: { digest: params.file, path: artifacts.pathOf(params.file) },
    })
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
    const digest = outcomes.outputs.get('transcript')?.digest
    const project = own('project', 'project', 0, z.string(), async () => stepOutput(await keepProject(job, params, digest!)))
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
      // The transcript of the job stays without it, and the page can ask again.
      ...(digest && params.project ? [[{ ...project, optional: true }]] : []),
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

  /** Throws NOT_FOUND for another job and a deleted transcript, CONFLICT before its end and after a cancel, and the failure of the job. */
  async function transcript(id: string): Promise<StoredTranscript> {
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
  }

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
        const project = form.keep ? projects.freeId() : null
        const params = {
          file,
          size: upload.size,
          name,
          withWords: wantsWords(form),
          askedAt: clock.now(),
          ...(project && { project }),
          request: { model, language, prompt, temperature, words, speakers },
        }
        const { job } = (
          await jobs.create({ type: TYPE, params, meta: { filename: name, ...(project && { project }) }, madeBy, reservation })
        ).record
        return { id: job.id, status: job.status }
      } finally {
        reservation.giveBack()
      }
    },

    transcript,

    /** The project of a complete transcription. Throws as `transcript`, and what the creation of a project throws. */
    async keep(id: string): Promise<string> {
      await transcript(id)
      const { params, meta } = (await jobs.get(id))!.record
      return await keepProject(id, Params.parse(JSON.parse(params)), Meta.parse(JSON.parse(meta)).transcript)
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
