// Estimates the time that a line takes to speak, and whether that fits into its slot. Pure.
import { paceOf } from '#shared/text/pace.ts'

/** Speech engines can stretch or compress a line by this much without harm. */
const FITS = { from: 0.92, to: 1.08 }
/** A line that fills less of its slot could only be filled with invented text. */
const TOO_SHORT = 0.15
/** A rewritten line may have at most this many times the characters of the line, and at least the inverse. */
const MAX_GROWTH = 2

/** The time that the text takes, as a multiple of the slot. `slotSeconds` is positive. */
export const ratioOf = (text: string, slotSeconds: number, language: string): number => [...text].length / paceOf(language) / slotSeconds

/** Number of characters that fill the slot. */
export const charactersThatFill = (slotSeconds: number, language: string): number => Math.max(1, Math.round(slotSeconds * paceOf(language)))

export const fits = (ratio: number): boolean => ratio >= FITS.from && ratio <= FITS.to
export const isTooShort = (ratio: number): boolean => ratio < TOO_SHORT
/** Distance of a ratio from fitting; smaller is better. */
export const misfit = (ratio: number): number => Math.abs(Math.log(ratio))

/** The line in a reply of a language model, without quotes around it; null when it cannot be a version of `original`. */
export function lineOf(reply: string, original: string): string | null {
  const line = reply
    .trim()
    .replace(/^["“«](.*)["”»]$/su, '$1')
    .trim()
  const growth = [...line].length / [...original].length
  if (line === '' || /[\x00-\x09\x0b-\x1f]/.test(line) || growth > MAX_GROWTH || growth < 1 / MAX_GROWTH / 2) return null
  return line
}
