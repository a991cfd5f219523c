// Mastering: brings every voice to one loudness while it is produced, and limits its peaks.

import { concat, createBlocks, multiplied, NO_SAMPLES, type Stage } from '../stage.ts'
import { createLimiter } from './limiter.ts'
import { BLOCK_SECONDS, createLoudnessMeter } from './loudness.ts'

/** -2 dBFS: headroom for peaks that lossy codecs add. */
export const CEILING = 10 ** (-2 / 20)
/** LUFS. The peaks of most voices then reach the ceiling, and the limiter takes so little that all voices stay within 2 LU. */
export const TARGET_LOUDNESS = -18
const MAX_GAIN_DB = 24
/** The gain is fixed after this much sound. */
const MEASURED_BLOCKS = 10
/** Quiet blocks, such as the breath before a slow word, are no measure of a voice. At most this many are waited for. */
const MAX_QUIET_BLOCKS = 10
const QUIET_LUFS = -45
/** The gain follows the loudness of everything so far: slowly up, and fast down, because the start may have been quiet. */
const RISE_DB = 2 * BLOCK_SECONDS
const FALL_DB = 20 * BLOCK_SECONDS

const factorOf = (db: number): number => 10 ** (db / 20)

/**
 * Brings the loudness to `TARGET_LOUDNESS` (at most +24 dB) and limits peaks to -2 dBFS. The first second of sound decides the first gain;
 * it starts at the first non-zero sample, and leading silence is emitted at once. Silence stays unchanged.
 */
export function createMaster(sampleRate: number): Stage {
  const limiter = createLimiter(CEILING, sampleRate)
  const meter = createLoudnessMeter(sampleRate)
  const blocks = createBlocks(Math.round(BLOCK_SECONDS * sampleRate))
  let opening: Float32Array[] | null = [] // until the first gain is known
  let loud = 0
  let gainDb = 0
  let hasStarted = false

  const wantedDb = (): number => {
    const loudness = meter.integrated()
    return loudness === null ? gainDb : Math.min(MAX_GAIN_DB, TARGET_LOUDNESS - loudness)
  }
  const settle = (): Float32Array => {
    const whole = concat(opening ?? [])
    opening = null
    gainDb = wantedDb()
    return limiter.push(multiplied(whole, factorOf(gainDb)))
  }
  const ride = (block: Float32Array): Float32Array => {
    const from = factorOf(gainDb)
    gainDb += Math.max(-FALL_DB, Math.min(RISE_DB, wantedDb() - gainDb))
    const step = (factorOf(gainDb) - from) / block.length
    const ridden = new Float32Array(block.length)
    for (let at = 0; at < ridden.length; at++) ridden[at] = block[at]! * (from + step * (at + 1))
    return limiter.push(ridden)
  }
  const take = (block: Float32Array): Float32Array => {
    meter.push(block)
    if (!opening) return ride(block)
    opening.push(block.slice())
    if ((meter.momentary() ?? QUIET_LUFS) > QUIET_LUFS) loud++
    return loud >= MEASURED_BLOCKS || opening.length >= MEASURED_BLOCKS + MAX_QUIET_BLOCKS ? settle() : NO_SAMPLES
  }

  return {
    push(samples) {
      const start = hasStarted ? 0 : samples.findIndex((sample) => sample !== 0)
      if (start < 0) return limiter.push(samples)
      hasStarted = true
      const out = [limiter.push(samples.subarray(0, start))]
      blocks.push(samples.subarray(start), (block) => out.push(take(block)))
      return concat(out)
    },
    flush() {
      const rest = blocks.rest()
      if (rest.length > 0) meter.push(rest)
      if (opening) opening.push(rest)
      return concat([opening ? settle() : limiter.push(multiplied(rest, factorOf(gainDb))), limiter.flush()])
    },
  }
}
