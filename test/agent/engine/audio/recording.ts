// Recordings for tests: Flite speech with known words and seeded noise, also as inputs of a run.

import type { EngineEvent, RunInputs } from '#agent/engine/seam/engine.ts'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { seeded } from '#test/support/doubles/seeded.ts'

export const FLITE_RATE = 16_000
const embeddedVoice = flite.create()

/** Each text by itself, at 16 kHz. */
export async function spoken(texts: readonly string[], voice = 'slt'): Promise<Float32Array[]> {
  const parts: Float32Array[][] = texts.map(() => [])
  const segments = texts.map((text) => ({ text }))
  for await (const event of embeddedVoice.run('tts', { segments, voice }, new AbortController().signal, new Map())) {
    if (event.kind === 'audio') parts[event.part]!.push(event.samples)
  }
  return parts.map(join)
}

export function join(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** White, with the given root mean square. */
export function noise(length: number, rms: number, seed: number): Float32Array {
  const { unit } = seeded(seed)
  const samples = new Float32Array(length)
  for (let at = 0; at < length; at++) {
    // Twelve uniform numbers make a good enough bell.
    let sum = 0
    for (let count = 0; count < 12; count++) sum += unit()
    samples[at] = rms * (sum - 6)
  }
  return samples
}

export const rmsOf = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))

/** Range of the sound of a Flite clip, in samples: its own lead-in and tail are silent. */
export function soundIn(samples: Float32Array, threshold = 0.01): { from: number; to: number } {
  return { from: samples.findIndex((one) => Math.abs(one) > threshold), to: samples.findLastIndex((one) => Math.abs(one) > threshold) + 1 }
}

export const wav = (samples: Float32Array, sampleRate = FLITE_RATE): Uint8Array =>
  Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: samples.length }), toS16(samples)])
export const asAudio = (samples: Float32Array, sampleRate = FLITE_RATE): RunInputs => new Map([['audio', wav(samples, sampleRate)]])

export async function eventsOf(run: AsyncIterable<EngineEvent>): Promise<EngineEvent[]> {
  const events: EngineEvent[] = []
  for await (const event of run) events.push(event)
  return events
}
export const resultOf = <T>(events: readonly EngineEvent[]): T => events.findLast((event) => event.kind === 'result')!.result as T
export const audioOf = (events: readonly EngineEvent[]): Float32Array =>
  join(events.flatMap((event) => (event.kind === 'audio' ? [event.samples] : [])))
