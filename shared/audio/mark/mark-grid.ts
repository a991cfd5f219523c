// The grid of a mark: time slots and frequency bands, in seconds and hertz so that they are the same at every sample rate, and how a key
// distributes the code bits over it. Embedding and detection share only this grid.
import { CODE_BITS } from './mark-code.ts'

export const SLOT_SECONDS = 0.024
/** A chip is two neighbouring bands in two consecutive slots: +- in the first slot, -+ in the second. Changes of loudness and tilt cancel. */
export const PAIR_SLOTS = 2
export const BLOCK_PAIRS = 80
const BANDS = 30
/** Chips of one pair of slots. */
export const CHIPS = BANDS / 2
// Speech codecs keep the levels of these bands even at 24 kbit/s.
const LOWEST_HZ = 300
const HIGHEST_HZ = 6000
const BAND_HZ = (HIGHEST_HZ - LOWEST_HZ) / BANDS
const USABLE = 0.45 // of the sample rate: above it resamplers roll off
const FRAME_SECONDS = 0.012

export type Grid = { readonly frame: number; readonly bands: readonly { readonly from: number; readonly to: number }[] }

/** The frame size (a power of two, 12 to 24 ms) and the FFT bins of each band that fits below 0.45 of the sample rate: an even number. */
export function gridFor(sampleRate: number): Grid {
  const frame = 2 ** Math.ceil(Math.log2(FRAME_SECONDS * sampleRate))
  const bin = (hz: number) => Math.round((hz * frame) / sampleRate)
  const edge = (band: number) => LOWEST_HZ + band * BAND_HZ
  const bands = Array.from({ length: BANDS }, (_, band) => ({ from: bin(edge(band)), to: bin(edge(band + 1)), top: edge(band + 1) }))
  const usable = bands.filter(({ top }) => top <= USABLE * sampleRate)
  return { frame, bands: usable.slice(0, usable.length - (usable.length % 2)) }
}

/** Chips are numbered pair * CHIPS + chip. */
export type Layout = {
  /** +1 or -1: the keyed sign of each chip. */
  readonly sign: Int8Array
  /** The code bit of each chip. */
  readonly bit: Uint8Array
}

/** The pattern of a key. The code bits rotate within each chip of the pairs, so that every bit also uses low bands, which survive narrow channels. */
export function layoutFor(key: Uint8Array): Layout {
  const random = seeded(key)
  const sign = new Int8Array(BLOCK_PAIRS * CHIPS)
  const bit = new Uint8Array(BLOCK_PAIRS * CHIPS)
  const order = shuffled(CODE_BITS, random)
  let turn = 0
  for (let chip = 0; chip < CHIPS; chip++) {
    for (const pair of shuffled(BLOCK_PAIRS, random)) {
      const at = pair * CHIPS + chip
      sign[at] = random() < 2 ** 31 ? 1 : -1
      bit[at] = order[turn++ % CODE_BITS]!
    }
  }
  return { sign, bit }
}

function shuffled(count: number, random: () => number): number[] {
  const list = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor((random() / 2 ** 32) * (i + 1))
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
  return list
}

/**
 * Unsigned 32-bit numbers from key bytes, mixed into the 128-bit state of the generator sfc32. It is not a cipher and need not be: its output
 * appears only as signs 23 dB below speech, and an attacker can blur a mark without the pattern. Two keys must give unrelated patterns, in
 * this and every later version.
 */
function seeded(key: Uint8Array): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1]
  const next = () => {
    const out = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + out) | 0
    return out >>> 0
  }
  for (const byte of [...key, key.length & 255]) {
    a = Math.imul(a ^ byte, 0x01000193)
    next()
  }
  for (let i = 0; i < 16; i++) next()
  return next
}
