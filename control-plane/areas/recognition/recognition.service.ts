// A recording becomes text: converted, given to a recogniser of this machine as a task with an input, and told in the shape that was asked for.
import { readFile } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Bytes, Upload } from '../../http/route.ts'
import { createAsk, type Recording } from '../../inference/run.ts'
import { headerText } from '../../inference/synthesis.ts'
import type { Intake, Part } from '../../media/intake.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { createSpoken, PATIENCE_MS } from './language-id.ts'
import { type HeardPart, joinParts } from './parts.ts'
import { ACTIVE, chooseListener, type Listener, onThisMachine } from './recognisers.ts'
import { Heard, type TranscribeForm, type TranscriptionForm } from './recognition.schema.ts'
import { Diarized, type SpeakerTurn, withSpeakers } from './speakers.ts'
import { polished, type Segment, toSrt, toVtt } from './subtitles.ts'

export type Wish = {
  readonly model: string
  readonly language: string | null
  readonly prompt: string | null
  readonly temperature: number | null
  readonly words: boolean
  /** The owner's choice for dictation goes first. */
  readonly isQuick?: boolean
  /** Who spoke: how many there are, null when nobody knows. Left out: nobody asks. */
  readonly speakers?: { readonly count: number | null }
  readonly signal: AbortSignal
  readonly traceparent: string
}
export type Transcript = {
  readonly text: string
  readonly language: string
  readonly segments: readonly Segment[]
  readonly seconds: number
  readonly tookSeconds: number
  readonly engine: string
  /** What stood in for what, and what was asked for and not done; null when nothing is to be said. */
  readonly notice: string | null
  /** Whether another engine listened than the one that was asked for. */
  readonly stoodIn: boolean
}
export type Recognition = ReturnType<typeof createRecognition>
type Deps = {
  readonly tasks: Tasks
  readonly intake: Intake
  readonly offered: () => readonly Listener[]
  readonly clock: Clock
  readonly isForDictation?: (one: Listener) => boolean
  /** The engine that was chosen for recognition. */
  readonly selected?: () => string
}

const WHISPERX = 'whisperx'
/** The voices of one part cannot be told to be those of another. */
const TOO_LONG_FOR_SPEAKERS =
  'Who spoke is not told: that is done for recordings that are heard in one part, of a quarter of an hour at most.'
const NO_DIARISER = 'Who spoke is not told: the model that tells speakers apart is not downloaded on this machine.'
/** A recogniser that is slower than this compared with the recording is of no use to anybody who waits. */
const DEADLINE = { leastMs: 300_000, perSecondMs: 10_000, mostMs: 4 * 3600_000 }

