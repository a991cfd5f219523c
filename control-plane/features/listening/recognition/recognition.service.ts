// Transcribes a recording: converts it, transcribes it part by part on this machine, and joins the results.

import type { Upload } from '#control-plane/http/input/form.ts'
import { RECOGNITION_ALIASES } from '#control-plane/inference/aliases.ts'
import { type Notice, noticeOf } from '#control-plane/inference/notice.ts'
import { engineRow } from '#shared/engines.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { polished } from '#shared/text/polished.ts'
import { createListening, type ListeningDeps, type ListenRequest, type OpenedRecording, outcomeOf } from './listening.ts'
import { requireNamed } from './recognisers.ts'
import type { TranscribeForm, TranscriptionForm, TranslationForm } from './recognition.schema.ts'
import { createAssembly, factsOf, requireDiariser, type Transcript } from './transcript/assemble.ts'
import type { PartTranscript } from './transcript/parts.ts'

/**
 * The events of a transcription: its text in pieces, then its notices. `isContinuation`: the text is appended to the previous one unchanged, otherwise
 * after a blank where the script needs one.
 */
export type TranscriptEvent =
  | { readonly kind: 'text'; readonly text: string; readonly isContinuation: boolean }
  | { readonly kind: 'done'; readonly notices: readonly string[] }
export type TranscriptStream = { readonly notice: Notice | null; readonly events: AsyncIterable<TranscriptEvent> }
/** The reply of POST /transcribe. */
export type PanelTranscript = {
  readonly answer: {
    readonly text: string
    /** Only when a language model was asked to refine the text and has changed it. */
    readonly refined_text?: string
    readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[]
    readonly language: string
    readonly duration_s: number
    readonly transcription_time_s: number
    readonly engine: string
  }
  readonly notice: Notice | null
}
/** `isGuess`: the recogniser mistakes too many words for a transcript that is stored as the one of a voice. */
export type RecognisedWords = { readonly text: string; readonly engine: string; readonly isGuess: boolean }
export type Recognition = ReturnType<typeof createRecognition>
/** Called with the share of the recording that is recognised, and with the text of each new piece. The final text may differ. */
export type OnText = (share: number, text: string) => void
type Caller = Pick<ListenRequest, 'signal' | 'traceparent'>
/** The language model for dictated text. `refine` returns null for a text that it did not change, and never rejects. */
export type Refiner = {
  readonly isReady: () => boolean
  readonly refine: (text: string, signal: AbortSignal) => Promise<string | null>
}
type Deps = ListeningDeps & { readonly clock: Clock; readonly refiner?: Refiner }

const NO_REFINER: Refiner = { isReady: () => false, refine: async () => null }

const WHISPERX = 'whisperx'
/** In the header; the transcript is returned as it is. */
const NOT_REFINED = 'The text was not refined: no language model is connected.'

