// The pitch of a voice, by the normalised autocorrelation of McLeod and Wyvill. Pure; the time grows with the number of samples.
import { createFft } from '../fft/fft.ts'

const [LOWEST_HZ, HIGHEST_HZ] = [60, 500]
/** Two periods of the lowest pitch. */
const WINDOW_SECONDS = 2 / LOWEST_HZ
const STEP_SECONDS = 0.02
/** A window is voiced if it repeats itself this well, 0 to 1. */
const MIN_CLARITY = 0.8
/** Share of the highest peak. The first peak above it is the pitch; later ones are its multiples. */
const NEARLY = 0.9
/** dB below the loudest window. */
const QUIET = 10 ** (-30 / 10)
/** Fewer voiced windows are chance. */
const MIN_WINDOWS = 5

/** The pitch of each voiced window in Hz, in order. */
export function pitchesOf(samples: Float32Array, sampleRate: number): number[] {
  const width = 2 * Math.ceil((WINDOW_SECONDS * sampleRate) / 2)
  const step = Math.max(1, Math.round(STEP_SECONDS * sampleRate))
  const size = 2 ** Math.ceil(Math.log2(2 * width))
  const fft = createFft(size)
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)]
  const energies: number[] = []
  for (let from = 0; from + width <= samples.length; from += step) {
    let sum = 0
    for (let at = from; at < from + width; at++) sum += samples[at]! ** 2
    energies.push(sum)
  }
  const least = energies.reduce((most, energy) => Math.max(most, energy), 0) * QUIET
  return energies.flatMap((energy, index) => {
    if (energy <= least) return []
    real.fill(0)
    imaginary.fill(0)
    for (let at = 0; at < width; at++) real[at] = samples[index * step + at]!
    const period = periodOf(real, imaginary, width, sampleRate, fft)
    return period === null ? [] : [sampleRate / period]
  })
}

/** The median pitch in Hz; null for sound without a voice. */
export function medianPitch(samples: Float32Array, sampleRate: number): number | null {
  const pitches = pitchesOf(samples, sampleRate).sort((left, right) => left - right)
  return pitches.length < MIN_WINDOWS ? null : pitches[Math.floor(pitches.length / 2)]!
}

/** In samples; null for a window without a pitch. `real` holds the window and is overwritten. */
function periodOf(
  real: Float64Array,
  imaginary: Float64Array,
  width: number,
  sampleRate: number,
  fft: ReturnType<typeof createFft>,
): number | null {
  const squares = Float64Array.from({ length: width }, (_, at) => real[at]! ** 2)
  fft.forward(real, imaginary)
  for (let at = 0; at < real.length; at++) {
    real[at] = real[at]! ** 2 + imaginary[at]! ** 2
    imaginary[at] = 0
  }
  fft.inverse(real, imaginary)
  const [shortest, longest] = [Math.floor(sampleRate / HIGHEST_HZ), Math.min(width - 2, Math.ceil(sampleRate / LOWEST_HZ))]
  let energy = 2 * squares.reduce((sum, square) => sum + square, 0)
  const clarity = new Float64Array(longest + 2)
  for (let lag = 0; lag <= longest + 1; lag++) {
    clarity[lag] = energy > 0 ? (2 * real[lag]!) / energy : 0
    energy -= squares[width - 1 - lag]! + squares[lag]!
  }
  const peaks: number[] = []
  // The hill around lag 0 is no period.
  let at = 1
  while (at <= longest && clarity[at]! > 0) at++
  for (; at <= longest; at++) if (at >= shortest && clarity[at]! >= clarity[at - 1]! && clarity[at]! > clarity[at + 1]!) peaks.push(at)
  const highest = peaks.reduce((most, peak) => Math.max(most, clarity[peak]!), 0)
  if (highest < MIN_CLARITY) return null
  const peak = peaks.find((one) => clarity[one]! >= NEARLY * highest)!
  const [before, top, behind] = [clarity[peak - 1]!, clarity[peak]!, clarity[peak + 1]!]
  return peak + (before - behind) / (2 * (before - 2 * top + behind))
}
