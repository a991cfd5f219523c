// Detects a mark: band energies on a fine time grid, the statistic of each chip, superposition of blocks, and a search over all positions for
// the one whose soft bits are the strongest. There is no synchronisation pattern: every chip carries code bits.
import { singleFft } from '../fft/fft-single.ts'
import { CODE_BITS, decodePayload } from './mark-code.ts'
import { BLOCK_PAIRS, CHIPS, gridFor, type Layout, layoutFor, PAIR_SLOTS, SLOT_SECONDS } from './mark-grid.ts'

export type MarkFound = {
  /** `likely`: the pattern of a key was found. `decoded`: its payload also passed the checksum. */
  readonly level: 'none' | 'likely' | 'decoded'
  /** Score of the best match in standard deviations. */
  readonly z: number
  /** 0..1. Probability of a real mark, assuming a million unmarked recordings per marked one. Above 0.5 unless `level` is `none`. */
  readonly confidence: number
  readonly payload: number | null
  /** Index in `keys`; null when nothing was found. */
  readonly keyIndex: number | null
}

const STEPS_PER_SLOT = 4
const STEPS_PER_PAIR = STEPS_PER_SLOT * PAIR_SLOTS
const STEP_SECONDS = SLOT_SECONDS / STEPS_PER_SLOT
// Chip statistics beyond this, in nepers of energy, come from the speech itself.
const SOFT_LIMIT = 1.4
// Energies this far below the loudest step are channel noise.
const FLOOR = 1e-6
// The signs of the chips are keyed and independent of the sound, so for every sound a wrong match exceeds z with a probability of at most
// exp(-z * z / 2) (Hoeffding). Over all payloads and positions that is 7e-8 per search at 9.5.
const DECODED_Z = 9.5
const LIKELY = 0.5 // confidence
const CANDIDATES = 8
// Upper bound of the best z of unmarked recordings (Gumbel; the measured tail is lighter).
const [GUMBEL_MODE, GUMBEL_SCALE] = [8.3, 0.12]
const CHECKSUMS = 2 ** 16
const UNMARKED_PER_MARKED = 1e6

type Match = { readonly strength: number; readonly phase: number; readonly turn: number }
/** The sum of all blocks, chip by chip, in rows of `width` chips. */
type Fold = { readonly chips: Float64Array; readonly width: number; readonly power: number }

/**
 * Searches for the marks of `keys`. A payload needs about 5 s of speech. `searches`: how many pieces of audio are searched for the same
 * answer, each of which may match by accident.
 */
export function detectMark(samples: Float32Array, sampleRate: number, keys: readonly Uint8Array[], searches = 1): MarkFound {
  const width = gridFor(sampleRate).bands.length / 2
  const energies = bandEnergies(samples, sampleRate)
  const folds = Array.from({ length: STEPS_PER_PAIR }, (_, phase) => fold(energies, width, phase))
  const found = keys.map((key, keyIndex) => search(folds, layoutFor(key), keyIndex, keys.length * searches))
  return found.reduce((best, each) => (rank(each) > rank(best) ? each : best), NOTHING)
}

const NOTHING: MarkFound = { level: 'none', z: 0, confidence: 0, payload: null, keyIndex: null }
const LEVELS = ['none', 'likely', 'decoded'] as const
const rank = ({ level, z }: MarkFound) => 1000 * LEVELS.indexOf(level) + z

function search(folds: readonly Fold[], layout: Layout, keyIndex: number, tries: number): MarkFound {
  const decoded = bestMatches(folds, layout).map(({ phase, turn }) => {
    const { payload, isValid, score } = decodePayload(softBits(folds[phase]!, layout, turn))
    const z = score / Math.sqrt(folds[phase]!.power)
    return rated(z, isValid && z >= DECODED_Z ? payload : null, keyIndex, tries)
  })
  return decoded.reduce((best, each) => (rank(each) > rank(best) ? each : best))
}

function rated(z: number, payload: number | null, keyIndex: number, tries: number): MarkFound {
  const probability = confidence(z, payload === null ? tries : tries / CHECKSUMS)
  const level = payload !== null ? 'decoded' : probability > LIKELY ? 'likely' : 'none'
  return { level, z, confidence: probability, payload, keyIndex: level === 'none' ? null : keyIndex }
}

