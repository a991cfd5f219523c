// The provenance mark: small, slow level changes in many frequency bands that encode the studio and the record of origin.
// It is an aid, not a proof: it survives codecs, filters and cuts, but not deliberate removal.
import { createFft } from '../fft.ts'
import { concat, createBlocks, type Stage } from '../stage.ts'
import { encodePayload } from './mark-code.ts'
import { BANDS, BLOCK_PAIRS, gridFor, layoutFor, PAIR_SLOTS, SLOT_SECONDS, SYNC } from './mark-grid.ts'

/** `payload` is an unsigned 32-bit integer. */
export type MarkSettings = { readonly key: Uint8Array; readonly payload: number; readonly sampleRate: number }

// A dominant band is the most audible and adds the most error, so it changes less than the bands it masks: 1.2 dB on average.
const STRENGTH_DB = 1.3
const DOMINANT_STRENGTH_DB = 0.9
const DOMINANT_SHARE = 0.1
// Pauses carry little information and their noise is audible: the mark fades out between these levels below the speech.
const PAUSE_DB = -50
const SPEECH_DB = -35
const LEVEL_DECAY_SECONDS = 5

/** Marks the audio. Delays by one frame (20 to 40 ms) until flushed. */
export function createMark({ key, payload, sampleRate }: MarkSettings): Stage {
  const { frame, bands } = gridFor(sampleRate)
  const hop = frame / 2
  const fft = createFft(frame)
  const chips = chipsOf(key, payload)
  // The same window before and after the transform: its square sums to one over half-frame steps.
  const window = Float64Array.from({ length: frame }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / frame))
  const decay = Math.exp(-hop / (LEVEL_DECAY_SECONDS * sampleRate))
  const real = new Float64Array(frame)
  const imaginary = new Float64Array(frame)
  const before = new Float32Array(hop) // the previous half frame of input
  const overlap = new Float64Array(hop) // the second half of the previous frame's output
  const blocks = createBlocks(hop)
  let frames = 0
  let level = 0
  let kept = 0 // samples taken and not yet given

  /** One half frame in; the half frame before it out. */
  const step = (block: Float32Array): Float32Array => {
    real.set(before)
    real.set(block, hop)
    before.set(block)
    imaginary.fill(0)
    let power = 0
    for (let i = 0; i < frame; i++) {
      real[i]! *= window[i]!
      power += real[i]! ** 2
    }
    level = Math.max(power, level * decay)
    const share = presence(power, level)
    if (share > 0) shape(share)
    const out = new Float32Array(hop)
    for (let i = 0; i < hop; i++) {
      out[i] = overlap[i]! + real[i]! * window[i]!
      overlap[i] = real[hop + i]! * window[hop + i]!
    }
    frames++
    return out
  }

  /** Raises or lowers the bands of the frame according to the chips at its centre, by `share` of the full strength. */
  const shape = (share: number): void => {
    const slot = Math.floor((frames * hop) / (SLOT_SECONDS * sampleRate))
    const pair = Math.floor(slot / PAIR_SLOTS) % BLOCK_PAIRS
    const side = slot % PAIR_SLOTS === 0 ? 1 : -1
    fft.forward(real, imaginary)
    const energies = bands.map(({ from, to }) => energyOf(real, imaginary, from, to))
    const dominant = DOMINANT_SHARE * energies.reduce((sum, energy) => sum + energy, 0)
    bands.forEach(({ from, to }, band) => {
      const db = share * (energies[band]! > dominant ? DOMINANT_STRENGTH_DB : STRENGTH_DB)
      const gain = 10 ** ((chips[pair * BANDS + band] === side ? db : -db) / 20)
      for (let bin = from; bin < to; bin++) {
        real[bin]! *= gain
        imaginary[bin]! *= gain
        real[frame - bin]! *= gain
        imaginary[frame - bin]! *= gain
      }
    })
    fft.inverse(real, imaginary)
  }

  const push = (samples: Float32Array): Float32Array => {
    const out: Float32Array[] = []
    kept += samples.length
    blocks.push(samples, (block) => {
      const first = frames === 0 // what comes out first lies before the beginning
      const settled = step(block)
      if (!first) out.push(settled)
    })
    const given = concat(out)
    kept -= given.length
    return given
  }
  return {
    push,
    // Silence after the end flushes the delayed frame and is removed again.
    flush: () => {
      const rest = kept
      return push(new Float32Array(frame)).subarray(0, rest)
    },
  }
}

function chipsOf(key: Uint8Array, payload: number): Int8Array {
  const { sign, bit } = layoutFor(key)
  const code = encodePayload(payload)
  return sign.map((chip, i) => (bit[i] === SYNC ? chip : chip * code[bit[i]!]!))
}

/** 1 in speech, 0 in a pause, with a slope between. */
function presence(power: number, level: number): number {
  if (power <= 0) return 0
  const db = 10 * Math.log10(power / level)
  return Math.max(0, Math.min(1, (db - PAUSE_DB) / (SPEECH_DB - PAUSE_DB)))
}

function energyOf(real: Float64Array, imaginary: Float64Array, from: number, to: number): number {
  let energy = 0
  for (let bin = from; bin < to; bin++) energy += real[bin]! ** 2 + imaginary[bin]! ** 2
  return energy
}
