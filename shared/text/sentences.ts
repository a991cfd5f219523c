// Splits text into sentences by the rules of its language. Pure, without a model or a dictionary.
import { detectLanguage } from './language.ts'
import { cutAtBorders } from './segmentation/borders.ts'
import { toUnits } from './segmentation/layout.ts'
import { sentenceRulesOf } from './segmentation/rules-of.ts'

/** Language of a text that names none and shows none. */
const MOST_USED = 'en'
const isUnknown = (language: string): boolean => /^(?:auto|und)?$/.test(language.trim().toLowerCase())

/**
 * Non-empty sentences without line breaks, in order. A blank line ends a sentence, and so does the line of a list, a verse or an address; the
 * line break of wrapped prose does not. `language`: a tag such as `de` or `pt-BR`; '' and `auto` for that of its words.
 */
export function toSentences(text: string, language: string): string[] {
  const rules = sentenceRulesOf(isUnknown(language) ? (detectLanguage(text)?.code ?? MOST_USED) : language)
  return toUnits(text, rules).flatMap((unit) => cutAtBorders(unit, rules))
}

const END_MARK = /[.!?…‥。！？｡।॥۔؟։።:;：；]["'”“’»›)\]」』）]{0,3}$/u

/** True for a heading, an item or a verse: text without a mark at its end, which is not joined with what follows it in one breath. */
export const isUnmarked = (sentence: string): boolean => !END_MARK.test(sentence.slice(-4))