/** Energy per step of 6 ms and band, row by row. */
function bandEnergies(samples: Float32Array, sampleRate: number): Float64Array {
  const { frame, bands } = gridFor(sampleRate)
  const fft = singleFft(frame)
  const window = Float64Array.from({ length: frame }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / frame))
  const real = new Float32Array(frame)
  const imaginary = new Float32Array(frame)
  const rows = Math.floor(samples.length / (STEP_SECONDS * sampleRate))
  const energies = new Float64Array(rows * bands.length)
  // Two rows per transform, as real and imaginary part; symmetry separates them again.
  for (let row = 0; row < rows; row += 2) {
    const starts = [row, row + 1].map((r) => Math.round((r + 0.5) * STEP_SECONDS * sampleRate) - frame / 2)
    for (let i = 0; i < frame; i++) {
      real[i] = (samples[starts[0]! + i] ?? 0) * window[i]!
      imaginary[i] = (samples[starts[1]! + i] ?? 0) * window[i]!
    }
    fft.forward(real, imaginary)
    bands.forEach(({ from, to }, band) => {
      let [even, odd] = [0, 0]
      for (let bin = from; bin < to; bin++) {
        const [r, m, rr, mm] = [real[bin]!, imaginary[bin]!, real[frame - bin]!, imaginary[frame - bin]!]
        even += (r + rr) ** 2 + (m - mm) ** 2
        odd += (m + mm) ** 2 + (r - rr) ** 2
      }
      energies[row * bands.length + band] = even
      if (row + 1 < rows) energies[(row + 1) * bands.length + band] = odd
    })
  }
  return energies
}

/** The superposition for pairs that start `phase` steps after the beginning. */
function fold(energies: Float64Array, width: number, phase: number): Fold {
  const bands = 2 * width
  const rows = energies.length / bands
  const chips = new Float64Array(BLOCK_PAIRS * width)
  const floor = FLOOR * STEPS_PER_SLOT * loudest(energies, bands) + 1e-12
  const slotEnergy = (row: number, band: number) => {
    let sum = floor
    for (let step = 0; step < STEPS_PER_SLOT; step++) sum += energies[(row + step) * bands + band]!
    return sum
  }
  for (let pair = 0; phase + (pair + 1) * STEPS_PER_PAIR <= rows; pair++) {
    const row = phase + pair * STEPS_PER_PAIR
    const next = row + STEPS_PER_SLOT
    for (let chip = 0; chip < width; chip++) {
      const [low, high] = [2 * chip, 2 * chip + 1]
      const shown = Math.log((slotEnergy(row, low) * slotEnergy(next, high)) / (slotEnergy(row, high) * slotEnergy(next, low)))
      chips[(pair % BLOCK_PAIRS) * width + chip]! += SOFT_LIMIT * Math.tanh(shown / SOFT_LIMIT)
    }
  }
  return { chips, width, power: chips.reduce((sum, value) => sum + value * value, 1e-12) }
}

function loudest(energies: Float64Array, bands: number): number {
  let most = 0
  for (let at = 0; at < energies.length; at += bands) {
    let sum = 0
    for (let band = 0; band < bands; band++) sum += energies[at + band]!
    most = Math.max(most, sum)
  }
  return most
}

/** The positions with the strongest soft bits, best first. */
function bestMatches(folds: readonly Fold[], layout: Layout): Match[] {
  const matches: Match[] = []
  const soft = new Float64Array(CODE_BITS)
  folds.forEach((folded, phase) => {
    for (let turn = 0; turn < BLOCK_PAIRS; turn++) {
      softBits(folded, layout, turn, soft)
      let strength = 0
      for (let i = 0; i < CODE_BITS; i++) strength += soft[i]! * soft[i]!
      matches.push({ strength: strength / folded.power, phase, turn })
    }
  })
  return matches.sort((a, b) => b.strength - a.strength).slice(0, CANDIDATES)
}

/** The sums of the chips of each code bit, for a block that starts `turn` pairs after the first pair. */
function softBits({ chips, width }: Fold, { sign, bit }: Layout, turn: number, soft = new Float64Array(CODE_BITS)): Float64Array {
  soft.fill(0)
  for (let pair = 0; pair < BLOCK_PAIRS; pair++) {
    const from = ((pair + turn) % BLOCK_PAIRS) * width
    const at = pair * CHIPS
    for (let chip = 0; chip < width; chip++) soft[bit[at + chip]!]! += sign[at + chip]! * chips[from + chip]!
  }
  return soft
}

function confidence(z: number, tries: number): number {
  const accident = -Math.expm1(-Math.exp(-(z - GUMBEL_MODE) / GUMBEL_SCALE))
  return Math.max(0, 1 - UNMARKED_PER_MARKED * tries * accident)
}
