// The two forms of a recipe for a designed voice: choices per category, and the line `instruct`, which is their tokens in the order of the
// categories.
import { describe } from './describe.ts'
import { AUTO, CATEGORIES, tokensOf, type VoiceCategory, type VoiceChoices } from './words.ts'

export const noAttributes = (): VoiceChoices => Object.fromEntries(CATEGORIES.map((category) => [category, AUTO])) as VoiceChoices

/** The tokens that were chosen, joined by ', '; '' without any. */
export const instructOf = (attributes: VoiceChoices): string =>
  CATEGORIES.map((category) => attributes[category])
    .filter((token) => token !== AUTO)
    .join(', ')

/** The choices that a line or a text names. A dialect excludes an accent. */
export const attributesOf = (instruct: string): VoiceChoices => describe(instruct).attrs

/** The line with known tokens only, in canonical words and order; '' if it names none. Other words are dropped. */
export const sanitise = (instruct: string): string => describe(instruct).instruct

/**
 * Choices of a caller: missing categories become 'Auto'. Null if a value is neither 'Auto' nor a token of its category, or if both an accent
 * and a dialect are chosen.
 */
export function completeAttributes(chosen: Readonly<Partial<Record<VoiceCategory, string>>>): VoiceChoices | null {
  const attributes = { ...noAttributes(), ...Object.fromEntries(CATEGORIES.flatMap((one) => (chosen[one] ? [[one, chosen[one]]] : []))) }
  const isKnown = CATEGORIES.every((one) => attributes[one] === AUTO || tokensOf(one).includes(attributes[one]))
  const isContradictory = attributes.EnglishAccent !== AUTO && attributes.ChineseDialect !== AUTO
  return isKnown && !isContradictory ? attributes : null
}
