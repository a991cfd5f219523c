// A look-ahead peak limiter: it reduces the gain before a peak arrives, so nothing is clipped.
import type { Stage } from '../stage.ts'

const LOOK_AHEAD_SECONDS = 0.005
const RELEASE_SECONDS = 0.06

/** One for each sample, or one for all of them. */
export type LimiterFactors = Float64Array | number

/**
 * The gain of a limiter. `factorsFor` takes samples (or their sizes) that must not exceed `ceiling` on either side of zero, and returns for each
 * the factor of the sample from `ahead` samples before.
 */
export function createLimiterGain(ceiling: number, sampleRate: number) {
  const ahead = Math.max(1, Math.round(LOOK_AHEAD_SECONDS * sampleRate))
  const width = ahead + 1
  const release = 1 - Math.exp(-1 / (RELEASE_SECONDS * sampleRate))
  const averaged = new Float64Array(width).fill(1)
  // The required gains of the last `width` samples, as a monotonic queue whose head is the lowest.
  const queueAt = new Float64Array(width)
  const queueGain = new Float64Array(width)
  // `free`: samples since one was above the ceiling; `steady`: samples since the gain changed.
  let state = { head: 0, length: 0, sum: width, gain: 1, taken: 0, at: 0, free: width, steady: width }

  // Each averaged value is a minimum over a window with this sample, so none exceeds its required gain, and neither does the average. Plain local
  // variables: fields that change with each sample made it three times slower.
  const factorsFor = (samples: Float32Array): LimiterFactors => {
    if (isAtRest() && !isAnyAbove(samples, ceiling)) {
      rest(samples.length)
      return Math.min(1, state.sum / width)
    }
    const factors = new Float64Array(samples.length)
    let { head, length, sum, gain, taken, at, free, steady } = state
    for (let i = 0; i < samples.length; i++) {
      const size = Math.abs(samples[i]!)
      const wanted = size > ceiling ? ceiling / size : 1
      if (length > 0 && queueAt[head]! <= taken - width) {
        head = head + 1 === width ? 0 : head + 1
        length--
      }
      while (length > 0) {
        const end = head + length - 1
        if (queueGain[end >= width ? end - width : end]! < wanted) break
        length--
      }
      const last = head + length >= width ? head + length - width : head + length
      queueAt[last] = taken
      queueGain[last] = wanted
      length++
      const next = Math.min(queueGain[head]!, gain + (1 - gain) * release)
      steady = next === gain ? steady + 1 : 0
      free = wanted < 1 ? 0 : free + 1
      gain = next
      sum += gain - averaged[at]!
      averaged[at] = gain
      taken++
      at = at + 1 === width ? 0 : at + 1
      factors[i] = Math.min(1, sum / width)
    }
    state = { head, length, sum, gain, taken, at, free, steady }
    return factors
  }
  /** True if samples up to the ceiling change nothing: 1.7 s after the last peak at the latest, rounding keeps the gain where it is. */
  const isAtRest = (): boolean => state.free >= width && state.steady >= width && state.gain + (1 - state.gain) * release === state.gain
  /** Same result as the loop at rest, in a thirtieth of a limiter's time; most sound never comes near the ceiling. */
  const rest = (count: number): void => {
    const taken = state.taken + count
    queueAt[0] = taken - 1
    queueGain[0] = 1
    state = { ...state, head: 0, length: 1, taken, at: (state.at + count) % width }
  }
  return { ahead, factorsFor }
}

function isAnyAbove(samples: Float32Array, ceiling: number): boolean {
  for (let i = 0; i < samples.length; i++) if (Math.abs(samples[i]!) > ceiling) return true
  return false
}

/** Delays samples by `ahead`, and limits them by the factors of `createLimiterGain`. */
export function createLimitedDelay(ceiling: number, ahead: number): (samples: Float32Array, factors: LimiterFactors) => Float32Array {
  let waiting = new Float32Array(ahead)
  return (samples, factors) => {
    const all = new Float32Array(ahead + samples.length)
    all.set(waiting)
    all.set(samples, ahead)
    waiting = all.slice(samples.length)
    const out = all.subarray(0, samples.length)
    // At rest no sample that waits is above the ceiling.
    if (factors === 1) return out
    for (let i = 0; i < out.length; i++) {
      const value = out[i]! * (typeof factors === 'number' ? factors : factors[i]!)
      out[i] = value > ceiling ? ceiling : value < -ceiling ? -ceiling : value
    }
    return out
  }
}

/** Limits every sample to +-`ceiling`. Delays by 5 ms until flushed. */
export function createLimiter(ceiling: number, sampleRate: number): Stage {
  const { ahead, factorsFor } = createLimiterGain(ceiling, sampleRate)
  const limited = createLimitedDelay(ceiling, ahead)
  let missing = ahead
  const push = (samples: Float32Array): Float32Array => {
    const out = limited(samples, factorsFor(samples))
    const early = Math.min(samples.length, missing)
    missing -= early
    return out.subarray(early)
  }
  return { push, flush: () => push(new Float32Array(ahead)) }
}
