// Loudness after ITU-R BS.1770: K-weighted energy of overlapping windows of 400 ms, gated, for one channel.
import { createTwoBiquads } from '../biquad.ts'

/** Length of a block; a window is four of them. */
export const BLOCK_SECONDS = 0.1
const WINDOW_BLOCKS = 4
const ABSOLUTE_GATE = -70
const RELATIVE_GATE = -10
/** Windows are counted by loudness, so that hours need no more memory than seconds. */
const STEP = 0.1
const LOUDEST = 10

const loudnessOf = (energy: number): number => -0.691 + 10 * Math.log10(energy)
const energyOf = (loudness: number): number => 10 ** ((loudness + 0.691) / 10)
const ENERGIES = Array.from({ length: Math.round((LOUDEST - ABSOLUTE_GATE) / STEP) }, (_, at) =>
  energyOf(ABSOLUTE_GATE + (at + 0.5) * STEP),
)

/** Takes blocks of `BLOCK_SECONDS` in order. */
export function createLoudnessMeter(sampleRate: number) {
  const weighting = createTwoBiquads({ kind: 'high-shelf', hz: 1681.97, db: 4 }, { kind: 'high-pass', hz: 38.1 }, sampleRate)
  const counts = new Float64Array(ENERGIES.length)
  const recent: number[] = []
  let end = 0 // of the counts that are not 0

  const meanAbove = (gate: number): number => {
    let [energy, count] = [0, 0]
    for (let at = Math.max(0, Math.ceil((gate - ABSOLUTE_GATE) / STEP)); at < end; at++) {
      energy += counts[at]! * ENERGIES[at]!
      count += counts[at]!
    }
    return count === 0 ? 0 : energy / count
  }
  return {
    push(block: Float32Array): void {
      const energy = sumOfSquares(weighting.push(block)) / block.length
      recent.push(energy)
      if (recent.length > WINDOW_BLOCKS) recent.shift()
      const loudness = loudnessOf(recent.reduce((sum, each) => sum + each, 0) / recent.length)
      // Before the first full window, shorter ones count, so that short audio has a loudness too.
      const at = Math.min(Math.floor((loudness - ABSOLUTE_GATE) / STEP), counts.length - 1)
      if (!(at >= 0)) return
      counts[at]!++
      end = Math.max(end, at + 1)
    },
    /** LUFS of all blocks so far; null while nothing was above the absolute gate. */
    integrated(): number | null {
      const ungated = meanAbove(ABSOLUTE_GATE)
      return ungated === 0 ? null : loudnessOf(meanAbove(loudnessOf(ungated) + RELATIVE_GATE))
    },
    /** LUFS of the last window; null below the absolute gate. */
    momentary(): number | null {
      const energy = recent.reduce((sum, each) => sum + each, 0) / Math.max(1, recent.length)
      return energy > energyOf(ABSOLUTE_GATE) ? loudnessOf(energy) : null
    },
  }
}

function sumOfSquares(samples: Float32Array): number {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += samples[i]! * samples[i]!
  return sum
}
