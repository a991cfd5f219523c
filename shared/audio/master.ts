// The last touch on loudness: one gain, fixed early so that audio can leave while it is made, and a limiter that keeps the promise later.
import { createLimiter } from './limiter.ts'
import { concat, NO_SAMPLES, type Stage } from './stage.ts'

/** -2 dBFS: room for what lossy codecs add to a peak. */
export const CEILING = 10 ** (-2 / 20)
const MOST_GAIN = 10 ** (24 / 20)
const MEASURED_SECONDS = 1

/**
 * Brings the peak of the first second to -2 dBFS (at most +24 dB) and holds that ceiling for the rest. The second starts at the first
 * sample that is not zero: silence in front tells nothing, and leaves at once. Only silence means no change.
 */
export function createMaster(sampleRate: number): Stage {
  const limiter = createLimiter(CEILING, sampleRate)
  const measured = Math.round(MEASURED_SECONDS * sampleRate)
  let opening: Float32Array[] | null = [] // until the gain is known
  let held = 0
  let gain = 1

  const amplify = (samples: Float32Array) => limiter.push(samples.map((sample) => sample * gain))
  const settle = (): Float32Array => {
    const whole = concat(opening ?? [])
    opening = null
    // Exactly `measured` samples count, however far the last piece reached beyond them.
    const peak = whole.subarray(0, measured).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    gain = peak > 0 ? Math.min(CEILING / peak, MOST_GAIN) : 1
    return amplify(whole)
  }

  return {
    push(samples) {
      if (!opening) return amplify(samples)
      const start = held > 0 ? 0 : samples.findIndex((sample) => sample !== 0)
      if (start < 0) return limiter.push(samples)
      const silence = limiter.push(samples.subarray(0, start))
      const sound = samples.slice(start)
      opening.push(sound)
      held += sound.length
      return concat([silence, held >= measured ? settle() : NO_SAMPLES])
    },
    flush: () => concat([opening ? settle() : NO_SAMPLES, limiter.flush()]),
  }
}
