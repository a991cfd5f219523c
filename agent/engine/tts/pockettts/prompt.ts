// The end of a recording whose voice is cloned. Source: `end_on_pause` of pocket-tts 4.0.1. Pure.

const FRAME_SECONDS = 0.02
const FADE_SECONDS = 0.02
const PAUSE_SECONDS = 0.08
/** Relative to the loudest frame: quieter frames at the end are silence. */
const FLOOR_DB = -35

/**
 * The recording with a pause of 80 ms at its end, as the model was trained. After a recording that stops within a word it would first speak the
 * rest of that word; after a long silence it would start late. `rate` in Hz.
 */
export function withEndingPause(samples: Float32Array, rate: number): Float32Array {
  const frame = Math.max(1, Math.floor(FRAME_SECONDS * rate))
  const energies = Array.from({ length: Math.floor(samples.length / frame) }, (_, at) => {
    let sum = 0
    for (const sample of samples.subarray(at * frame, (at + 1) * frame)) sum += sample ** 2
    return sum
  })
  if (energies.length === 0) return samples
  const floor = energies.reduce((most, energy) => Math.max(most, energy), 0) * 10 ** (FLOOR_DB / 10)
  const end = (energies.findLastIndex((energy) => energy >= floor) + 1) * frame
  const ended = new Float32Array(end + Math.floor(PAUSE_SECONDS * rate))
  ended.set(samples.subarray(0, end))
  const fade = Math.min(Math.floor(FADE_SECONDS * rate), end)
  for (let at = 0; at < fade; at++) ended[end - fade + at]! *= 1 - at / Math.max(1, fade - 1)
  return ended
}