export function createRecognition({ tasks, intake, offered, clock, isForDictation = () => false, selected = () => '' }: Deps) {
  const ask = createAsk(tasks)
  const listenerFor = createSpoken({ offered, ask })

  /** Who spoke when. What is missing for it, or went wrong with it, is told and takes nothing from what was heard. */
  async function whoSpoke(recording: Recording, count: number | null): Promise<{ turns: SpeakerTurn[]; notice: string | null }> {
    const [diariser] = onThisMachine(offered(), 'diarize')
    if (!diariser) return { turns: [], notice: NO_DIARISER }
    try {
      const { segments } = Diarized.parse(await ask(diariser, 'diarize', { num_speakers: count }, recording))
      const turns = segments.sort((one, other) => one.start - other.start)
      const found = new Set(turns.map(({ speaker }) => speaker)).size
      const differs = count !== null && found !== count
      return { turns, notice: differs ? `${found} of the ${count} speakers were told apart.` : null }
    } catch (error) {
      recording.signal.throwIfAborted()
      const { code } = Failure.from(error)
      return { turns: [], notice: `Who spoke is not told: ${diariser.engine} failed (${code}).` }
    }
  }

  const isPreferred = ({ model, isQuick }: Wish) => {
    if (isQuick && onThisMachine(offered(), 'asr').some(isForDictation)) return isForDictation
    const chosen = model === ACTIVE ? selected() : ''
    return (one: Listener) => one.engine === chosen
  }

  async function hear(listener: Listener, operation: string, wish: Wish, recording: Recording): Promise<Heard> {
    const { language, prompt, temperature, words } = wish
    const heard = Heard.safeParse(await ask(listener, operation, { language, prompt, temperature, words }, recording))
    if (!heard.success) throw new Failure('WORKER_FAILED', `${listener.engine} answered what cannot be read`)
    return heard.data
  }

  async function listen(upload: Upload | undefined, wish: Wish, operation = 'asr'): Promise<Transcript> {
    const { model, language, speakers, signal, traceparent } = wish
    if (!upload) throw new Failure('BAD_REQUEST', 'The recording is missing from the form.')
    const startedAt = clock.mono()
    const first = chooseListener(offered(), model, language, isPreferred(wish))
    const { parts, seconds, remove } = await intake.split(upload.path, signal)
    try {
      const heard: HeardPart[] = []
      const budgetOf = ({ seconds }: Part) => Math.min(DEADLINE.mostMs, Math.max(DEADLINE.leastMs, seconds * DEADLINE.perSecondMs))
      const recordingOf = async (part: Part, budgetMs = budgetOf(part)): Promise<Recording> => {
        signal.throwIfAborted()
        return { wav: await readFile(part.path), seconds: part.seconds, deadlineAt: tasks.now() + budgetMs, signal, traceparent }
      }
      const beginning = () => recordingOf(parts[0]!, PATIENCE_MS)
      const { listener, instead, language: spoken, notice } = await listenerFor(first, wish, isPreferred(wish), beginning)
      // In order, one at a time: another recording gets its turn between two parts, and when nobody listens any more the rest is not begun.
      for (const part of parts) heard.push({ from: part.from, heard: await hear(listener, operation, wish, await recordingOf(part)) })
      const whole = joinParts(heard)
      const told = !speakers
        ? { turns: [], notice: null }
        : parts.length > 1
          ? { turns: [], notice: TOO_LONG_FOR_SPEAKERS }
          : await whoSpoke(await recordingOf(parts[0]!), speakers.count)
      const segments = withSpeakers(whole.segments, told.turns)
      const tookSeconds = (clock.mono() - startedAt) / 1000
      const notices = [listener.stands_in, instead, notice, ...whole.notices, told.notice].filter(Boolean).join(' ')
      return {
        ...whole,
        language: whole.language || spoken,
        segments,
        seconds,
        tookSeconds,
        engine: listener.engine,
        notice: notices || null,
        stoodIn: Boolean(listener.stands_in || instead),
      }
    } finally {
      await remove()
    }
  }

  return {
    listen,

    /** POST /v1/audio/transcriptions */
    async transcription(form: TranscriptionForm, upload: Upload | undefined, at: Pick<Wish, 'signal' | 'traceparent'>): Promise<Bytes> {
      const { model, language, prompt, temperature, response_format: format, num_speakers: count } = form
      const asksWho = format === 'verbose_json' && (form.diarize || count !== null || model === WHISPERX)
      const wantsWords = [form.timestamp_granularities, form['timestamp_granularities[]']].includes('word')
      const wish = {
        model,
        language,
        prompt,
        temperature,
        words: wantsWords || format === 'verbose_json',
        ...(asksWho && { speakers: { count } }),
        ...at,
      }
      const heard = await listen(upload, wish).catch(timeoutAs504)
      const headers = noticeOf(heard)
      const text = textOf(heard)
      const sent = (type: string, body: string): Bytes => ({ headers: { 'content-type': type, ...headers }, body: Buffer.from(body) })
      switch (format) {
        case 'text':
          return sent('text/plain; charset=utf-8', text)
        case 'srt':
          return sent('text/plain; charset=utf-8', toSrt(heard.segments))
        case 'vtt':
          return sent('text/vtt; charset=utf-8', toVtt(heard.segments))
        case 'verbose_json': {
          const segments = heard.segments.map(({ start, end, text, speaker }, id) => ({ id, start, end, text, speaker }))
          const words = wantsWords && { words: heard.segments.flatMap((segment) => segment.words ?? []) }
          const { language, seconds: duration } = heard
          return sent('application/json', JSON.stringify({ task: 'transcribe', language, duration, text, segments, ...words }))
        }
        default:
          return sent('application/json', JSON.stringify({ text }))
      }
    },

    /** POST /transcribe */
    async transcribe(form: TranscribeForm, upload: Upload | undefined, at: Pick<Wish, 'signal' | 'traceparent'>): Promise<Bytes> {
      const { language, mode } = form
      const notRefined = isWished(form.refine) ? NOT_REFINED : null
      const spoken = language?.toLowerCase() === 'auto' ? null : language
      const wish = {
        model: ACTIVE,
        language: spoken,
        prompt: null,
        temperature: null,
        words: mode === 'accurate',
        isQuick: mode !== 'accurate',
        ...at,
      }
      const heard = await listen(upload, wish).catch(timeoutAs504)
      const round = (seconds: number) => Math.round(seconds * 100) / 100
      const segments = heard.segments.map(({ start, end, text }) => ({ start: round(start), end: round(end), text: polished(text) }))
      const answer = {
        text: polished(segments.map(({ text }) => text).join(' ')),
        segments,
        language: heard.language || language || 'unknown',
        duration_s: Math.max(0, ...segments.map(({ end }) => end)),
        transcription_time_s: round(heard.tookSeconds),
        engine: heard.engine,
      }
      return { headers: { 'content-type': 'application/json', ...noticeOf(heard, notRefined) }, body: Buffer.from(JSON.stringify(answer)) }
    },
  }
}

/** The field `refined_text` is there only when a language model has changed something; the header says why it is not. */
const NOT_REFINED = 'The text was not refined: no language model is connected. It is as it was heard.'
const isWished = (refine: string | null): boolean => ['1', 'true', 'yes', 'on', 'auto'].includes(refine?.toLowerCase() ?? '')

const textOf = ({ segments }: Transcript): string =>
  segments
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join(' ')

/** `more`: what was not done although it was asked for. */
function noticeOf({ notice, stoodIn }: Transcript, more: string | null = null): Record<string, string> {
  const reasons = [notice, more].filter((reason) => reason !== null)
  if (reasons.length === 0) return {}
  return { 'x-svc-routing': stoodIn ? 'stand_in' : 'notice', 'x-svc-routing-reason': headerText(reasons.join(' ')) }
}

/** Nobody waits for a recogniser for ever, and clients know a timeout by its status. */
function timeoutAs504(error: unknown): never {
  const failure = Failure.from(error)
  if (failure.code === 'EXECUTION_TIMEOUT' || failure.code === 'PROGRESS_LEASE_EXPIRED' || failure.code === 'MODEL_LOAD_TIMEOUT')
    throw new Failure('TASK_DEADLINE_EXCEEDED', failure.message, { cause: failure })
  throw failure
}
