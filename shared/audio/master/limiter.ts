// A look-ahead peak limiter: it reduces the gain before a peak arrives, so nothing is clipped.
import type { Stage } from '../stage.ts'

const LOOK_AHEAD_SECONDS = 0.005
const RELEASE_SECONDS = 0.06

/**
 * The gain of a limiter, sample by sample. `step` takes a sample and the size that must not exceed `ceiling`, and returns the limited sample
 * from `ahead` steps before.
 */
export function createLimiterGain(ceiling: number, sampleRate: number) {
  const ahead = Math.max(1, Math.round(LOOK_AHEAD_SECONDS * sampleRate))
  const width = ahead + 1
  const release = 1 - Math.exp(-1 / (RELEASE_SECONDS * sampleRate))
  const delayed = new Float32Array(width)
  const averaged = new Float64Array(width).fill(1)
  let sum = width
  let gain = 1
  let taken = 0

  // The lowest required gain of the last `width` samples, as a monotonic queue whose head is the minimum.
  const queueAt = new Float64Array(width)
  const queueGain = new Float64Array(width)
  let head = 0
  let length = 0
  const lowest = (wanted: number): number => {
    if (length > 0 && queueAt[head]! <= taken - width) {
      head = (head + 1) % width
      length--
    }
    while (length > 0 && queueGain[(head + length - 1) % width]! >= wanted) length--
    const last = (head + length) % width
    queueAt[last] = taken
    queueGain[last] = wanted
    length++
    return queueGain[head]!
  }

  // Each averaged value is a minimum over a window with this sample, so none exceeds its required gain, and neither does the average.
  const step = (sample: number, size: number): number => {
    const minimum = lowest(size > ceiling ? ceiling / size : 1)
    gain = Math.min(minimum, gain + (1 - gain) * release)
    const at = taken % width
    sum += gain - averaged[at]!
    averaged[at] = gain
    delayed[at] = sample
    taken++
    const out = delayed[taken % width]! * Math.min(1, sum / width)
    return Math.max(-ceiling, Math.min(ceiling, out))
  }
  return { ahead, step }
}

/** Limits every sample to +-`ceiling`. Delays by 5 ms until flushed. */
export function createLimiter(ceiling: number, sampleRate: number): Stage {
  const { ahead, step } = createLimiterGain(ceiling, sampleRate)
  let missing = ahead
  const push = (samples: Float32Array): Float32Array => {
    const out = new Float32Array(samples.length)
    const early = Math.min(samples.length, missing)
    missing -= early
    for (let i = 0; i < samples.length; i++) out[i] = step(samples[i]!, Math.abs(samples[i]!))
    return out.subarray(early)
  }
  return { push, flush: () => push(new Float32Array(ahead)) }
}
