// The log mel energies that networks of voices are trained with, as Kaldi computes them: 80 bands from 20 to 8,000 Hz, frames of 25 ms each 10 ms,
// and no frame beyond the last sample. Pure.
import { createFft } from '#shared/audio/fft/fft.ts'

export const BANDS = 80
const RATE = 16_000
const LENGTH = 400
const SHIFT = 160
const SIZE = 512
const BINS = SIZE / 2
const LOW_HERTZ = 20
const HIGH_HERTZ = 8_000
const PREEMPHASIS = 0.97
/** The smallest step of a float: no logarithm of silence. */
const FLOOR = 2 ** -23

export type FeatureRules = {
  readonly window: 'hamming' | 'povey'
  /** Factor for samples between -1 and 1. */
  readonly scale: number
}

/** Computes the features of mono samples at 16 kHz: [frames, BANDS] in a row; empty for less than a frame. */
export type Fbank = (samples: Float32Array) => Float32Array

export function createFbank({ window, scale }: FeatureRules): Fbank {
  const weights = windowOf(window)
  const bands = melBands()
  const fft = createFft(SIZE)
  const [real, imaginary] = [new Float64Array(SIZE), new Float64Array(SIZE)]
  const power = new Float64Array(BINS)
  return (samples) => {
    const frames = samples.length < LENGTH ? 0 : 1 + Math.floor((samples.length - LENGTH) / SHIFT)
    const features = new Float32Array(frames * BANDS)
    for (let frame = 0; frame < frames; frame++) {
      const from = frame * SHIFT
      let mean = 0
      for (let at = 0; at < LENGTH; at++) mean += samples[from + at]! / LENGTH
      for (let at = LENGTH - 1; at >= 0; at--) {
        const before = samples[from + Math.max(0, at - 1)]! - mean
        real[at] = scale * (samples[from + at]! - mean - PREEMPHASIS * before) * weights[at]!
      }
      real.fill(0, LENGTH)
      imaginary.fill(0)
      fft.forward(real, imaginary)
      for (let bin = 0; bin < BINS; bin++) power[bin] = real[bin]! ** 2 + imaginary[bin]! ** 2
      for (const [band, { first, shares }] of bands.entries()) {
        let sum = 0
        for (let at = 0; at < shares.length; at++) sum += shares[at]! * power[first + at]!
        features[frame * BANDS + band] = Math.log(Math.max(FLOOR, sum))
      }
    }
    return features
  }
}

/** Subtracts from each band its mean over the frames, which a microphone and a room add to all of them. */
export function withoutMeans(features: Float32Array): Float32Array {
  const frames = features.length / BANDS
  const means = new Float64Array(BANDS)
  for (const [at, value] of features.entries()) means[at % BANDS]! += value / frames
  return features.map((value, at) => value - means[at % BANDS]!)
}

function windowOf(kind: FeatureRules['window']): Float64Array {
  const cosine = (at: number) => Math.cos((2 * Math.PI * at) / (LENGTH - 1))
  const of = kind === 'hamming' ? (at: number) => 0.54 - 0.46 * cosine(at) : (at: number) => (0.5 - 0.5 * cosine(at)) ** 0.85
  return Float64Array.from({ length: LENGTH }, (_, at) => of(at))
}

/** Triangles of equal width in mel that overlap by half: of each band, the first bin and the shares from there. */
function melBands(): { readonly first: number; readonly shares: Float64Array }[] {
  const mel = (hertz: number) => 1_127 * Math.log(1 + hertz / 700)
  const [low, high] = [mel(LOW_HERTZ), mel(HIGH_HERTZ)]
  const width = (high - low) / (BANDS + 1)
  return Array.from({ length: BANDS }, (_, band) => {
    const left = low + band * width
    const shareOf = (bin: number) => {
      const place = (mel((bin * RATE) / SIZE) - left) / width
      return Math.max(0, Math.min(place, 2 - place))
    }
    const used = Array.from({ length: BINS }, (_, bin) => bin).filter((bin) => shareOf(bin) > 0)
    const first = used[0] ?? 0
    return { first, shares: Float64Array.from(used, shareOf) }
  })
}
