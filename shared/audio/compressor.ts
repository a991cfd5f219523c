// A feed-forward compressor with a soft knee: it follows the level and reduces gain above the threshold.
import { NO_SAMPLES, type Stage } from './stage.ts'

export type CompressorSettings = {
  readonly thresholdDb: number
  /** 3 means that three more decibels in yield one more out. */
  readonly ratio: number
  readonly attackMs: number
  readonly releaseMs: number
  readonly makeupDb: number
}
const KNEE_DB = 6

/** A compressor without delay. */
export function createCompressor({ thresholdDb, ratio, attackMs, releaseMs, makeupDb }: CompressorSettings, sampleRate: number): Stage {
  const pace = (ms: number) => 1 - Math.exp(-1000 / (ms * sampleRate))
  const [attack, release] = [pace(attackMs), pace(releaseMs)]
  const slope = 1 - 1 / ratio
  let level = 0
  return {
    push: (samples) =>
      samples.map((sample) => {
        const size = Math.abs(sample)
        level += (size - level) * (size > level ? attack : release)
        const over = 20 * Math.log10(level + 1e-9) - thresholdDb
        return sample * 10 ** ((makeupDb - slope * bend(over)) / 20)
      }),
    flush: () => NO_SAMPLES,
  }
}

/** The effective decibels above the threshold: none below the knee, all above it, a parabola between. */
function bend(over: number): number {
  if (over <= -KNEE_DB / 2) return 0
  if (over >= KNEE_DB / 2) return over
  return (over + KNEE_DB / 2) ** 2 / (2 * KNEE_DB)
}
