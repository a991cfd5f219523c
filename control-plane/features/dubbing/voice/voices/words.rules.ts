// Distinguishes lines with words to speak from other sounds of people. Pure.
import { withoutReactions } from '#shared/text/script/reactions.ts'

/** A text of nothing but descriptions in square brackets, as subtitles have them. */
const DESCRIPTIONS = /^\s*(?:\[[^[\]]*\]\s*)+$/
/** `(laughs)` and `*sighs*`. */
const BRACKETED = /[(*]([^()*[\]]{1,40})[)*]/g

export function hasWords(text: string): boolean {
  if (DESCRIPTIONS.test(text)) return false
  const tagged = text.replaceAll(BRACKETED, (whole, inner: string) => (isReaction(inner) ? ' ' : whole))
  return /[\p{L}\p{N}]/u.test(withoutReactions(tagged, []).text)
}

/** Laughter, breaths and music without words, which stay as they are in the film. A line without any text is not one: its voice is removed. */
export const isOtherSound = (text: string): boolean => /[[(*♪♫🎵🎶]/u.test(text) && !hasWords(text)

const isReaction = (name: string): boolean => withoutReactions(`[${name.trim()}]`, []).removed
