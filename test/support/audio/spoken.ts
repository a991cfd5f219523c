// Recordings that look like speech to measurements: bursts of a tone with pauses between them.
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'

export type Spoken = {
  readonly seconds?: number
  readonly rate?: number
  readonly hz?: number
  readonly peak?: number
  readonly channels?: number
  /** Quiet at both ends. */
  readonly edgeSeconds?: number
}
/** Bursts of 0.4 s with 0.2 s between them. */
export function spokenSamples({ seconds = 4, rate = 24_000, hz = 220, peak = 0.3, edgeSeconds = 0.2 }: Spoken = {}): Float32Array {
  const samples = new Float32Array(Math.round(seconds * rate))
  for (let at = 0; at < samples.length; at++) {
    const time = at / rate
    const isEdge = time < edgeSeconds || time > seconds - edgeSeconds
    const isPause = (time - edgeSeconds) % 0.6 > 0.4
    samples[at] = isEdge || isPause ? 0.0005 * Math.sin(at) : peak * Math.sin(2 * Math.PI * hz * time)
  }
  return samples
}
/** The same as a WAV file of 16 bit. */
export function spokenWav(spoken: Spoken = {}): Buffer<ArrayBuffer> {
  const { rate = 24_000, channels = 1 } = spoken
  const mono = spokenSamples(spoken)
  const samples = channels === 1 ? mono : Float32Array.from({ length: mono.length * channels }, (_, at) => mono[Math.floor(at / channels)]!)
  return Buffer.concat([wavHeader({ sampleRate: rate, channels, samples: mono.length }), toS16(samples)])
}
