// Sounds without a mark that are not speech, for the measurement of false positives. The beat of the music repeats with the block of the mark,
// which is the worst case for a superposition of blocks.
import type { Speech } from './voices.ts'

const RATE = 24_000
const BEAT_SECONDS = 0.48

const sound = (name: string, seconds: number, sample: (i: number) => number): Speech => ({
  name,
  sampleRate: RATE,
  samples: Float32Array.from({ length: seconds * RATE }, (_, i) => sample(i)),
})

/** Numbers in [-1, 1), the same in every run. */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** Noise, tones, silence, clicks and music, `seconds` each. */
export function unmarkedSounds(seconds: number): Speech[] {
  const white = noise(1)
  const rumble = noise(2)
  let low = 0
  return [
    sound('white noise', seconds, () => 0.2 * white()),
    sound('brown noise', seconds, () => {
      low = 0.995 * low + 0.02 * rumble()
      return low
    }),
    sound('silence', seconds, () => 0),
    sound('a tone', seconds, (i) => 0.3 * Math.sin((2 * Math.PI * 440 * i) / RATE)),
    sound('a click each 48 ms', seconds, (i) => (i % Math.round(0.048 * RATE) === 0 ? 0.8 : 0)),
    ...[0, 1, 2, 3, 4, 5, 6].map((seed) => music(`music ${seed + 1}`, seconds, seed)),
  ]
}

/** Chords of decaying harmonics, a melody and a drum on each beat. Odd seeds repeat their bar exactly. */
function music(name: string, seconds: number, seed: number): Speech {
  const random = noise(100 + seed)
  const scale = [0, 2, 4, 5, 7, 9, 11, 12]
  const note = () => 110 * 2 ** ((scale[Math.floor(4 * (random() + 1))]! + 12 * (seed % 3)) / 12)
  const beats = Array.from({ length: Math.ceil(seconds / BEAT_SECONDS) + 1 }, () => [note(), note() * 1.5, note() * 2])
  const bar = seed % 2 === 1 ? 8 : beats.length
  const drum = Float32Array.from({ length: RATE / 4 }, (_, i) => random() * Math.exp(-i / (RATE * 0.03)))
  return sound(name, seconds, (i) => {
    const at = i / RATE / BEAT_SECONDS
    const since = (at % 1) * BEAT_SECONDS
    let sum = 0.15 * drum[Math.floor(since * RATE) % drum.length]!
    for (const hz of beats[Math.floor(at) % bar]!)
      for (let harmonic = 1; harmonic <= 12 && hz * harmonic < RATE / 2; harmonic++)
        sum += (0.12 / harmonic) * Math.sin(2 * Math.PI * hz * harmonic * since) * Math.exp(-3 * since)
    return sum
  })
}
