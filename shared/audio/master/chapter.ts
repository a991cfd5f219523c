// Mastering of a chapter: one gain from its loudness, a limiter for true peaks, and up to two corrections for what the limiter took.
import { chain, multiplied, NO_SAMPLES, type Stage } from '../stage.ts'
import { integratedLoudness, type LoudnessHistogram } from './histogram.ts'
import { createTruePeakLimiter } from './true-peak-limiter.ts'

export const LOUDNESS_PRESETS = ['acx', 'podcast', 'none'] as const
export type LoudnessPreset = (typeof LOUDNESS_PRESETS)[number]
export type LoudnessTarget = {
  /** LUFS, or null to keep the level. */
  readonly loudness: number | null
  /** dBTP of the encoded file. */
  readonly peakDb: number
  /** dBFS of noise in place of silence, which stores refuse as a broken recording; null for none. */
  readonly floorDb: number | null
}
export const LOUDNESS_TARGETS: Readonly<Record<LoudnessPreset, LoudnessTarget>> = {
  acx: { loudness: -19, peakDb: -3, floorDb: -68 },
  podcast: { loudness: -16, peakDb: -1.5, floorDb: null },
  none: { loudness: null, peakDb: -1, floorDb: null },
}
export type Level = {
  readonly gainDb: number
  /** dBTP of the limiter. */
  readonly ceilingDb: number
  readonly floorDb: number | null
}

/** Lossy encoders and other resamplers add to peaks. */
const MARGIN_DB = 0.5
/** More would make the noise of a recording louder than speech in others. */
const MAX_GAIN_DB = 30
const TOLERANCE = 0.1
export const MAX_CORRECTIONS = 2

const factorOf = (db: number): number => 10 ** (db / 20)
const limited = (db: number): number => Math.max(-MAX_GAIN_DB, Math.min(MAX_GAIN_DB, db))

/** The level to begin with. Silence keeps its level. */
export function firstLevel(histogram: LoudnessHistogram, { loudness, peakDb, floorDb }: LoudnessTarget): Level {
  const measured = integratedLoudness(histogram)
  const gainDb = loudness === null || measured === null ? 0 : limited(loudness - measured)
  return { gainDb, ceilingDb: peakDb - MARGIN_DB, floorDb }
}

/** The next level after a pass with `level` measured `histogram`; null when it is within `tolerance` LU, or the gain cannot grow. */
export function correctedLevel(
  level: Level,
  histogram: LoudnessHistogram,
  { loudness }: LoudnessTarget,
  tolerance = TOLERANCE,
): Level | null {
  const measured = integratedLoudness(histogram)
  if (loudness === null || measured === null || Math.abs(loudness - measured) <= tolerance) return null
  const gainDb = limited(level.gainDb + loudness - measured)
  return gainDb === level.gainDb ? null : { ...level, gainDb }
}

/** True if the limiter of `level` can act on audio of this true peak, a factor of full scale. If not, no pass is needed to know the result. */
export const canLimit = ({ gainDb, ceilingDb }: Level, truePeak: number): boolean => truePeak * factorOf(gainDb) > factorOf(ceilingDb)

/** Gain, true-peak limiter and floor. */
export function createLevelStage({ gainDb, ceilingDb, floorDb }: Level, sampleRate: number): Stage {
  const gain = factorOf(gainDb)
  const amplify: Stage = { push: (samples) => multiplied(samples, gain), flush: () => NO_SAMPLES }
  const stages = [amplify, createTruePeakLimiter(factorOf(ceilingDb), sampleRate)]
  return chain(floorDb === null ? stages : [...stages, createFloor(factorOf(floorDb))])
}

/** Replaces digital silence by noise that is the same in every run: the noise of a sample depends on its place only, not on the sound. */
function createFloor(level: number): Stage {
  // The power of evenly distributed values up to a is a * a / 3.
  const scale = level * Math.sqrt(3)
  const silence = level / 2
  let place = 0
  /** The finalizer of MurmurHash3 distributes neighbouring numbers evenly. */
  const noise = (number: number): number => {
    let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return scale * ((mixed ^ (mixed >>> 16)) / 2 ** 31)
  }
  const push = (samples: Float32Array): Float32Array => {
    const out = samples.slice()
    for (let i = 0; i < out.length; i++) {
      const sample = out[i]!
      if (sample < silence && sample > -silence) out[i] = noise(place + i)
    }
    place += out.length
    return out
  }
  return { push, flush: () => NO_SAMPLES }
}
