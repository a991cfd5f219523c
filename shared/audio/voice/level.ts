// Measures the loudness of speech without its pauses. Pure.

const WINDOW_SECONDS = 0.02
/** Below both of these, a window is a pause: -60 dBFS, and 25 dB below the loudest window. */
const SILENCE = 10 ** (-60 / 10)
const BELOW_LOUDEST = 10 ** (-25 / 10)
/** Shorter sound is no speech. */
const MIN_WINDOWS = 3

/** dBFS of the mean square; null for silence. */
export function speechLevel(samples: Float32Array, sampleRate: number): number | null {
  const width = Math.max(1, Math.round(WINDOW_SECONDS * sampleRate))
  const powers: number[] = []
  for (let from = 0; from + width <= samples.length; from += width) {
    let sum = 0
    for (let at = from; at < from + width; at++) sum += samples[at]! ** 2
    powers.push(sum / width)
  }
  const limit = Math.max(SILENCE, BELOW_LOUDEST * powers.reduce((most, power) => Math.max(most, power), 0))
  const loud = powers.filter((power) => power >= limit)
  return loud.length < MIN_WINDOWS ? null : 10 * Math.log10(loud.reduce((sum, power) => sum + power, 0) / loud.length)
}
