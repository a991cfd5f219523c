// Sines, exponentials and noise from tables: they are needed fifty thousand times for a second of sound, and the functions of the language take
// most of the time of a voice. Errors are below 1e-6. Pure.

import { type SeededRandom, seededRandom } from '#agent/engine/seam/random.ts'

const STEPS = 4_096
/** A whole turn, and a quarter more for the cosine. */
const SINES = Float64Array.from({ length: STEPS + STEPS / 4 + 2 }, (_, at) => Math.sin((2 * Math.PI * at) / STEPS))
const QUARTER = STEPS / 4

/** `turns`: any number of whole turns. */
export function sine(turns: number): number {
  const place = (turns - Math.floor(turns)) * STEPS
  const at = place | 0
  return SINES[at]! + (SINES[at + 1]! - SINES[at]!) * (place - at)
}
export function cosine(turns: number): number {
  const place = (turns - Math.floor(turns)) * STEPS + QUARTER
  const at = place | 0
  return SINES[at]! + (SINES[at + 1]! - SINES[at]!) * (place - at)
}

/** A fraction of almost one may be rounded to one, so the table has one entry more. */
const FRACTIONS = 1_024
const POWERS = Float64Array.from({ length: FRACTIONS + 2 }, (_, at) => 2 ** (at / FRACTIONS))
/** Whole powers of two from 2^-LOWEST on. */
const LOWEST = 200
const WHOLE = Float64Array.from({ length: 2 * LOWEST }, (_, at) => 2 ** (at - LOWEST))

/** e^x; for x below -138 it is 0. */
export function exponential(x: number): number {
  const power = x * Math.LOG2E
  if (power < -LOWEST) return 0
  const whole = Math.floor(power)
  const place = (power - whole) * FRACTIONS
  const at = place | 0
  return WHOLE[whole + LOWEST]! * (POWERS[at]! + (POWERS[at + 1]! - POWERS[at]!) * (place - at))
}

/** The hyperbolic tangent. */
export const tangent = (x: number): number => (x > 20 ? 1 : 1 - 2 / (exponential(2 * x) + 1))

/** Values of noise; which of them comes next is drawn. */
const NOISES = 2 ** 16
let noises: Float32Array | null = null

/** Standard normal values for a voice, many times faster than those of `gaussian`. */
export function noiseOf({ unit }: Pick<SeededRandom, 'unit'>): () => number {
  if (noises === null) {
    const { gaussian } = seededRandom(0)
    noises = Float32Array.from({ length: NOISES }, gaussian)
  }
  const values = noises
  return () => values[(unit() * NOISES) | 0]!
}
