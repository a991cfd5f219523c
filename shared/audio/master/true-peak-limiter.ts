// Limits true peaks. A limiter of samples alone let peaks of 1.3 dB more through at 16 kHz.
import type { Stage } from '../stage.ts'
import { createLimiterGain } from './limiter.ts'
import { createPeakScan, PEAK_DELAY } from './true-peak.ts'

/** Keeps true peaks at +-`ceiling`, a factor of full scale; other resamplers read up to 0.3 dB more. Delays by 5 ms and 12 samples until flushed. */
export function createTruePeakLimiter(ceiling: number, sampleRate: number): Stage {
  const { ahead, step } = createLimiterGain(ceiling, sampleRate)
  const scan = createPeakScan(() => ceiling)
  const delay = ahead + PEAK_DELAY
  let waiting = new Float32Array(PEAK_DELAY)
  let missing = delay
  let before = 0

  const push = (samples: Float32Array): Float32Array => {
    const peaks = scan(samples)
    const delayed = new Float32Array(PEAK_DELAY + samples.length)
    delayed.set(waiting)
    delayed.set(samples, PEAK_DELAY)
    waiting = delayed.slice(samples.length)
    const out = new Float32Array(samples.length)
    for (let i = 0; i < samples.length; i++) {
      const after = peaks[i]!
      out[i] = step(delayed[i]!, Math.max(before, after))
      before = after
    }
    const early = Math.min(samples.length, missing)
    missing -= early
    return out.subarray(early)
  }
  return { push, flush: () => push(new Float32Array(delay)) }
}
