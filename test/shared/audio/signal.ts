// Audio with known properties, and helpers to split and measure it.
import { concat, type Stage } from '#shared/audio/stage.ts'

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

export function tone(seconds: number, sampleRate: number, hz: number, peak: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * sampleRate))
  for (let i = 0; i < samples.length; i++) samples[i] = peak * Math.sin((2 * Math.PI * hz * i) / sampleRate)
  return samples
}

/** Something like speech: a buzzing voice with gliding pitch through three moving resonances, hisses, and pauses. */
export function speech(seconds: number, sampleRate: number, seed: number): Float32Array {
  const random = seeded(seed)
  const between = (low: number, high: number) => low + (high - low) * random()
  const out = new Float32Array(Math.round(seconds * sampleRate))
  const state = [0, 0, 0, 0, 0, 0]
  let phase = 0
  for (let at = 0; at < out.length; ) {
    const length = Math.round(between(0.06, 0.25) * sampleRate)
    const kind = random()
    const pitch = between(90, 220)
    const glide = between(-40, 40)
    const peaks = [between(300, 800), between(900, 2300), between(2400, 3500)].map(
      (hz) => 2 * Math.cos((2 * Math.PI * hz) / sampleRate) * 0.985,
    )
    for (let i = 0; i < length && at < out.length; i++, at++) {
      const envelope = Math.sin((Math.PI * i) / length)
      phase += (pitch + (glide * i) / length) / sampleRate
      const pulse = phase >= 1 ? 1 : 0
      phase -= pulse
      const noise = between(-1, 1)
      const source = kind < 0.65 ? pulse + 0.05 * noise : kind < 0.85 ? 0.12 * noise : 0
      let sum = 0.3 * source
      peaks.forEach((weight, k) => {
        const next = source + weight * state[2 * k]! - 0.97 * state[2 * k + 1]!
        state[2 * k + 1] = state[2 * k]!
        state[2 * k] = next
        sum += next / (k + 2)
      })
      out[at] = 0.08 * envelope * sum + 0.0003 * noise
    }
  }
  return out
}

/** Runs a stage over pieces of uneven sizes, 0 included. */
export function inPieces(stage: Stage, samples: Float32Array, seed: number, longest = 5000): Float32Array {
  const random = seeded(seed)
  const out: Float32Array[] = []
  for (let at = 0; at < samples.length; ) {
    const size = Math.floor(random() * random() * longest)
    out.push(stage.push(samples.subarray(at, at + size)).slice())
    at += size
  }
  return concat([...out, stage.flush()])
}

export const atOnce = (stage: Stage, samples: Float32Array): Float32Array => concat([stage.push(samples), stage.flush()])

export const peakOf = (samples: Float32Array): number => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

export const powerOf = (samples: Float32Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0)

/** Signal to difference, in decibels. */
export const snrOf = (signal: Float32Array, changed: Float32Array): number =>
  10 * Math.log10(powerOf(signal) / powerOf(signal.map((sample, i) => sample - changed[i]!)))

/** Another sample rate, by a windowed sinc of 24 points to each side. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const cutoff = Math.min(1, to / from) * 0.95
  return Float32Array.from({ length: Math.floor((samples.length * to) / from) }, (_, i) => {
    const centre = (i * from) / to
    let sum = 0
    for (let at = Math.ceil(centre - 24); at <= centre + 24; at++) {
      const x = at - centre
      const sinc = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x)
      sum += (samples[at] ?? 0) * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / 24.5))
    }
    return sum
  })
}
