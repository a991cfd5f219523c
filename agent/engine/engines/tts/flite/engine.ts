// The embedded voice: Flite over WebAssembly, English only. It answers for svc-engine while the weights of that engine are not installed,
// and says so. It is deterministic: the same text gives the same bytes whatever the seed.

import { setImmediate as turn } from 'node:timers/promises'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { TtsParams, type TtsResult } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type FliteStep, toFliteSteps } from './steps.ts'
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

const ID = 'svc-engine'
/** Measured: what its host process holds once it has spoken. */
const MEMORY_BYTES = 192 * 1024 ** 2
const STANDS_IN = 'The embedded Flite voice answers for svc-engine because the weights of svc-engine are not installed on this machine.'
/** How far speech is stretched or squeezed to meet a duration; beyond it nobody understands it. */
const LARGEST_SCALE = 5

function createFlite(): EngineParts {
  let compiled: Promise<WebAssembly.Module> | null = null
  const load = () => {
    compiled ??= compileFlite()
    return compiled
  }

  async function* run(wanted: TtsParams, { signal }: RunContext): AsyncGenerator<EngineEvent> {
    refuseOtherLanguages(wanted.language)
    const notices: string[] = []
    const voice = chooseVoice(wanted.voice, notices)
    if (wanted.instruct || wanted.description) notices.push('The embedded voice does not follow instructions or descriptions.')
    const ignored = unheard(wanted)
    if (ignored.length > 0) notices.push(`The embedded voice has no ${ignored.join(', ')}; what was asked for there was ignored.`)
    const { steps, dropped } = toFliteSteps(wanted)
    if (dropped > 0) notices.push(`${dropped} characters that the embedded voice cannot say were left out.`)
    const module = await load()

    const passes = wanted.duration === null ? 1 : 2
    let turns = 0
    // A piece blocks the thread, so before each one the event loop gets a turn, in which a cancellation can arrive.
    const sound = async (step: FliteStep, scale: number): Promise<Float32Array> => {
      await turn()
      signal.throwIfAborted()
      turns++
      return step.text === ''
        ? new Float32Array(Math.round((step.silentMs * FLITE_SAMPLE_RATE) / 1000))
        : speakWithFlite(module, voice, step.text, scale)
    }
    const progress = (): EngineEvent => ({ kind: 'progress', progress: turns / (steps.length * passes), stage: 'speaking' })

    const natural: number[] = []
    if (wanted.duration !== null) {
      for (const step of steps) {
        natural.push((await sound(step, 1)).length)
        yield progress()
      }
    }
    const scaleAt =
      wanted.duration === null ? () => 1 / wanted.speed : fitting(wanted.duration * FLITE_SAMPLE_RATE, steps, natural, notices)

    const lengths = wanted.segments.map(() => 0)
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

export const flite = defineEngine({ id: ID, maxBlockSeconds: 10, create: createFlite })

function describe(): Capability[] {
  const installed = isFliteInstalled()
  return [
    capability({
      engine: ID,
      operation: 'tts',
      implementation: 'flite',
      standsIn: STANDS_IN,
      languages: ['en'],
      voices: fliteVoices(),
      installed,
      downloaded: installed,
      sampleRate: FLITE_SAMPLE_RATE,
      // Runs take turns piece by piece on one thread; at tens of times real time four listeners still hear no gap.
      permits: 4,
      modelDigest: FLITE_DIGEST,
      memoryBytes: MEMORY_BYTES,
    }),
  ]
}

/** Settings of the real engine, and what callers send who have no wish: those are nothing to tell anybody about. */
const UNHEARD: Readonly<Partial<Record<keyof TtsParams, number>>> = {
  num_step: 16,
  guidance_scale: 2,
  t_shift: 0.1,
  layer_penalty_factor: 5,
  position_temperature: 5,
  class_temperature: 0,
}
const unheard = (wanted: TtsParams): string[] =>
  Object.entries(UNHEARD).flatMap(([name, usual]) => {
    const value = wanted[name as keyof TtsParams]
    return value === null || value === usual ? [] : [name]
  })

function refuseOtherLanguages(language: string | null): void {
  const tag = (language ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto' || tag === 'english' || /^en(?:[-_]|$)/.test(tag)) return
  throw new Failure(
    'MODEL_NOT_DOWNLOADED',
    `the embedded voice speaks English only; install espeak-ng (./studio setup) or download the weights of svc-engine for "${tag.slice(0, 32)}"`,
  )
}

function chooseVoice(id: string | null, notices: string[]): FliteVoice {
  if (id === null || id === '' || id === 'default') return DEFAULT_FLITE_VOICE
  const voice = findFliteVoice(id)
  if (!voice) notices.push(`The embedded engine has no voice "${id.slice(0, 64)}"; ${DEFAULT_FLITE_VOICE.id} was used.`)
  return voice ?? DEFAULT_FLITE_VOICE
}

/**
 * Speech does not stretch exactly as asked, so each step's scale comes from what is left: samples still wanted over samples still natural.
 * Pauses keep their length. The returned function is called once per step, in order, with the samples made so far.
 */
function fitting(target: number, steps: readonly FliteStep[], natural: readonly number[], notices: string[]) {
  let pauses = 0
  let speech = 0
  for (const [index, { text }] of steps.entries()) {
    if (text === '') pauses += natural[index]!
    else speech += natural[index]!
  }
  const clamp = (scale: number) => Math.min(LARGEST_SCALE, Math.max(1 / LARGEST_SCALE, scale))
  const first = (target - pauses) / speech
  if (first <= 0) throw new Failure('INVALID_TASK_PARAMS', 'duration: shorter than the pauses alone')
  if (clamp(first) !== first) notices.push('The text cannot be spoken in the wanted duration; the nearest possible one was used.')
  return (index: number, made: number): number => {
    const scale = clamp((target - made - pauses) / speech)
    if (steps[index]!.text === '') pauses -= natural[index]!
    else speech -= natural[index]!
    return scale
  }
}
