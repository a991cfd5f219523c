// POST /v1/audio/speech: a task whose audio is sent during synthesis.

import type { PronunciationApi } from '#control-plane/features/base/pronunciation/api.ts'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import { SPEECH_ALIASES } from '#control-plane/inference/aliases.ts'
import type { Notice } from '#control-plane/inference/notice.ts'
import { followsInstructions, type Offer } from '#control-plane/inference/offers.ts'
import { type SpeechParams, type SpeechRequest, type Synthesis, spokenLanguage } from '#control-plane/inference/synthesis.ts'
import type { Media } from '#control-plane/media/encode.ts'
import type { OutputPiece } from '#control-plane/tasks/output.ts'
import { engineRow } from '#shared/engines.ts'
import { FREE_PAUSE_SECONDS, paceNotice } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { withoutMarkTags } from '#shared/text/script/mark.ts'
import { foreignWords, omittedWords } from '#shared/text/scripts.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { afterSilence } from './chunks.ts'
import { REMOTE_FAILURE } from './generate.rules.ts'
import { checkScript, cutAtPauses, durationAfter, durationNotices, pauseMs, refuseLongPauses } from './script.ts'
import type { SpeechBody } from './speech.schema.ts'
import { createMarkTimes, hasMarks, type MarkTimes, type SpokenMark } from './text/mark-times.ts'
import { speedOf, textForSpeech, unsentMarks } from './text/text-for-speech.ts'
import { speakerId, type Voicing } from './voice/voicing.ts'

/** Hz of `pcm`, which has no header: clients of the public API expect this rate. */
const PCM_RATE = 24_000
type Deps = {
  readonly media: Media
  readonly synthesis: Synthesis
  readonly markOf: MarkOf
  readonly pronunciation: PronunciationApi
  readonly voicing: Voicing
}
export type Speech = {
  readonly contentType: string
  /** File extension for this content, without the dot. */
  readonly extension: string
  /** Bytes; null if the length is not known before the end. */
  readonly contentLength: number | null
  /** Hz of an answer without a header; null if the content states its rate. */
  readonly sampleRate: number | null
  readonly body: AsyncIterable<Uint8Array>
  readonly engine: string
  /** Id of the profile or of the voice of the engine that speaks; null while it is not known. */
  readonly voice: string | null
  readonly notice: Notice | null
  /** The marks that the body has passed since the last call. */
  readonly marks: () => readonly SpokenMark[]
}
/** The caller of a speech, and its key. */
export type SpeechCall = {
  readonly idempotencyKey: string | null
  /** True if the caller sends marks with the sound. */
  readonly sendsMarks: boolean
  readonly signal: AbortSignal
  readonly traceparent: string
}
/** The model names that can speak now: the aliases of the selected engine, and every available engine. */
export function speechModels(engines: Pick<EnginesApi, 'tts'>): string[] {
  const { active, backends } = engines.tts()
  const ids = backends.filter(({ available }) => available).map(({ id }) => id)
  return ids.includes(active) ? [...SPEECH_ALIASES, ...ids] : ids
}

