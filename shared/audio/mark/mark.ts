// The provenance mark: small level changes in many frequency bands that encode the studio and the record of origin.
// It is an aid, not a proof: it survives codecs, filters and cuts, but not deliberate removal.
import { singleFft } from '../fft/fft-single.ts'
import { createBlocks, type Stage } from '../stage.ts'
import { encodePayload } from './mark-code.ts'
import { chipGains, TILE_FLOOR, TILES } from './mark-gain.ts'
import { BLOCK_PAIRS, CHIPS, gridFor, layoutFor, PAIR_SLOTS, SLOT_SECONDS } from './mark-grid.ts'
import { addEnergies, scaleBands, type Twin } from './mark-twin.ts'

/** `payload` is an unsigned 32-bit integer. */
export type MarkSettings = {
  readonly key: Uint8Array
  readonly payload: number
  readonly sampleRate: number
  /**
   * Start of the audio in a longer recording of which parts are marked, in samples: a multiple of `markStep`. The parts then have one
   * pattern. Default: 0.
   */
  readonly position?: number
}

/** Power of the mark over the power of the sound in a pair of slots, before overlapping frames smooth it: 23 dB afterwards, for any sound. */
const LIMIT = 10 ** -2.17
const LEVEL_DECAY_SECONDS = 5
const LEVEL_DECAY = Math.exp(-(PAIR_SLOTS * SLOT_SECONDS) / LEVEL_DECAY_SECONDS)

/** The step in samples at which a mark can begin. */
export const markStep = (sampleRate: number): number => gridFor(sampleRate).frame / 2

