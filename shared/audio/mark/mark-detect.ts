// Detects a mark: band energies on a fine time grid, comparison of pairs, superposition of blocks, correlation with the sync pattern.
import { createFft } from '../fft.ts'
import { CODE_BITS, decodePayload } from './mark-code.ts'
import { BANDS, BLOCK_PAIRS, gridFor, type Layout, layoutFor, PAIR_SLOTS, SLOT_SECONDS, SYNC } from './mark-grid.ts'

export type MarkFound = {
  /** `likely`: the pattern of a key was found. `decoded`: its payload also passed the checksum. */
  readonly level: 'none' | 'likely' | 'decoded'
  /** Score of the best match in standard deviations. */
  readonly z: number
  /** 0..1. Probability of a real mark, assuming a thousand unmarked recordings per marked one. */
  readonly confidence: number
  readonly payload: number | null
  /** Index in `keys`; null when nothing was found. */
  readonly keyIndex: number | null
}

const STEPS_PER_SLOT = 8
const STEPS_PER_PAIR = STEPS_PER_SLOT * PAIR_SLOTS
const STEP_SECONDS = SLOT_SECONDS / STEPS_PER_SLOT
// Level changes beyond this, in nepers of energy, come from the speech itself.
const SOFT_LIMIT = 0.8
// Cells this far below the loudest band energy are channel noise.
const FLOOR = 1e-7
const LIKELY_Z = 5.7
const CANDIDATES = 3
// Distribution of the best z of unmarked recordings (Gumbel, fitted to speech).
const [GUMBEL_MODE, GUMBEL_SCALE] = [2.77, 0.311]
const UNMARKED_PER_MARKED = 1000

type Match = { readonly z: number; readonly phase: number; readonly turn: number }

/** Searches for the marks of `keys`. A payload needs at least 5 s of speech; 3 s may suffice for `likely`. */
export function detectMark(samples: Float32Array, sampleRate: number, keys: readonly Uint8Array[]): MarkFound {
  const { bands } = gridFor(sampleRate)
  const energies = bandEnergies(samples, sampleRate)
  const folds = Array.from({ length: STEPS_PER_PAIR }, (_, phase) => fold(energies, bands.length, phase))
  let best: MarkFound = { level: 'none', z: 0, confidence: 0, payload: null, keyIndex: null }
  keys.forEach((key, keyIndex) => {
    const layout = layoutFor(key)
    const matches = bestMatches(folds, layout, bands.length)
    const z = matches[0]!.z
    if (best.level === 'decoded' || z <= best.z) return
    if (z < LIKELY_Z) best = { level: 'none', z, confidence: confidence(z, keys.length), payload: null, keyIndex: null }
    else {
      const payload =
        matches.map((match) => read(folds[match.phase]!, layout, bands.length, match.turn)).find((value) => value !== null) ?? null
      best = { level: payload === null ? 'likely' : 'decoded', z, confidence: confidence(z, keys.length), payload, keyIndex }
    }
  })
  return best
}

/** Energy per step of 6 ms and band, row by row. */
function bandEnergies(samples: Float32Array, sampleRate: number): Float64Array {
  const { frame, bands } = gridFor(sampleRate)
  const fft = createFft(frame)
  const window = Float64Array.from({ length: frame }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / frame))
  const real = new Float64Array(frame)
  const imaginary = new Float64Array(frame)
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

/** The sum of all blocks, chip by chip, for pairs that start `phase` steps after the beginning. */
function fold(energies: Float64Array, width: number, phase: number): Float64Array {
  const rows = energies.length / width
  const folded = new Float64Array(BLOCK_PAIRS * width)
  const floor = FLOOR * energies.reduce((most, energy) => Math.max(most, energy), 0) + 1e-12
  const difference = new Float64Array(width)
  const slotEnergy = (row: number, band: number) => {
    let sum = floor
    for (let step = 0; step < STEPS_PER_SLOT; step++) sum += energies[(row + step) * width + band]!
    return sum
  }
  for (let pair = 0; phase + (pair + 1) * STEPS_PER_PAIR <= rows; pair++) {
    const row = phase + pair * STEPS_PER_PAIR
    for (let band = 0; band < width; band++) difference[band] = Math.log(slotEnergy(row, band) / slotEnergy(row + STEPS_PER_SLOT, band))
    for (let band = 0; band < width; band++) {
      const own = SOFT_LIMIT * Math.tanh((difference[band]! - around(difference, band)) / SOFT_LIMIT)
      folded[(pair % BLOCK_PAIRS) * width + band]! += own
    }
  }
  return folded
}

/** The mean of the neighbouring bands: changes of the speech itself affect them too. */
function around(difference: Float64Array, band: number): number {
  const below = difference[band - 1] ?? difference[band + 1]!
  const above = difference[band + 1] ?? below
  return (below + above) / 2
}

/** The best positions of the sync pattern, best first. */
function bestMatches(folds: readonly Float64Array[], layout: Layout, width: number): Match[] {
  const sync: { pair: number; band: number; sign: number }[] = []
  layout.bit.forEach((bit, chip) => {
    const band = chip % BANDS
    if (bit === SYNC && band < width) sync.push({ pair: (chip - band) / BANDS, band, sign: layout.sign[chip]! })
  })
  const matches: Match[] = []
  folds.forEach((folded, phase) => {
    for (let turn = 0; turn < BLOCK_PAIRS; turn++) {
      let [sum, power] = [0, 1e-12]
      for (const { pair, band, sign } of sync) {
        const value = folded[((pair + turn) % BLOCK_PAIRS) * width + band]!
        sum += sign * value
        power += value * value
      }
      matches.push({ z: sum / Math.sqrt(power), phase, turn })
    }
  })
  return matches.sort((a, b) => b.z - a.z).slice(0, CANDIDATES)
}

function read(folded: Float64Array, { sign, bit }: Layout, width: number, turn: number): number | null {
  const soft = new Float64Array(CODE_BITS)
  bit.forEach((place, chip) => {
    const band = chip % BANDS
    if (place === SYNC || band >= width) return
    const pair = ((chip - band) / BANDS + turn) % BLOCK_PAIRS
    soft[place]! += sign[chip]! * folded[pair * width + band]!
  })
  return decodePayload(soft)
}

function confidence(z: number, tries: number): number {
  const accident = -Math.expm1(-Math.exp(-(z - GUMBEL_MODE) / GUMBEL_SCALE))
  return Math.max(0, 1 - UNMARKED_PER_MARKED * tries * accident)
}