export function createSpeech({ media, synthesis, markOf, pronunciation, voicing }: Deps) {
  /** A request with an idempotency key continues after its caller disconnects, because the caller may repeat it. */
  async function speak(body: SpeechBody, { idempotencyKey, sendsMarks, signal, traceparent }: SpeechCall): Promise<Speech> {
    const isPcm = body.response_format === 'pcm'
    const instruct = body.instruct ?? body.instructions
    const spoken = await textForSpeech(composed(body.input), body.text_format, body.language)
    const asked = spoken.voice ?? body.voice
    const language = body.language ?? spoken.language
    const voiced = await voicing.of({ model: body.model, voice: asked, instruct, language, refText: null, seed: body.seed }, signal)
    const { model, preset: voice } = voiced
    const input = sendsMarks ? spoken.text : withoutMarkTags(spoken.text)
    const speaking = () =>
      synthesis.alphabetFor(model, { ...voiced.params, segments: [{ text: input }] }, voiced.target, voiced.reference !== null)
    const { text, notices } = pronunciation.pronounced(input, voiced.params.language, speaking)
    const script = cutAtPauses(text) ?? { leadMs: 0, segments: [{ text, pauseAfterMs: 0 }] }
    checkScript(script)
    const { leadMs } = script
    const seed = voiced.seed === null ? null : seed32(voiced.seed)
    const segments = script.segments.map(({ text, pauseAfterMs }, index) => ({
      text,
      seed: seed === null ? null : (seed + index) >>> 0,
      pause_after_ms: pauseAfterMs,
    }))
    // Whether longer pauses are permitted, and whether a duration was met, is known when the speech is complete.
    // A repeated request reads its sound back without the numbers of its parts, by which marks are found.
    const isRepeatable = idempotencyKey !== null
    const waits = pauseMs(script) / 1000 > FREE_PAUSE_SECONDS || body.duration !== null || (isRepeatable && hasMarks(script))
    const request: SpeechRequest = {
      model,
      params: {
        ...engineParameters(body),
        speed: speedOf(body.speed, spoken),
        ...voiced.params,
        duration: durationAfter(leadMs, body.duration),
        segments,
      },
      ...(voiced.reference && { reference: voiced.reference }),
      idempotencyKey,
      ephemeral: idempotencyKey === null && !waits,
      traceparent,
      target: voiced.target,
      lastCheck: () => voicing.refuseWithdrawn(voiced.speaker, voiced.reference), // the owner may change the voice meanwhile
    }
    const explained = (error: unknown): Failure => explain(voicing.withdrawnBy(error, voiced.speaker, voiced.reference))
    const fallback = voiced.target === null ? synthesis.fallback() : null
    const ended = new AbortController() // frees the output, of which the rest is not read
    const run = await synthesis.stream(request, AbortSignal.any([signal, ended.signal])).catch((error: unknown) => {
      throw explained(error)
    })
    try {
      const result = waits ? await run.result() : null
      if (result) refuseLongPauses(leadMs, segments, result)
      const { first, rest } = await begin(run.pieces)
      const offer = await synthesis.offerFor(run, model)
      // Without its result, what the engine says about the text is known in advance as far as its offer tells.
      const said = result ? [...result.notices, ...durationNotices(body.duration, leadMs, result)] : predictedNotices(offer, request.params)
      const information = [...spoken.notices, ...unsentMarks(spoken, input), ...notices, ...said]
      const sampleRate = await synthesis.sampleRateOf(run)
      const marks = createMarkTimes(script, sampleRate)
      for (const [part, { samples }] of result?.parts.entries() ?? []) marks.pass(part, 2 * samples)
      if (result) marks.end()
      const pieces = result ? rest : marked(rest, marks)
      if (!result) marks.pass(first.part, first.bytes.length)
      const {
        contentType,
        extension,
        contentLength,
        standIn,
        body: encoded,
      } = await media.encode({
        format: body.response_format,
        sampleRate,
        ...(isPcm && { outputRate: PCM_RATE }),
        source: afterSilence(leadMs, sampleRate, sound(first, pieces)),
        mark: markOf(run.spec),
        effects: null,
        master: true,
        signal,
      })
      const reported = result?.voice || null
      const asked = { voice, language: spokenLanguage(run), reported, segments }
      const notice = synthesis.notice(offer, asked, [fallback, standIn, ...voiced.remarks], information)
      return {
        contentType,
        extension,
        contentLength,
        sampleRate: isPcm ? PCM_RATE : null,
        body: encoded,
        engine: run.spec.engine,
        notice,
        marks: marks.take,
        voice: speakerId({ speaker: voiced.speaker, preset: voice, run, offer, reported }),
      }
    } catch (error) {
      run.abandon()
      ended.abort()
      throw explained(await synthesis.explained(run, error))
    }
  }
  return { speak }
}

/** The first bytes of a task. Throws the failure of a task that ends without output. */
async function begin(pieces: AsyncGenerator<OutputPiece>): Promise<{ first: OutputPiece; rest: AsyncGenerator<OutputPiece> }> {
  const first = await pieces.next()
  if (first.done) throw new Failure('WORKER_FAILED', 'The engine returned no audio.')
  return { first: first.value, rest: pieces }
}

/** Counts the pieces for the times of marks. */
async function* marked(pieces: AsyncGenerator<OutputPiece>, marks: MarkTimes): AsyncGenerator<OutputPiece> {
  for await (const piece of pieces) {
    marks.pass(piece.part, piece.bytes.length)
    yield piece
  }
  marks.end()
}

async function* sound(first: OutputPiece, rest: AsyncGenerator<OutputPiece>): AsyncGenerator<Uint8Array> {
  try {
    yield first.bytes
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value.bytes
  } finally {
    await rest.return(undefined)
  }
}

/** Notices that the result of the engine will have about its speed, words that it leaves out, and instructions that it does not follow. */
function predictedNotices(
  offer: Offer | undefined,
  { segments, instruct, description, speed = 1, duration = null }: SpeechParams,
): string[] {
  if (!offer) return []
  const omitted = omittedWords(segments.reduce((sum, { text }) => sum + foreignWords(text, offer.scripts ?? []), 0))
  const isUnheeded = Boolean(instruct || description) && !followsInstructions(offer)
  const speeds = offer.stands_in === '' ? engineRow(offer.engine)?.speeds : undefined
  const pace = speeds ? paceNotice(speeds, { speed, duration }) : null
  return [
    ...(pace === null ? [] : [pace]),
    ...(omitted === null ? [] : [omitted]),
    ...(isUnheeded ? ['The voice does not follow instructions or descriptions.'] : []),
  ]
}

/** Maps a failure to the status that this route documents. */
export function explain(error: unknown): Failure {
  const failure = Failure.from(error)
  if (failure.code === 'PINNED_WORKER_EXHAUSTED' || failure.code === 'PINNED_WORKER_UNREACHABLE')
    return new Failure(failure.code, failure.message, { cause: failure, ...REMOTE_FAILURE })
  if (failure.code === 'TASK_DEADLINE_EXCEEDED') return new Failure('EXECUTION_TIMEOUT', failure.message, { cause: failure })
  return failure
}

/** Engines count seeds in 32 bits. */
export const seed32 = (seed: number): number => Number(BigInt.asUintN(32, BigInt(seed)))

const engineParameters = (body: SpeechBody): Omit<SpeechParams, 'segments'> => ({
  speed: body.speed,
  description: body.description,
  duration: body.duration,
  num_step: body.num_step,
  guidance_scale: body.guidance_scale,
  denoise: body.denoise,
  preprocess_prompt: body.preprocess_prompt,
  chunk_duration: body.chunk_duration || null,
  chunk_threshold: body.chunk_threshold || null,
})