/** Marks the audio. Delays by one pair of slots and one frame (60 to 72 ms) until flushed. */
export function createMark({ key, payload, sampleRate, position = 0 }: MarkSettings): Stage {
  const { frame, bands } = gridFor(sampleRate)
  const hop = frame / 2
  if (position % hop !== 0) throw new RangeError(`a mark begins at a multiple of ${hop} samples`)
  const fft = singleFft(frame)
  const chips = chipsOf(key, payload)
  // The same window before and after the transform: its square sums to one over half-frame steps.
  const window = Float64Array.from({ length: frame }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / frame))
  const before = new Float32Array(hop) // the previous half frame of input
  const overlap = new Float64Array(hop) // the second half of the previous frame's output
  const blocks = createBlocks(hop)
  const twins: Twin[] = [] // reused from pair to pair
  const energies = [new Float64Array(bands.length), new Float64Array(bands.length)]
  const gains = [new Float64Array(bands.length), new Float64Array(bands.length)]
  const powers = [0, 0]
  const tiles = new Float64Array(TILES)
  const changes = new Float64Array(TILES)
  const slotOf = (frame: number): number => Math.floor((frame * hop) / (SLOT_SECONDS * sampleRate))
  const first = position / hop
  let frames = first
  let waiting = 0 // frames of the current pair of slots
  let pair = Math.floor(slotOf(first) / PAIR_SLOTS)
  let level = 0
  let kept = 0 // samples taken and not yet given
  let out = new Float32Array(0) // finished samples of a push, of which the first `made` are there
  let made = 0

  /** Adds a half frame of input, and finishes the previous pair of slots when it is complete. */
  const step = (block: Float32Array): void => {
    const slot = slotOf(frames)
    if (Math.floor(slot / PAIR_SLOTS) !== pair) settle()
    pair = Math.floor(slot / PAIR_SLOTS)
    twins[waiting >> 1] ??= { real: new Float32Array(frame), imaginary: new Float32Array(frame), slots: [0, 0] }
    const twin = twins[waiting >> 1]!
    const part = waiting % 2 === 0 ? twin.real : twin.imaginary
    if (waiting % 2 === 0) twin.imaginary.fill(0)
    const power = applyWindow(window, before, block, part)
    before.set(block)
    powers[slot % PAIR_SLOTS]! += 2 * frame * power // in the unit of addEnergies: four times the energy of half the bins
    twin.slots[waiting % 2 === 0 ? 0 : 1] = slot % PAIR_SLOTS
    waiting++
    frames++
  }

  /** Writes the chips into the waiting frames and adds the half frames that are complete to the output. */
  const settle = (): void => {
    const used = twins.slice(0, (waiting + 1) >> 1)
    const loudest = Math.max(powers[0]!, powers[1]!)
    level = Math.max(level * LEVEL_DECAY, loudest)
    if (loudest > level * TILE_FLOOR) shape(used)
    // The first half frame lies before the beginning.
    const isFirst = frames - first === waiting
    for (let i = 0; i < waiting; i++) {
      const twin = used[i >> 1]!
      overlapAdd(window, i % 2 === 0 ? twin.real : twin.imaginary, overlap, out.subarray(made, made + hop))
      if (!isFirst || i > 0) made += hop
    }
    waiting = 0
    powers.fill(0)
  }

  const shape = (used: readonly Twin[]): void => {
    for (const sums of energies) sums.fill(0)
    for (const twin of used) {
      fft.forward(twin.real, twin.imaginary)
      addEnergies(twin, bands, energies)
    }
    const power = (powers[0]! + powers[1]!) / PAIR_SLOTS
    for (let chip = 0; 2 * chip < bands.length; chip++) {
      const [low, high] = [2 * chip, 2 * chip + 1]
      for (let tile = 0; tile < TILES; tile++) tiles[tile] = energies[tile >> 1]![tile % 2 === 0 ? low : high]!
      chipGains(tiles, chips[(pair % BLOCK_PAIRS) * CHIPS + chip]!, power, level * TILE_FLOOR, changes)
      for (let tile = 0; tile < TILES; tile++)
        gains[tile >> 1]![tile % 2 === 0 ? low : high] = changes[tile] === 0 ? 1 : 10 ** (changes[tile]! / 20)
    }
    limitError()
    for (const twin of used) {
      scaleBands(twin, bands, gains)
      fft.inverse(twin.real, twin.imaginary)
    }
  }

  /** Shrinks the changes of the pair until their power is LIMIT of its power. Noise reaches that limit, voiced speech rarely does. */
  const limitError = (): void => {
    let error = 0
    for (let slot = 0; slot < PAIR_SLOTS; slot++)
      for (let band = 0; band < bands.length; band++) error += energies[slot]![band]! * (gains[slot]![band]! - 1) ** 2
    const share = Math.sqrt((LIMIT * (powers[0]! + powers[1]!)) / error)
    if (share >= 1 || error === 0) return
    for (const each of gains) for (let band = 0; band < bands.length; band++) each[band] = 1 + share * (each[band]! - 1)
  }

  /** Returns the output that the samples complete, and with `isLast` the rest. */
  const take = (samples: Float32Array, isLast: boolean): Float32Array => {
    out = new Float32Array((waiting + 2) * hop + samples.length)
    made = 0
    blocks.push(samples, step)
    if (isLast) settle()
    const given = out.subarray(0, Math.min(made, kept))
    kept -= given.length
    return given
  }
  return {
    push: (samples) => {
      kept += samples.length
      return take(samples, false)
    },
    // Silence after the end completes the last frames and is removed again.
    flush: () => take(new Float32Array(frame), true),
  }
}

// Functions with arguments, because a loop over variables of the stage takes longer.

/** Writes the two halves of a frame into `part` and returns the sum of their squares. */
function applyWindow(window: Float64Array, before: Float32Array, block: Float32Array, part: Float32Array): number {
  const hop = before.length
  let power = 0
  for (let i = 0; i < hop; i++) {
    const one = before[i]! * window[i]!
    const other = block[i]! * window[hop + i]!
    part[i] = one
    part[hop + i] = other
    power += one * one + other * other
  }
  return power
}

/** Writes the first half of a frame and the `overlap` of the one before into `out`; the second half becomes the overlap. */
function overlapAdd(window: Float64Array, part: Float32Array, overlap: Float64Array, out: Float32Array): void {
  const hop = overlap.length
  for (let i = 0; i < hop; i++) {
    out[i] = overlap[i]! + part[i]! * window[i]!
    overlap[i] = part[hop + i]! * window[hop + i]!
  }
}

function chipsOf(key: Uint8Array, payload: number): Int8Array {
  const { sign, bit } = layoutFor(key)
  const code = encodePayload(payload)
  return sign.map((chip, i) => chip * code[bit[i]!]!)
}
