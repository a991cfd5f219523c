// A look-ahead peak limiter: it sees a peak coming and is down before the peak arrives, so nothing is ever clipped.
import type { Stage } from './stage.ts'

const LOOK_AHEAD_SECONDS = 0.005
const RELEASE_SECONDS = 0.06

/** Holds every sample within +-`ceiling`. Keeps 5 ms back until flushed. */
export function createLimiter(ceiling: number, sampleRate: number): Stage {
  const ahead = Math.max(1, Math.round(LOOK_AHEAD_SECONDS * sampleRate))
  const width = ahead + 1
  const release = 1 - Math.exp(-1 / (RELEASE_SECONDS * sampleRate))
  const delayed = new Float32Array(width)
  const averaged = new Float64Array(width).fill(1)
  let sum = width
  let gain = 1
  let taken = 0

  // The lowest wanted gain of the last `width` samples, as a queue that only ever rises: its head is the minimum.
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

  // Each value averaged for a sample is a minimum over a window that holds this sample, hence at most what it needs: the average is too.
  const step = (sample: number): number => {
    const size = Math.abs(sample)
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

  const push = (samples: Float32Array): Float32Array => {
    const out = new Float32Array(samples.length)
    const early = Math.max(0, Math.min(samples.length, ahead - taken))
    for (let i = 0; i < samples.length; i++) out[i] = step(samples[i]!)
    return out.subarray(early)
  }
  return { push, flush: () => push(new Float32Array(ahead)) }
}
