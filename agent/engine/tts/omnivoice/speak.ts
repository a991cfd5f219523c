// Runs one text-to-speech task on a loaded model, pass by pass. The audio of each pass is yielded as soon as it is decoded.

import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { concat } from '#shared/audio/stage.ts'
import type { TtsParams, TtsResult } from '#shared/operations/tts.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { hasIdeographs } from '#shared/voices/words.ts'
import { type Codec, OMNIVOICE_SAMPLE_RATE } from './codec.ts'
import type { Backbone } from './loop/backbone.ts'
import { DEFAULT_LOOP_SETTINGS, type LoopSettings, unmask } from './loop/unmask.ts'
import { fadeEdges, outputGain, peakOf, scaled, shortenSilences } from './sound.ts'
import { parseInstruct } from './text/instruct.ts'
import { languageCode } from './text/language.ts'
import { type ChunkPass, toPasses } from './text/plan.ts'
import { type Encode, type PromptReference, toOmniVoicePrompt } from './text/prompt.ts'

const EDGE_SECONDS = 0.1
/** UTF-16 units of a segment that decide about its language when the request names none. */
const READ_CHARACTERS = 1_000

export type EncodedVoice = PromptReference & { readonly rms: number }
export type SpeechTask = {
  readonly params: TtsParams
  readonly encode: Encode
  /** Called for each pass, because `mend` may have replaced the backbone. */
  readonly backbone: () => Pick<Backbone, 'begin' | 'device' | 'reason'>
  readonly codec: Pick<Codec, 'decode'>
  readonly voice: EncodedVoice | null
  /** Called when a pass failed; resolves true when it replaced the backbone and the pass must be repeated. */
  readonly mend: (error: unknown) => Promise<boolean>
  readonly notices: string[]
  readonly signal: AbortSignal
}

export const loopSettings = (params: TtsParams): LoopSettings => ({
  steps: params.num_step ?? DEFAULT_LOOP_SETTINGS.steps,
  guidance: params.guidance_scale ?? DEFAULT_LOOP_SETTINGS.guidance,
  shift: params.t_shift ?? DEFAULT_LOOP_SETTINGS.shift,
  layerPenalty: params.layer_penalty_factor ?? DEFAULT_LOOP_SETTINGS.layerPenalty,
  positionTemperature: params.position_temperature ?? DEFAULT_LOOP_SETTINGS.positionTemperature,
  classTemperature: params.class_temperature ?? DEFAULT_LOOP_SETTINGS.classTemperature,
})

/** Numbers and abbreviations in words, which the documentation of the reference advises. Without a language they stay as written. */
async function inWords(params: TtsParams, language: string | null): Promise<TtsParams['segments']> {
  const { normaliseText } = await import('#shared/text/normalise/normalise.ts')
  // The tag of the request says more than the code: en-GB, pt-BR.
  const named = language !== null && params.language?.toLowerCase().startsWith(`${language}-`) ? params.language : language
  return params.segments.map((segment) => {
    const code = named ?? detectLanguage(segment.text.slice(0, READ_CHARACTERS))?.code
    return code === undefined ? segment : { ...segment, text: normaliseText(segment.text, code) }
  })
}

