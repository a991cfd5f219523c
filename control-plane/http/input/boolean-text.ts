// Booleans in queries and forms: one reading for all routes.
import { z } from 'zod'

/** The words that clients in other languages write for true and false, in any case. */
const WORDS = { truthy: ['true', '1', 'yes', 'on', 't', 'y'], falsy: ['false', '0', 'no', 'off', 'f', 'n'] }

export const booleanText = () => z.stringbool(WORDS)

/** Null for any other word. */
export function booleanOf(word: string): boolean | null {
  const lower = word.toLowerCase()
  return WORDS.truthy.includes(lower) || (WORDS.falsy.includes(lower) ? false : null)
}
