// Cleans a text before tokenisation, and finds tags for sounds such as laughter. Pure.
import { composed } from '#shared/text/unicode/compose.ts'

const TAGS = /(\[(?:laughter|sigh|confirmation-en|question-(?:en|ah|oh|ei|yi)|surprise-(?:ah|oh|wa|yo)|dissatisfaction-hnn)\])/
const IDEOGRAPH = /[\u4e00-\u9fff]/
const ENDINGS = new Set(';:,.!?…)]}"\'“”‘’；：，。！？、）】')

/** The published clean-up, exactly as in training. It joins lines without a blank; see `unwrap`. */
export const cleanText = (text: string): string =>
  text
    .trim()
    .replace(/[\r\n]+/g, '')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s+/g, (blanks, at: number, whole: string) =>
      IDEOGRAPH.test(whole[at - 1] ?? '') || IDEOGRAPH.test(whole[at + blanks.length] ?? '') ? '' : blanks,
    )

/** User text as one line. `cleanText` alone would join the last word of a line with the first word of the next. */
export const unwrap = (text: string): string =>
  composed(text)
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .replace(/[\s\u00a0\u202f\u2007]+/g, ' ')
    .trim()

/** Splits a text into pieces that are tokenised separately, so that the tokens of a tag do not depend on adjacent letters. */
export const splitTags = (text: string): string[] => text.split(TAGS).filter((piece) => piece !== '')

/** Adds a full stop to a transcript without one; otherwise the model continues its last sentence. */
export function withEnding(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || ENDINGS.has(Array.from(trimmed).at(-1)!)) return trimmed
  return trimmed + (IDEOGRAPH.test(trimmed) ? '。' : '.')
}
