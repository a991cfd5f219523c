// Finds a mark in audio that is played faster or slower than it was made. The detector follows differences of up to 0.2 %.
import { detectMark, type MarkFound } from './mark-detect.ts'

const MOST = 0.07
const STEP = 0.004
/** A longer piece drifts by more than half a slot within the tolerance of a step. */
const PIECE_SECONDS = 8
const SPEEDS = Array.from({ length: 2 * Math.round(MOST / STEP) }, (_, at) => {
  // Nearest to the original speed first.
  const distance = (Math.floor(at / 2) + 1) * STEP
  return at % 2 === 0 ? 1 + distance : 1 - distance
})

/** Plays `samples` at `1 / speed`. Linear interpolation: the loss above 6,000 Hz does not matter here. */
function stretched(samples: Float32Array, speed: number): Float32Array {
  const out = new Float32Array(Math.floor((samples.length - 1) * speed))
  for (let i = 0; i < out.length; i++) {
    const at = i / speed
    const from = Math.floor(at)
    out[i] = samples[from]! + (at - from) * (samples[from + 1]! - samples[from]!)
  }
  return out
}

/** The piece of `samples` with the most energy, where speech is most likely. */
function loudestPiece(samples: Float32Array, length: number): Float32Array {
  let [best, most] = [0, -1]
  for (let from = 0; from + length <= samples.length; from += length >> 1) {
    let energy = 0
    for (let i = from; i < from + length; i += 16) energy += samples[i]! * samples[i]!
    if (energy > most) [best, most] = [from, energy]
  }
  return samples.subarray(best, best + length)
}

/**
 * The mark of one of `keys` with a valid payload, and how much faster than made the audio is played; null if there is none. `goOn`: false
 * ends the search early.
 */
export function detectAtOtherSpeeds(
  samples: Float32Array,
  sampleRate: number,
  keys: readonly Uint8Array[],
  goOn: () => boolean,
): (MarkFound & { readonly speed: number }) | null {
  const piece = loudestPiece(samples, Math.min(samples.length, PIECE_SECONDS * sampleRate))
  for (const speed of SPEEDS) {
    if (!goOn()) return null
    const found = detectMark(stretched(piece, speed), sampleRate, keys, SPEEDS.length)
    if (found.level === 'decoded') return { ...found, speed: Math.round(speed * 1000) / 1000 }
  }
  return null
}