export function createRecognition({ clock, refiner = NO_REFINER, ...deps }: Deps) {
  const { open, check, ...partwise } = createListening(deps)
  const assembled = createAssembly(deps)

  /** Throws what `open` throws, and the failure of a task. */
  async function listen(upload: Upload | undefined, request: ListenRequest, onText?: OnText): Promise<Transcript> {
    const opened = await open(upload, request)
    try {
      const parts: PartTranscript[] = []
      for (let part = 0; part < opened.count; part++) {
        let share = 0
        const onProgress = (now: number) => {
          share = now
        }
        const work = opened.textOf(part, onText ? { text: 'replaceable', onProgress } : {})
        parts.push(await outcomeOf(work, (text) => onText?.((part + share) / opened.count, text)))
      }
      return await assembled(request, factsOf(opened), parts, opened.whole)
    } finally {
      await opened.close()
    }
  }

  async function* eventsOf(opened: OpenedRecording): AsyncGenerator<TranscriptEvent> {
    const notices = new Set<string>()
    try {
      for (let part = 0; part < opened.count; part++) {
        const transcript = yield* textOfPart(opened, part)
        for (const notice of transcript.notices) notices.add(notice)
      }
      yield { kind: 'done', notices: [...notices] }
    } catch (error) {
      explained(error)
    } finally {
      await opened.close()
    }
  }

  /** Throws what `requireNamed` and `requireDiariser` throw, BAD_REQUEST for a combination that is not possible. */
  const transcriptionRequest = (form: TranscriptionForm, caller: Caller): ListenRequest => {
    const { model, language, prompt, temperature, response_format: format, num_speakers: count } = form
    requireNamed(deps.offered(), model)
    const isRequired = format === 'diarized_json'
    if (isRequired && form.stream)
      throw new Failure('BAD_REQUEST', 'Speakers are known at the end of a recording. Send diarized_json without stream.')
    if (isRequired) requireDiariser(deps.offered())
    const isDiarised = isRequired || (format === 'verbose_json' && (form.diarize || count !== null || model === WHISPERX))
    const words = wantsWords(form) || isDiarised || format === 'verbose_json'
    const speakers = isDiarised && { speakers: { count, isRequired } }
    return { model, language: languageOf(language), prompt, temperature, words, ...speakers, ...caller }
  }

  return {
    listen,
    partwise,
    /** The steps of a transcription that is a job. */
    stepwise: { check, open, assembled },
    requestOf: transcriptionRequest,

    /** POST /v1/audio/transcriptions. `withWords`: the answer contains the times of words. */
    async transcription(
      form: TranscriptionForm,
      upload: Upload | undefined,
      caller: Caller,
    ): Promise<{ transcript: Transcript; withWords: boolean }> {
      const request = transcriptionRequest(form, caller)
      const transcript = await listen(upload, request).catch(explained)
      return { transcript, withWords: wantsWords(form) }
    },

    /** The same as events, from the moment at which the recording can be read. The events throw the failure of a task. */
    async transcriptionStream(form: TranscriptionForm, upload: Upload | undefined, caller: Caller): Promise<TranscriptStream> {
      const opened = await open(upload, { ...transcriptionRequest(form, caller), words: false }).catch(explained)
      return { notice: noticeOf(opened.reasons, opened.isSubstitute), events: eventsOf(opened) }
    },

    /** POST /v1/audio/translations */
    async translation(form: TranslationForm, upload: Upload | undefined, caller: Caller): Promise<Transcript> {
      const { model, prompt, temperature } = form
      requireNamed(deps.offered(), model)
      const request = { model, language: null, prompt, temperature, words: false, task: 'translate', ...caller } as const
      return await listen(upload, request).catch(explained)
    },

    /** The words of a recording, without a request of its own. */
    async words(upload: Upload, caller: Caller): Promise<RecognisedWords> {
      const request = { model: RECOGNITION_ALIASES[0]!, language: null, prompt: null, temperature: null, words: false, ...caller }
      const { text, engine } = await listen(upload, request).catch(explained)
      return { text: text.trim(), engine, isGuess: engineRow(engine)?.guesses === true }
    },

    /** POST /transcribe */
    async transcribe(form: TranscribeForm, upload: Upload | undefined, caller: Caller, onText?: OnText): Promise<PanelTranscript> {
      const { mode } = form
      const language = languageOf(form.language)
      const isRefined = isRefineRequested(form.refine)
      const startedAt = clock.mono()
      const request = {
        model: RECOGNITION_ALIASES[0]!,
        language,
        prompt: null,
        temperature: null,
        words: mode === 'accurate',
        isQuick: mode !== 'accurate',
        remark: isRefined && !refiner.isReady() ? NOT_REFINED : null,
        ...caller,
      }
      const transcript = await listen(upload, request, onText).catch(explained)
      const tookSeconds = (clock.mono() - startedAt) / 1000
      const segments = transcript.segments.map(({ start, end, text }) => ({
        start: rounded(start),
        end: rounded(end),
        text: polished(text),
      }))
      const text = polished(joinPieces(segments.map((segment) => segment.text)))
      const refined = isRefined && text !== '' ? await refiner.refine(text, caller.signal) : null
      const answer = {
        text,
        ...(refined !== null && { refined_text: refined }),
        segments,
        language: transcript.language || language || 'unknown',
        duration_s: Math.max(0, ...segments.map(({ end }) => end)),
        transcription_time_s: rounded(tookSeconds),
        engine: transcript.engine,
      }
      return { answer, notice: transcript.notice }
    },
  }
}

export const wantsWords = (form: TranscriptionForm): boolean =>
  [form.timestamp_granularities, ...form['timestamp_granularities[]']].includes('word')
/** null: the recogniser detects it. */
const languageOf = (language: string | null): string | null => (language?.toLowerCase() === 'auto' ? null : language)
const isRefineRequested = (refine: string | null): boolean => ['1', 'true', 'yes', 'on', 'auto'].includes(refine?.toLowerCase() ?? '')

async function* textOfPart(opened: OpenedRecording, part: number): AsyncGenerator<TranscriptEvent, AsrResult> {
  let isBegun = false
  const pieces = opened.textOf(part, { text: 'final' })
  try {
    let step = await pieces.next()
    for (; !step.done; step = await pieces.next()) {
      yield { kind: 'text', text: step.value, isContinuation: isBegun }
      isBegun = true
    }
    const { transcript } = step.value
    const rest = isBegun ? [] : transcript.segments.map(({ text }) => text.trim()).filter((text) => text !== '')
    for (const text of rest) yield { kind: 'text', text, isContinuation: false }
    return transcript
  } finally {
    await pieces.return(undefined as never) // a reader that left
  }
}

/** Rounded to two decimals. */
const rounded = (seconds: number): number => Math.round(seconds * 100) / 100

/** Clients recognise a timeout by its status 504, and a failed recogniser by 500. */
export function explained(error: unknown): never {
  const failure = Failure.from(error)
  if (failure.code === 'EXECUTION_TIMEOUT' || failure.code === 'PROGRESS_LEASE_EXPIRED' || failure.code === 'MODEL_LOAD_TIMEOUT')
    throw new Failure('TASK_DEADLINE_EXCEEDED', failure.message, { cause: failure })
  if (failure.code === 'PINNED_WORKER_EXHAUSTED') throw new Failure('RECOGNITION_FAILED', failure.message, { cause: failure })
  throw failure
}
