// Pauses in texts: `[pause]`, `[pause 500ms]`, `[pause 1.5s]`, and `[pause:1.5s]` as servers of Kokoro write it.

export const DEFAULT_PAUSE_MS = 500
export const LONGEST_PAUSE_MS = 60_000
const FORM = /^\[pause(?:(?:\s+|\s?:\s?)(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s))?\]$/i

/** Milliseconds of a pause tag; null if `tag` is none. */
export function pauseOf(tag: string): number | null {
  const match = FORM.exec(tag)
  if (!match) return null
  const [, amount, unit] = match
  return amount === undefined ? DEFAULT_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Number(amount) * (unit?.toLowerCase() === 's' ? 1000 : 1))
}
