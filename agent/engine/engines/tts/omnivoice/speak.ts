// One text-to-speech task on a loaded model: pass by pass, step by step, each pass's sound handed out as soon as it is made.

import { setImmediate as turn } from 'node:timers/promises'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { concat } from '#shared/audio/stage.ts'
import type { TtsParams, TtsResult } from '#shared/operations/tts.ts'
import type { Backbone } from './backbone.ts'
import { type Codec, OMNIVOICE_SAMPLE_RATE } from './codec.ts'
import { parseInstruct } from './instruct.ts'
import { languageCode } from './language.ts'
import { type ChunkPass, toPasses } from './plan.ts'
import { type Encode, type PromptReference, toOmniVoicePrompt } from './prompt.ts'
import { fadeEdges, outputGain, peakOf, scaled, shortenSilences } from './sound.ts'
import { DEFAULT_LOOP_SETTINGS, type LoopSettings, unmask } from './unmask.ts'

const EDGE_SECONDS = 0.1

export type EncodedVoice = PromptReference & { readonly rms: number }
export type SpeechTask = {
  readonly wanted: TtsParams
  readonly encode: Encode
  /** Asked for each pass: it may have been exchanged for one of another precision. */
  readonly backbone: () => Pick<Backbone, 'begin' | 'device' | 'reason'>
  readonly codec: Pick<Codec, 'decode'>
  readonly voice: EncodedVoice | null
  /** The backbone computed something that is not a number: true when there is another to try. */
  readonly mend: (error: unknown) => Promise<boolean>
  readonly notices: string[]
  readonly signal: AbortSignal
}

export const loopSettings = (wanted: TtsParams): LoopSettings => ({
  steps: wanted.num_step ?? DEFAULT_LOOP_SETTINGS.steps,
  guidance: wanted.guidance_scale ?? DEFAULT_LOOP_SETTINGS.guidance,
  shift: wanted.t_shift ?? DEFAULT_LOOP_SETTINGS.shift,
  layerPenalty: wanted.layer_penalty_factor ?? DEFAULT_LOOP_SETTINGS.layerPenalty,
  positionTemperature: wanted.position_temperature ?? DEFAULT_LOOP_SETTINGS.positionTemperature,
  classTemperature: wanted.class_temperature ?? DEFAULT_LOOP_SETTINGS.classTemperature,
})

export async function* speakOmniVoice({
  wanted,
  encode,
  backbone,
  codec,
  voice,
  mend,
  notices,
  signal,
}: SpeechTask): AsyncGenerator<EngineEvent> {
  const settings = loopSettings(wanted)
  const instruct = parseInstruct(wanted.instruct ?? '')
  const { code: language, notice } = languageCode(wanted.language)
  if (notice) notices.push(notice)
  if (wanted.description) notices.push('This engine reads instruct, not description, which was ignored.')
  const passes = toPasses(wanted, voice?.text ? { text: voice.text, frames: voice.frames } : null)
  const allFrames = passes.reduce((sum, { frames }) => sum + frames, 0)
  const border = async () => {
    await turn()
    signal.throwIfAborted()
  }

  let spoken = 0
  const fill = async function* (pass: ChunkPass, at: number): AsyncGenerator<EngineEvent, Int32Array> {
    const { text, frames } = pass
    const prompt = toOmniVoicePrompt({ text, frames, language, instruct, denoise: wanted.denoise, reference }, encode)
    const predict = backbone().begin(prompt, settings.guidance > 0)
    const seed = wanted.segments[pass.part]!.seed ?? 0
    const steps = unmask({ frames, settings, predict, next: seededRandom(seed, at).unit, border })
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      // The last hundredth is the codec's.
      yield { kind: 'progress', progress: (spoken + 0.99 * value * frames) / allFrames, stage: 'speaking' }
    }
  }

  /** Without a voice to follow the first pass invents one, and the others follow it: a task has one speaker. */
  let reference: PromptReference | null = voice
  let firstPeak = 0
  const lengths = wanted.segments.map(() => 0)
  for (const [at, pass] of passes.entries()) {
    let codes: Int32Array
    try {
      codes = yield* fill(pass, at)
    } catch (error) {
      if (signal.aborted || !(await mend(error))) throw error
      codes = yield* fill(pass, at)
    }
    await border()
    const made = await codec.decode(codes, pass.frames)
    if (at === 0) firstPeak = peakOf(made)
    reference ??= { codes, frames: pass.frames, text: pass.text }
    const gain = outputGain(voice?.rms ?? null, firstPeak, peakOf(made))
    const samples = finished(scaled(made, gain), pass, wanted)
    spoken += pass.frames
    lengths[pass.part]! += samples.length
    yield { kind: 'audio', part: pass.part, samples }
    yield { kind: 'progress', progress: spoken / allFrames, stage: 'speaking' }
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

/** Edges and pauses. A wanted duration is kept to the sample, so nothing is added to it or taken away. */
function finished(
  made: Float32Array,
  { part, isFirst, isLast }: ChunkPass,
  { segments, duration, postprocess_output: isTidied }: TtsParams,
) {
  const isFree = duration === null
  const silent = (seconds: number) => new Float32Array(Math.round(seconds * OMNIVOICE_SAMPLE_RATE))
  const tidy = isFree && isTidied ? shortenSilences(made, OMNIVOICE_SAMPLE_RATE, { midMs: 500, leadMs: 100, trailMs: 100 }) : made
  const edge = isFree ? EDGE_SECONDS : 0
  return concat([
    silent(isFirst && isTidied ? edge : 0),
    fadeEdges(tidy.slice(), OMNIVOICE_SAMPLE_RATE, EDGE_SECONDS),
    silent(isLast && !isTidied ? 0 : edge),
    silent(isLast ? segments[part]!.pause_after_ms / 1000 : 0),
  ])
}
