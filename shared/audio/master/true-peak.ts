// True peaks: the highest level between samples, by oversampling four times, as ITU-R BS.1770 annex 2 requires.
import { kaiser, sinc } from '../kaiser.ts'

const TAPS = 24
const BETA = 7
/** Samples that must follow before the peak after a sample is known. */
export const PEAK_DELAY = TAPS / 2
const BLOCK = 64
/** Of the meter, a multiple of the block. */
const SLICE = 1_024
/** Samples of a block that are judged together when the block is not quiet. */
const PART = 8
/** The middle taps of a filter have most of its weight. */
const [NEAR_FROM, NEAR_TO] = [9, 15]

/** Three filters of 24 taps, for a quarter, a half and three quarters of the way to the next sample. */
const FILTERS = [0.25, 0.5, 0.75].map((part) =>
  Float64Array.from({ length: TAPS }, (_, tap) => {
    const distance = tap - (PEAK_DELAY - 1) - part
    return sinc(distance) * kaiser(distance / PEAK_DELAY, BETA)
  }),
)
const [QUARTER, HALF, REST] = FILTERS as [Float64Array, Float64Array, Float64Array]
/** No filter can exceed the highest sample by more than this factor, the highest ones near its place and elsewhere by more than these. */
const [MOST_GROWTH, NEAR_GROWTH, FAR_GROWTH] = [
  (_: number) => true,
  (tap: number) => tap >= NEAR_FROM && tap < NEAR_TO,
  (tap: number) => tap < NEAR_FROM || tap >= NEAR_TO,
].map((counts) => Math.max(...FILTERS.map((filter) => filter.reduce((sum, tap, at) => sum + (counts(at) ? Math.abs(tap) : 0), 0)))) as [
  number,
  number,
  number,
]

/**
 * For each sample the peak from it to the next one, `PEAK_DELAY` samples late. Where no peak can exceed `threshold()`, the size of the sample
 * is returned instead, because quiet audio would cost as much as loud audio.
 */
export function createPeakScan(threshold: () => number) {
  let carry = new Float32Array(TAPS - 1)
  return (samples: Float32Array): Float32Array => {
    const input = new Float32Array(carry.length + samples.length)
    input.set(carry)
    input.set(samples, carry.length)
    carry = input.slice(samples.length)
    const out = new Float32Array(samples.length)
    for (let from = 0; from < out.length; from += BLOCK) {
      const to = Math.min(out.length, from + BLOCK)
      const limit = threshold()
      const most = largest(input, from, to + TAPS - 1)
      if (most * MOST_GROWTH <= limit) {
        for (let at = from; at < to; at++) out[at] = Math.abs(input[at + PEAK_DELAY - 1]!)
        continue
      }
      for (let part = from; part < to; part += PART) {
        const end = Math.min(to, part + PART)
        const near = largest(input, part + NEAR_FROM, end - 1 + NEAR_TO)
        const isQuiet = near * NEAR_GROWTH + most * FAR_GROWTH <= limit
        for (let at = part; at < end; at++) {
          const size = Math.abs(input[at + PEAK_DELAY - 1]!)
          out[at] = isQuiet ? size : Math.max(size, between(input, at))
        }
      }
    }
    return out
  }
}

function largest(input: Float32Array, from: number, to: number): number {
  let most = 0
  for (let at = from; at < to; at++) {
    const size = Math.abs(input[at]!)
    if (size > most) most = size
  }
  return most
}

function between(input: Float32Array, at: number): number {
  let quarter = 0
  let half = 0
  let rest = 0
  for (let tap = 0; tap < TAPS; tap++) {
    const sample = input[at + tap]!
    quarter += QUARTER[tap]! * sample
    half += HALF[tap]! * sample
    rest += REST[tap]! * sample
  }
  return Math.max(Math.abs(quarter), Math.abs(half), Math.abs(rest))
}

/** The highest true peak of mono audio, as a factor of full scale. */
export function createTruePeakMeter() {
  let peak = 0
  const scan = createPeakScan(() => peak)
  const push = (samples: Float32Array): void => {
    // Small slices: the threshold rises after each of them. A loop over indices takes a third of the time of `for … of`.
    for (let from = 0; from < samples.length; from += SLICE) {
      const sizes = scan(samples.subarray(from, from + SLICE))
      for (let at = 0; at < sizes.length; at++) if (sizes[at]! > peak) peak = sizes[at]!
    }
  }
  return {
    push,
    /** Ends the measurement. */
    finish(): number {
      push(new Float32Array(PEAK_DELAY))
      return peak
    },
  }
}
