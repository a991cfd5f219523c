// True peaks: the highest level between samples, by oversampling four times, as ITU-R BS.1770 annex 2 requires.
import { kaiser, sinc } from '../kaiser.ts'

const TAPS = 24
const BETA = 7
/** Samples that must follow before the peak after a sample is known. */
export const PEAK_DELAY = TAPS / 2
const BLOCK = 64

/** Three filters of 24 taps, for a quarter, a half and three quarters of the way to the next sample. */
const FILTERS = [0.25, 0.5, 0.75].map((part) =>
  Float64Array.from({ length: TAPS }, (_, tap) => {
    const distance = tap - (PEAK_DELAY - 1) - part
    return sinc(distance) * kaiser(distance / PEAK_DELAY, BETA)
  }),
)
const [QUARTER, HALF, REST] = FILTERS as [Float64Array, Float64Array, Float64Array]
/** No filter can exceed the highest sample by more than this factor. */
const MOST_GROWTH = Math.max(...FILTERS.map((filter) => filter.reduce((sum, tap) => sum + Math.abs(tap), 0)))

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
      let most = 0
      for (let at = from; at < to + TAPS - 1; at++) {
        const size = Math.abs(input[at]!)
        if (size > most) most = size
      }
      const isQuiet = most * MOST_GROWTH <= threshold()
      for (let at = from; at < to; at++) {
        const size = Math.abs(input[at + PEAK_DELAY - 1]!)
        out[at] = isQuiet ? size : Math.max(size, between(input, at))
      }
    }
    return out
  }
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
    for (const size of scan(samples)) peak = Math.max(peak, size)
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
