// Flite over WebAssembly, English only: voices that need no runtime with a build for the machine. Deterministic: the seed has no effect.

import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { createThreadShare, type Piece } from '#agent/engine/seam/thread-share.ts'
import { chooseLanguage } from '#agent/engine/speech/voice-choice.ts'
import { TtsParams, type TtsResult } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { FliteStep } from './steps.ts'
import {
  compileFlite,
  DEFAULT_FLITE_VOICE,
  FLITE_DIGEST,
  FLITE_SAMPLE_RATE,
  type FliteVoice,
  findFliteVoice,
  fliteVoices,
  isFliteInstalled,
  speakWithFlite,
} from './synthesis.ts'
import { FLITE_VERIFICATION } from './verification.ts'

const ID = 'flite'
const LANGUAGES: readonly string[] = ['en']
/** Measured: memory of the host process after a run. */
const MEMORY_BYTES = 192 * 1024 ** 2
/** Limit for stretching or squeezing speech; beyond it speech is unintelligible. */
const MAX_SCALE = 5

function createFlite(): EngineParts {
  let compiled: Promise<WebAssembly.Module> | null = null
  const load = () => {
    compiled ??= compileFlite()
    return compiled
  }

  const thread = createThreadShare()

  async function* run(params: TtsParams, context: RunContext): AsyncGenerator<EngineEvent> {
    const { piece, leave } = thread.join()
    try {
      yield* speak(params, context, piece)
    } finally {
      leave()
    }
  }

  async function* speak(params: TtsParams, { signal }: RunContext, piece: Piece): AsyncGenerator<EngineEvent> {
    chooseLanguage(params.language, LANGUAGES, ID)
    const notices: string[] = []
    const voice = chooseVoice(params.voice, notices)
    if (params.instruct || params.description) notices.push('Flite does not follow instructions or descriptions.')
    const ignored = ignoredSettings(params)
    if (ignored.length > 0) notices.push(`Flite does not support ${ignored.join(', ')}; the values were ignored.`)
    const { toFliteSteps } = await import('./steps.ts')
    const { steps, dropped } = toFliteSteps(params)
    if (dropped > 0) notices.push(`${dropped} characters that Flite does not support were left out.`)
    const module = await load()

    const passes = params.duration === null ? 1 : 2
    let turns = 0
    const sound = (step: FliteStep, scale: number): Promise<Float32Array> =>
      piece(step.text.length, () => {
        signal.throwIfAborted()
        turns++
        return step.text === ''
          ? new Float32Array(Math.round((step.silentMs * FLITE_SAMPLE_RATE) / 1000))
          : speakWithFlite(module, voice, step.text, scale)
      })
    const progress = (): EngineEvent => ({ kind: 'progress', progress: turns / (steps.length * passes), stage: 'speaking' })

    const natural: number[] = []
    if (params.duration !== null) {
      for (const step of steps) {
        natural.push((await sound(step, 1)).length)
        yield progress()
      }
    }
    const scaleAt =
      params.duration === null ? () => 1 / params.speed : fitToDuration(params.duration * FLITE_SAMPLE_RATE, steps, natural, notices)

    const lengths = params.segments.map(() => 0)
    let made = 0
    for (const [index, step] of steps.entries()) {
      const samples = await sound(step, scaleAt(index, made))
      made += samples.length
      lengths[step.part]! += samples.length
      yield { kind: 'audio', part: step.part, samples }
      yield progress()
    }
    const result: TtsResult = { sample_rate: FLITE_SAMPLE_RATE, parts: lengths.map((samples) => ({ samples })), voice: voice.id, notices }
    yield { kind: 'result', result }
  }

  return {
    describe,
    load: async () => {
      await load()
    },
    operations: { tts: withParams(TtsParams, run) },
    unload: async () => {
      compiled = null
    },
  }
}

export const flite = defineEngine({ id: ID, maxBlockSeconds: 10, verification: FLITE_VERIFICATION, create: createFlite })

function describe(): Capability[] {
  const installed = isFliteInstalled()
  return [
    capability({
      engine: ID,
      operation: 'tts',
      implementation: 'flite',
      languages: LANGUAGES,
      scripts: ['Latn'],
      voices: fliteVoices(),
      installed,
      downloaded: installed,
      sampleRate: FLITE_SAMPLE_RATE,
      // Runs share one thread piece by piece; at tens of times real time, four streams have no gaps.
      permits: 4,
      modelDigest: FLITE_DIGEST,
      memoryBytes: MEMORY_BYTES,
    }),
  ]
}

/** Settings of the real engine with their defaults, which callers may send and which need no notice. */
const DEFAULT_SETTINGS: Readonly<Partial<Record<keyof TtsParams, number>>> = {
  num_step: 16,
  guidance_scale: 2,
  t_shift: 0.1,
  layer_penalty_factor: 5,
  position_temperature: 5,
  class_temperature: 0,
}
const ignoredSettings = (params: TtsParams): string[] =>
  Object.entries(DEFAULT_SETTINGS).flatMap(([name, fallback]) => {
    const value = params[name as keyof TtsParams]
    return value === null || value === fallback ? [] : [name]
  })

function chooseVoice(id: string | null, notices: string[]): FliteVoice {
  if (id === null || id === '' || id === 'default') return DEFAULT_FLITE_VOICE
  const voice = findFliteVoice(id)
  if (!voice) notices.push(`Flite has no voice "${id.slice(0, 64)}"; ${DEFAULT_FLITE_VOICE.id} was used.`)
  return voice ?? DEFAULT_FLITE_VOICE
}

/**
 * Flite does not meet a scale exactly, so the scale of each step is the ratio of the remaining target samples to the remaining natural
 * samples. Pauses keep their length. The returned function is called once per step, in order, with the samples made so far.
 */
function fitToDuration(target: number, steps: readonly FliteStep[], natural: readonly number[], notices: string[]) {
  let pauses = 0
  let speech = 0
  for (const [index, { text }] of steps.entries()) {
    if (text === '') pauses += natural[index]!
    else speech += natural[index]!
  }
  const clamp = (scale: number) => Math.min(MAX_SCALE, Math.max(1 / MAX_SCALE, scale))
  const first = (target - pauses) / speech
  if (first <= 0) throw new Failure('INVALID_TASK_PARAMS', 'duration: The pauses alone are longer.')
  if (clamp(first) !== first) notices.push('The text cannot be spoken in the requested duration; the nearest possible duration was used.')
  return (index: number, made: number): number => {
    const scale = clamp((target - made - pauses) / speech)
    if (steps[index]!.text === '') pauses -= natural[index]!
    else speech -= natural[index]!
    return scale
  }
}
