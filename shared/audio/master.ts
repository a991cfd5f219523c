// Mastering: one gain, fixed early so that audio can be emitted while it is produced, and a limiter for later peaks.
import { createLimiter } from './limiter.ts'
import { concat, NO_SAMPLES, type Stage } from './stage.ts'

/** -2 dBFS: headroom for peaks that lossy codecs add. */
export const CEILING = 10 ** (-2 / 20)
const MOST_GAIN = 10 ** (24 / 20)
const MEASURED_SECONDS = 1

/**
 * Scales the peak of the first second to -2 dBFS (at most +24 dB) and limits the rest to that ceiling. The second starts at the first
 * non-zero sample; leading silence is emitted at once. Silence stays unchanged.
 */
export function createMaster(sampleRate: number): Stage {
  const limiter = createLimiter(CEILING, sampleRate)
  const measured = Math.round(MEASURED_SECONDS * sampleRate)
  let opening: Float32Array[] | null = [] // until the gain is fixed
  let held = 0
  let gain = 1

  const amplify = (samples: Float32Array) => limiter.push(samples.map((sample) => sample * gain))
  const settle = (): Float32Array => {
    const whole = concat(opening ?? [])
    opening = null
    // Exactly `measured` samples count, even if the last chunk is longer.
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
