// Transcribes a recording: converts it, transcribes it part by part on this machine, and joins the results.
import { readFile } from 'node:fs/promises'
import type { AsrResult } from '#shared/operations/asr.ts'
import type { SpeakerTurn } from '#shared/operations/diarize.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Upload } from '../../http/input/form.ts'
import { type Notice, noticeOf } from '../../inference/notice.ts'
import { localOffers, type Offer } from '../../inference/offers.ts'
import { type Recording, recordingRequest } from '../../inference/recording.ts'
import type { Inference } from '../../inference/run.ts'
import type { Intake, Part } from '../../media/intake.ts'
import { createLanguageId, IDENTIFY_WITHIN_MS } from './language-id.ts'
import { joinParts, type PartTranscript } from './parts.ts'
import { ACTIVE, chooseRecogniser } from './recognisers.ts'
import type { TranscribeForm, TranscriptionForm } from './recognition.schema.ts'
import { withSpeakers } from './speakers.ts'
import { polished, type SubtitleSegment } from './subtitles.ts'

export type ListenRequest = {
  readonly model: string
  readonly language: string | null
  readonly prompt: string | null
  readonly temperature: number | null
  readonly words: boolean
  /** Prefers the owner's choice for dictation. */
  readonly isQuick?: boolean
  /** Requests diarisation. `count`: number of speakers, null to estimate it. */
  readonly speakers?: { readonly count: number | null }
  /** A sentence to add to the notice. */
  readonly remark?: string | null
  readonly signal: AbortSignal
  readonly traceparent: string
}
export type Transcript = {
  readonly text: string
  readonly language: string
  readonly segments: readonly SubtitleSegment[]
  /** Length of the recording. */
  readonly seconds: number
  readonly tookSeconds: number
  readonly engine: string
  readonly notice: Notice | null
}
/** The reply of POST /transcribe. */
export type PanelTranscript = {
  readonly answer: {
    readonly text: string
    readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[]
    readonly language: string
    readonly duration_s: number
    readonly transcription_time_s: number
    readonly engine: string
  }
  readonly notice: Notice | null
}
export type Recognition = ReturnType<typeof createRecognition>
type Caller = Pick<ListenRequest, 'signal' | 'traceparent'>
type Deps = {
  readonly inference: Pick<Inference, 'keepInput' | 'run'>
  readonly intake: Intake
  readonly offered: () => readonly Offer[]
  readonly clock: Clock
  readonly isForDictation?: (offer: Offer) => boolean
  /** The engine that is selected for recognition. */
  readonly selected?: () => string
}

const WHISPERX = 'whisperx'
/** The speakers of one part cannot be matched with those of another. */
const TOO_LONG_FOR_SPEAKERS = 'Speakers were not identified: the recording is longer than 15 minutes.'
const NO_DIARISER =
  'Speakers were not identified: the diarisation model is not installed. Install it with ./studio models install csukuangfj/sherpa-onnx-pyannote-segmentation-3-0.'
/** The field `refined_text` exists only when a language model has changed the text; the header gives the reason otherwise. */
const NOT_REFINED = 'The text was not refined: no language model is connected.'
/** Time limit of a recognition task, relative to the length of the recording. A slower result is of no use to a waiting client. */
const BUDGET = { leastMs: 300_000, perSecondMs: 10_000, mostMs: 4 * 3600_000 }
const budgetOf = ({ seconds }: Part) => Math.min(BUDGET.mostMs, Math.max(BUDGET.leastMs, seconds * BUDGET.perSecondMs))

