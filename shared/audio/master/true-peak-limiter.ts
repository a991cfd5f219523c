// Limits true peaks. A limiter of samples alone let peaks of 1.3 dB more through at 16 kHz.
import type { Stage } from '../stage.ts'
import { createLimitedDelay, createLimiterGain } from './limiter.ts'
import { createPeakScan, PEAK_DELAY } from './true-peak.ts'

/** Replaces each peak by the larger of it and the one before; `before` is the last one of the piece before. Returns the last peak. */
export function takeLargerOfTwo(peaks: Float32Array, before: number): number {
  const last = peaks.at(-1) ?? before
  for (let i = peaks.length - 1; i > 0; i--) if (peaks[i - 1]! > peaks[i]!) peaks[i] = peaks[i - 1]!
  if (before > peaks[0]!) peaks[0] = before
  return last
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
    before = takeLargerOfTwo(peaks, before)
    const out = limited(samples, factorsFor(peaks))
    const early = Math.min(samples.length, missing)
    missing -= early
    return out.subarray(early)
  }
  return { push, flush: () => push(new Float32Array(delay)) }
}
