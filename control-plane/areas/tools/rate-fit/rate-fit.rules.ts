// How long a line takes to speak, and whether that fits into its slot. Pure.

/**
 * Characters (code points) a second at a natural pace, by language. Figures of the system that clients know, so that their estimates and
 * these agree. Scripts that write vowels as separate characters have more.
 */
const PACE: Readonly<Record<string, number>> = {
  ...{ en: 15, de: 14, fr: 15, es: 15.5, it: 15, pt: 15, nl: 14, sv: 14, no: 14, nb: 14, nn: 14, da: 14, fi: 13 },
  ...{ ru: 13, pl: 13, uk: 13, cs: 13, el: 14, tr: 12, ar: 12, he: 12, fa: 13, ur: 13 },
  ...{ ja: 10, ko: 10, zh: 6, th: 10, vi: 16, id: 14, ms: 14 },
  ...{ hi: 17, bn: 17, ta: 14, te: 14, mr: 16, gu: 16, kn: 14, ml: 14, pa: 16, or: 16 },
}
const USUAL_PACE = 13
/** Speech engines can stretch or compress a line by this much without harm. */
const FITS = { from: 0.92, to: 1.08 }
/** A line that fills less of its slot could only be filled with invented text. */
const TOO_SHORT = 0.15
/** A rewritten line may have at most this many times the characters of the line, and at least the inverse. */
const MOST_GROWTH = 2

const paceOf = (language: string): number => PACE[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? USUAL_PACE

/** The time that the text takes, as a multiple of the slot. `slotSeconds` is positive. */
export const ratioOf = (text: string, slotSeconds: number, language: string): number => [...text].length / paceOf(language) / slotSeconds

/** How many characters fill the slot. */
export const charactersThatFill = (slotSeconds: number, language: string): number => Math.max(1, Math.round(slotSeconds * paceOf(language)))

export const fits = (ratio: number): boolean => ratio >= FITS.from && ratio <= FITS.to
export const isTooShort = (ratio: number): boolean => ratio < TOO_SHORT
/** How far a ratio is from fitting; smaller is better. */
export const misfit = (ratio: number): number => Math.abs(Math.log(ratio))

/** The line in a reply of a language model, without quotes around it; null when it cannot be a version of `original`. */
export function lineOf(reply: string, original: string): string | null {
  const line = reply
    .trim()
    .replace(/^["“«](.*)["”»]$/su, '$1')
    .trim()
  const growth = [...line].length / [...original].length
  if (line === '' || /[\x00-\x09\x0b-\x1f]/.test(line) || growth > MOST_GROWTH || growth < 1 / MOST_GROWTH / 2) return null
  return line
}