export function createRecognition({ inference, intake, offered, clock, isForDictation = () => false, selected = () => '' }: Deps) {
  const identifyLanguage = createLanguageId({ offered, inference })

  /** The turns of the speakers. Without a diarisation model, or after its failure, the transcript is returned with a notice. */
  async function diarise(recording: Recording, count: number | null): Promise<{ turns: SpeakerTurn[]; notice: string | null }> {
    const [diariser] = localOffers(offered(), 'diarize')
    if (!diariser) return { turns: [], notice: NO_DIARISER }
    try {
      const request = await recordingRequest(inference, diariser, 'diarize', { num_speakers: count }, recording)
      const { segments } = await inference.run(request, recording.signal)
      const turns = segments.sort((left, right) => left.start - right.start)
      const found = new Set(turns.map(({ speaker }) => speaker)).size
      const differs = count !== null && found !== count
      return { turns, notice: differs ? `${found} of the ${count} speakers were identified.` : null }
    } catch (error) {
      recording.signal.throwIfAborted()
      const { code } = Failure.from(error)
      return { turns: [], notice: `Speakers were not identified: ${diariser.engine} failed (${code}).` }
    }
  }

  const preferenceOf = ({ model, isQuick }: ListenRequest) => {
    if (isQuick && localOffers(offered(), 'asr').some(isForDictation)) return isForDictation
    const chosen = model === ACTIVE ? selected() : ''
    return (offer: Offer) => offer.engine === chosen
  }

  async function recognise(recogniser: Offer, request: ListenRequest, recording: Recording): Promise<AsrResult> {
    const { language, prompt, temperature, words } = request
    const params = { language, prompt, temperature, words }
    return await inference.run(await recordingRequest(inference, recogniser, 'asr', params, recording), recording.signal)
  }

  /** Throws BAD_REQUEST for a missing or unreadable file, what `chooseRecogniser` throws, and the failure of a task. */
  async function listen(upload: Upload | undefined, request: ListenRequest): Promise<Transcript> {
    const { model, language, speakers, remark, signal, traceparent } = request
    if (!upload) throw new Failure('BAD_REQUEST', 'The recording is missing from the form.')
    const startedAt = clock.mono()
    const isPreferred = preferenceOf(request)
    const first = chooseRecogniser(offered(), model, language, isPreferred)
    const { parts, seconds, remove } = await intake.split(upload.path, signal)
    try {
      const recordingOf = async (part: Part, withinMs = budgetOf(part)): Promise<Recording> => {
        signal.throwIfAborted()
        return { wav: await readFile(part.path), seconds: part.seconds, withinMs, signal, traceparent }
      }
      const beginning = () => recordingOf(parts[0]!, IDENTIFY_WITHIN_MS)
      const { recogniser, instead, language: identified, notice } = await identifyLanguage(first, request, isPreferred, beginning)
      // In order, one at a time: other recordings can run between two parts, and nothing more starts after the client disconnects.
      const transcripts: PartTranscript[] = []
      for (const part of parts)
        transcripts.push({ from: part.from, transcript: await recognise(recogniser, request, await recordingOf(part)) })
      const joined = joinParts(transcripts)
      const diarised = !speakers
        ? { turns: [], notice: null }
        : parts.length > 1
          ? { turns: [], notice: TOO_LONG_FOR_SPEAKERS }
          : await diarise(await recordingOf(parts[0]!), speakers.count)
      const reasons = [recogniser.stands_in, instead, notice, ...joined.notices, diarised.notice, remark]
      return {
        text: joined.text,
        language: joined.language || identified,
        segments: withSpeakers(joined.segments, diarised.turns),
        seconds,
        tookSeconds: (clock.mono() - startedAt) / 1000,
        engine: recogniser.engine,
        notice: noticeOf(reasons, Boolean(recogniser.stands_in || instead)),
      }
    } finally {
      await remove()
    }
  }

  return {
    listen,

    /** POST /v1/audio/transcriptions. `withWords`: the answer contains the times of words. */
    async transcription(
      form: TranscriptionForm,
      upload: Upload | undefined,
      caller: Caller,
    ): Promise<{ transcript: Transcript; withWords: boolean }> {
      const { model, language, prompt, temperature, response_format: format, num_speakers: count } = form
      const isDiarised = format === 'verbose_json' && (form.diarize || count !== null || model === WHISPERX)
      const withWords = [form.timestamp_granularities, form['timestamp_granularities[]']].includes('word')
      const words = withWords || format === 'verbose_json'
      const request = { model, language, prompt, temperature, words, ...(isDiarised && { speakers: { count } }), ...caller }
      return { transcript: await listen(upload, request).catch(timeoutAs504), withWords }
    },

    /** POST /transcribe */
    async transcribe(form: TranscribeForm, upload: Upload | undefined, caller: Caller): Promise<PanelTranscript> {
      const { language, mode } = form
      const transcript = await listen(upload, {
        model: ACTIVE,
        language: language?.toLowerCase() === 'auto' ? null : language,
        prompt: null,
        temperature: null,
        words: mode === 'accurate',
        isQuick: mode !== 'accurate',
        remark: isRefineRequested(form.refine) ? NOT_REFINED : null,
        ...caller,
      }).catch(timeoutAs504)
      const segments = transcript.segments.map(({ start, end, text }) => ({
        start: rounded(start),
        end: rounded(end),
        text: polished(text),
      }))
      const answer = {
        text: polished(segments.map(({ text }) => text).join(' ')),
        segments,
        language: transcript.language || language || 'unknown',
        duration_s: Math.max(0, ...segments.map(({ end }) => end)),
        transcription_time_s: rounded(transcript.tookSeconds),
        engine: transcript.engine,
      }
      return { answer, notice: transcript.notice }
    },
  }
}

const isRefineRequested = (refine: string | null): boolean => ['1', 'true', 'yes', 'on', 'auto'].includes(refine?.toLowerCase() ?? '')
/** Rounded to two decimals. */
const rounded = (seconds: number): number => Math.round(seconds * 100) / 100

/** Clients recognise a timeout by its status 504. */
function timeoutAs504(error: unknown): never {
  const failure = Failure.from(error)
  if (failure.code === 'EXECUTION_TIMEOUT' || failure.code === 'PROGRESS_LEASE_EXPIRED' || failure.code === 'MODEL_LOAD_TIMEOUT')
    throw new Failure('TASK_DEADLINE_EXCEEDED', failure.message, { cause: failure })
  throw failure
}