export async function* speakOmniVoice({
  params: requested,
  encode,
  backbone,
  codec,
  voice,
  mend,
  notices,
  signal,
}: SpeechTask): AsyncGenerator<EngineEvent> {
  const settings = loopSettings(requested)
  const written = requested.segments.map(({ text }) => hasIdeographs(text))
  // One description for the whole task, because it has one speaker. A recording has that speaker already; then the sound of a segment depends
  // on no other segment.
  const instructs = [false, true].map((inChinese) => parseInstruct(requested.instruct ?? '', inChinese))
  const instructOf = (part: number) => instructs[Number(voice ? written[part]! : written.some(Boolean))]!
  const { code: language, notice } = languageCode(requested.language)
  const params = { ...requested, segments: await inWords(requested, language) }
  if (notice) notices.push(notice)
  if (params.description) notices.push('This engine does not support description; it was ignored. Use instruct.')
  const passes = toPasses(params, voice?.text ? { text: voice.text, frames: voice.frames } : null)
  const allFrames = passes.reduce((sum, { frames }) => sum + frames, 0)
  const yieldToLoop = async () => {
    await nextTurn()
    signal.throwIfAborted()
  }

  let finishedFrames = 0
  /** `at`: place of the pass in its segment. */
  const fill = async function* (pass: ChunkPass, at: number): AsyncGenerator<EngineEvent, Int32Array> {
    const { part, text, frames } = pass
    const prompt = toOmniVoicePrompt({ text, frames, language, instruct: instructOf(part), denoise: params.denoise, reference }, encode)
    const predict = backbone().begin(prompt, settings.guidance > 0)
    const seed = params.segments[part]!.seed ?? 0
    const steps = unmask({ frames, settings, predict, next: seededRandom(seed, at).unit, yieldToLoop })
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      // The last hundredth is for the codec.
      yield { kind: 'progress', progress: (finishedFrames + 0.99 * value * frames) / allFrames, stage: 'speaking' }
    }
  }

  /** Without a reference, the output of the first pass becomes the reference of the others, so that a task has one speaker. */
  let reference: PromptReference | null = voice
  let firstPeak: number | null = null
  const lengths = params.segments.map(() => 0)
  let at = 0
  for (const pass of passes) {
    at = pass.isFirst ? 0 : at + 1
    let codes: Int32Array
    try {
      codes = yield* fill(pass, at)
    } catch (error) {
      if (signal.aborted || !(await mend(error))) throw error
      codes = yield* fill(pass, at)
    }
    await yieldToLoop()
    // Before the gain: what counts as silence is a level of the model, not of the listener.
    const trimmed = withoutSilences(await codec.decode(codes, pass.frames), params)
    firstPeak ??= peakOf(trimmed)
    reference ??= { codes, frames: pass.frames, text: pass.text }
    const gain = outputGain(voice?.rms ?? null, firstPeak, peakOf(trimmed))
    const samples = withEdges(scaled(trimmed, gain), pass, params)
    finishedFrames += pass.frames
    lengths[pass.part]! += samples.length
    yield { kind: 'audio', part: pass.part, samples }
    yield { kind: 'progress', progress: finishedFrames / allFrames, stage: 'speaking' }
  }
  const parts = lengths.map((samples) => ({ samples }))
  const { device, reason } = backbone()
  const result: TtsResult = {
    sample_rate: OMNIVOICE_SAMPLE_RATE,
    parts,
    voice: voice ? 'reference' : 'default',
    notices,
    device,
    device_reason: reason,
  }
  yield { kind: 'result', result }
}

/** Silences stay if a duration is requested: the number of speech samples must not change. */
const withoutSilences = (decoded: Float32Array, { duration, postprocess_output: isTidied }: TtsParams): Float32Array =>
  duration === null && isTidied ? shortenSilences(decoded, OMNIVOICE_SAMPLE_RATE, { midMs: 500, leadMs: 100, trailMs: 100 }) : decoded

/** Adds edges and pauses. */
function withEdges(
  speech: Float32Array,
  { part, isFirst, isLast }: ChunkPass,
  { segments, duration, postprocess_output: isTidied }: TtsParams,
) {
  const silent = (seconds: number) => new Float32Array(Math.round(seconds * OMNIVOICE_SAMPLE_RATE))
  const edge = duration === null ? EDGE_SECONDS : 0
  return concat([
    silent(isFirst && isTidied ? edge : 0),
    fadeEdges(speech.slice(), OMNIVOICE_SAMPLE_RATE, EDGE_SECONDS),
    silent(isLast && !isTidied ? 0 : edge),
    silent(isLast ? segments[part]!.pause_after_ms / 1000 : 0),
  ])
}
