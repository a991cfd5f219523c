// Limits true peaks. A limiter of samples alone let peaks of 1.3 dB more through at 16 kHz.
import type { Stage } from '../stage.ts'
import { createLimitedDelay, createLimiterGain } from './limiter.ts'
import { createPeakScan, PEAK_DELAY } from './true-peak.ts'

/** For each sample the larger of its peak and the one before; `before` is that of the last piece. */
export function largerOfTwo(peaks: Float32Array, before: number): Float32Array {
  const sizes = new Float32Array(peaks.length)
  let last = before
  for (let i = 0; i < sizes.length; i++) {
    const peak = peaks[i]!
    sizes[i] = peak > last ? peak : last
    last = peak
  }
  return sizes
}

/** Keeps true peaks at +-`ceiling`, a factor of full scale; other resamplers read up to 0.3 dB more. Delays by 5 ms and 12 samples until flushed. */
export function createTruePeakLimiter(ceiling: number, sampleRate: number): Stage {
  const { ahead, factorsFor } = createLimiterGain(ceiling, sampleRate)
  const scan = createPeakScan()
  const delay = ahead + PEAK_DELAY
  const limited = createLimitedDelay(ceiling, delay)
  let missing = delay
  let before = 0

  const push = (samples: Float32Array): Float32Array => {
    const peaks = scan(samples)
    const sizes = largerOfTwo(peaks, before)
    before = peaks.at(-1) ?? before
    const out = limited(samples, factorsFor(sizes))
    const early = Math.min(samples.length, missing)
    missing -= early
    return out.subarray(early)
  }
  return { push, flush: () => push(new Float32Array(delay)) }
}
