// Limits the true peaks of two channels with one gain, so that sounds keep their place between them.
import { createLimitedDelay, createLimiterGain } from './limiter.ts'
import { createPeakScan, PEAK_DELAY } from './true-peak.ts'
import { takeLargerOfTwo } from './true-peak-limiter.ts'

export type StereoStage = {
  /** Takes and returns both channels; may hold some samples back. */
  readonly push: (left: Float32Array, right: Float32Array) => readonly [Float32Array, Float32Array]
  readonly flush: () => readonly [Float32Array, Float32Array]
}

/** Keeps true peaks at +-`ceiling`, a factor of full scale. Delays as `createTruePeakLimiter`. */
export function createStereoLimiter(ceiling: number, sampleRate: number): StereoStage {
  const { ahead, factorsFor } = createLimiterGain(ceiling, sampleRate)
  const delay = ahead + PEAK_DELAY
  const side = () => ({ scan: createPeakScan(), limited: createLimitedDelay(ceiling, delay) })
  const sides = [side(), side()] as const
  let missing = delay
  let before = 0

  const push = (left: Float32Array, right: Float32Array): readonly [Float32Array, Float32Array] => {
    const peaks = sides[0].scan(left)
    const others = sides[1].scan(right)
    for (let i = 0; i < peaks.length; i++) if (others[i]! > peaks[i]!) peaks[i] = others[i]!
    before = takeLargerOfTwo(peaks, before)
    const factors = factorsFor(peaks)
    const early = Math.min(left.length, missing)
    missing -= early
    return [sides[0].limited(left, factors).subarray(early), sides[1].limited(right, factors).subarray(early)]
  }
  return { push, flush: () => push(new Float32Array(delay), new Float32Array(delay)) }
}
