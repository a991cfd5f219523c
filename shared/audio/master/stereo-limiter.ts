// Limits the true peaks of two channels with one gain, so that sounds keep their place between them.
import { createLimiterGain } from './limiter.ts'
import { createPeakScan, PEAK_DELAY } from './true-peak.ts'

export type StereoStage = {
  /** Takes and returns both channels; may hold some samples back. */
  readonly push: (left: Float32Array, right: Float32Array) => readonly [Float32Array, Float32Array]
  readonly flush: () => readonly [Float32Array, Float32Array]
}

/** Keeps true peaks at +-`ceiling`, a factor of full scale. Delays as `createTruePeakLimiter`. */
export function createStereoLimiter(ceiling: number, sampleRate: number): StereoStage {
  const sides = [0, 1].map(() => ({
    gain: createLimiterGain(ceiling, sampleRate),
    scan: createPeakScan(() => ceiling),
    waiting: new Float32Array(PEAK_DELAY),
  }))
  const delay = sides[0]!.gain.ahead + PEAK_DELAY
  let missing = delay
  let before = 0

  const push = (left: Float32Array, right: Float32Array): readonly [Float32Array, Float32Array] => {
    const peaks = [left, right].map((samples, side) => sides[side]!.scan(samples))
    const delayed = [left, right].map((samples, side) => {
      const all = new Float32Array(PEAK_DELAY + samples.length)
      all.set(sides[side]!.waiting)
      all.set(samples, PEAK_DELAY)
      sides[side]!.waiting = all.slice(samples.length)
      return all
    })
    const out = [left, right].map(({ length }) => new Float32Array(length))
    for (let i = 0; i < left.length; i++) {
      const after = Math.max(peaks[0]![i]!, peaks[1]![i]!)
      const size = Math.max(before, after)
      for (let side = 0; side < 2; side++) out[side]![i] = sides[side]!.gain.step(delayed[side]![i]!, size)
      before = after
    }
    const early = Math.min(left.length, missing)
    missing -= early
    return [out[0]!.subarray(early), out[1]!.subarray(early)]
  }
  return { push, flush: () => push(new Float32Array(delay), new Float32Array(delay)) }
}
