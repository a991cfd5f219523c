// The recordings of a verification. The embedded voice speaks them, so that every machine has the same bytes and none has to be stored.

import { toS16le } from '#agent/engine/audio/pcm.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { type ClipId, SENTENCE } from '#agent/engine/seam/verification.ts'
import { compileFlite, FLITE_SAMPLE_RATE, type FliteVoice, findFliteVoice, speakWithFlite } from '#agent/engine/tts/flite/synthesis.ts'
import { wavHeader } from '#shared/audio/wav.ts'

/** Seconds from the start of the clip. */
export type ClipSpan = { readonly start: number; readonly end: number }
export type Clip = {
  readonly wav: Uint8Array
  readonly samples: Float32Array
  /** Hz. */
  readonly rate: number
  readonly seconds: number
  /** The audible part of each sentence. */
  readonly sentences: readonly ClipSpan[]
}

const SECOND_SENTENCE = 'Please call me back when you have time.'
const NOISE_LEVEL = 0.02
/** Quieter samples are the pauses that the voice puts around a sentence. */
const AUDIBLE = 0.01
const NOISE_SEED = 11

type Piece = { readonly voice: string; readonly text: string } | { readonly silentSeconds: number }
const say = (text: string, voice = 'slt'): Piece => ({ voice, text })
const pause = (silentSeconds: number): Piece => ({ silentSeconds })
const PIECES: Readonly<Record<ClipId, readonly Piece[]>> = {
  // The clearest voice: Whisper base has every word of it, and one of nine wrong with slt.
  sentence: [pause(0.3), say(SENTENCE, 'rms'), pause(0.3)],
  pauses: [pause(0.6), say(SENTENCE), pause(1), say(SECOND_SENTENCE), pause(0.6)],
  noise: [pause(1.5), say(SENTENCE), pause(0.5)],
  'two speakers': [
    pause(0.3),
    say(SENTENCE),
    pause(0.4),
    say(SECOND_SENTENCE, 'rms'),
    pause(0.4),
    say('We never met before that winter.'),
    pause(0.4),
    say('Bring the green umbrella, it may rain.', 'rms'),
    pause(0.3),
  ],
}

/** Throws MODEL_NOT_INSTALLED without the embedded voice. */
export async function makeClip(id: ClipId): Promise<Clip> {
  const module = await compileFlite()
  const made = PIECES[id].map((piece) =>
    'text' in piece
      ? speakWithFlite(module, findFliteVoice(piece.voice) as FliteVoice, piece.text, 1)
      : new Float32Array(Math.round(piece.silentSeconds * FLITE_SAMPLE_RATE)),
  )
  const samples = new Float32Array(made.reduce((sum, { length }) => sum + length, 0))
  const sentences: ClipSpan[] = []
  let at = 0
  for (const [index, piece] of made.entries()) {
    samples.set(piece, at)
    if ('text' in PIECES[id][index]!) sentences.push(audibleSpan(piece, at))
    at += piece.length
  }
  if (id === 'noise') {
    const { gaussian } = seededRandom(NOISE_SEED)
    for (let index = 0; index < samples.length; index++) samples[index]! += NOISE_LEVEL * gaussian()
  }
  const pcm = toS16le(samples)
  const wav = Buffer.concat([wavHeader({ sampleRate: FLITE_SAMPLE_RATE, channels: 1, samples: samples.length }), pcm])
  return { wav, samples, rate: FLITE_SAMPLE_RATE, seconds: samples.length / FLITE_SAMPLE_RATE, sentences }
}

function audibleSpan(samples: Float32Array, offset: number): ClipSpan {
  const first = samples.findIndex((sample) => Math.abs(sample) > AUDIBLE)
  const last = samples.findLastIndex((sample) => Math.abs(sample) > AUDIBLE)
  return { start: (offset + Math.max(0, first)) / FLITE_SAMPLE_RATE, end: (offset + last + 1) / FLITE_SAMPLE_RATE }
}
