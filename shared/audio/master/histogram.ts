// Gated loudness after ITU-R BS.1770 as a histogram.
import { createBlocks } from '../stage.ts'
import { createKWeighting } from './k-weighting.ts'

/** Windows of 400 ms, counted by loudness in steps of 0.1 LU from -70 to +10 LUFS. */
export type LoudnessHistogram = Uint32Array<ArrayBuffer>

const ABSOLUTE_GATE = -70
const RELATIVE_GATE = -10
const STEPS_PER_LU = 10
const LOUDEST = 10
const BINS = (LOUDEST - ABSOLUTE_GATE) * STEPS_PER_LU
const BLOCK_SECONDS = 0.1
const WINDOW_BLOCKS = 4

const loudnessOf = (energy: number): number => -0.691 + 10 * Math.log10(energy)
const ENERGIES = Array.from({ length: BINS }, (_, at) => 10 ** ((ABSOLUTE_GATE + (at + 0.5) / STEPS_PER_LU + 0.691) / 10))

export const emptyHistogram = (): LoudnessHistogram => new Uint32Array(BINS)

/** Integrated loudness in LUFS; null when nothing is above the absolute gate of -70 LUFS. */
export function integratedLoudness(histogram: LoudnessHistogram): number | null {
  const meanAbove = (gate: number): number => {
    let [energy, count] = [0, 0]
    for (let at = Math.max(0, Math.ceil((gate - ABSOLUTE_GATE) * STEPS_PER_LU)); at < BINS; at++) {
      energy += histogram[at]! * ENERGIES[at]!
      count += histogram[at]!
    }
    return count === 0 ? 0 : energy / count
  }
  const ungated = meanAbove(ABSOLUTE_GATE)
  return ungated === 0 ? null : loudnessOf(meanAbove(loudnessOf(ungated) + RELATIVE_GATE))
}

/**
 * Measures audio in pieces of any size. Of two channels the mean energy counts, so that two equal ones are as loud as one: the recommendation adds
 * them, which is 3 LU more.
 */
export function createHistogramMeter(sampleRate: number, channels: 1 | 2 = 1) {
  const inputs = Array.from({ length: channels }, () => ({
    weighting: createKWeighting(sampleRate),
    blocks: createBlocks(Math.round(BLOCK_SECONDS * sampleRate)),
  }))
  const histogram = emptyHistogram()
  const recent: number[] = []
  let windows = 0

  const energyOf = (samples: Float32Array): number => {
    let sum = 0
    for (let i = 0; i < samples.length; i++) sum += samples[i]! * samples[i]!
    return sum / samples.length
  }
  const count = (energy: number) => {
    windows++
    const at = Math.floor((loudnessOf(energy) - ABSOLUTE_GATE) * STEPS_PER_LU)
    if (at >= 0) histogram[Math.min(at, BINS - 1)]!++
  }
  const mean = (energies: readonly number[]) => energies.reduce((sum, each) => sum + each, 0) / energies.length
  return {
    /** One piece of each channel, of equal lengths. */
    push(...pieces: Float32Array[]): void {
      const energies = inputs.map(({ weighting, blocks }, channel) => {
        const ofBlocks: number[] = []
        blocks.push(weighting.push(pieces[channel]!), (block) => void ofBlocks.push(energyOf(block)))
        return ofBlocks
      })
      for (let block = 0; block < energies[0]!.length; block++) {
        recent.push(mean(energies.map((each) => each[block]!)))
        if (recent.length > WINDOW_BLOCKS) recent.shift()
        if (recent.length === WINDOW_BLOCKS) count(mean(recent))
      }
    },
    /** Audio shorter than a window counts as one, so that it has a loudness too. Ends the measurement. */
    finish(): LoudnessHistogram {
      const rests = inputs.map(({ blocks }) => blocks.rest())
      if (windows === 0 && rests[0]!.length > 0) recent.push(mean(rests.map(energyOf)))
      if (windows === 0 && recent.length > 0) count(mean(recent))
      return histogram
    },
  }
}
