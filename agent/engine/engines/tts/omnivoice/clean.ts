// What a text looks like before it is turned into tokens, and the tags in it that stand for sounds rather than words. Pure.

const TAGS = /(\[(?:laughter|sigh|confirmation-en|question-(?:en|ah|oh|ei|yi)|surprise-(?:ah|oh|wa|yo)|dissatisfaction-hnn)\])/
const IDEOGRAPH = '\\u4e00-\\u9fff'
const ENDINGS = new Set(';:,.!?…)]}"\'“”‘’；：，。！？、）】')

/** The published clean-up, to the letter: the model was trained on texts that went through it. It glues lines; see `unwrap`. */
export const cleanText = (text: string): string =>
  text
    .trim()
    .replace(/[\r\n]+/g, '')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
    .replace(/[ \t]+/g, ' ')
    .replace(new RegExp(`(?<=[${IDEOGRAPH}])\\s+|\\s+(?=[${IDEOGRAPH}])`, 'g'), '')

/** What people type as one line: `clean` would glue the last word of a line to the first of the next. */
export const unwrap = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .replace(/[\s\u00a0\u202f\u2007]+/g, ' ')
    .trim()

/** A text in pieces that are tokenised one by one: a tag's tokens must not depend on the letters beside it. Joined, they are the text. */
export const splitTags = (text: string): string[] => text.split(TAGS).filter((piece) => piece !== '')

/** A transcript without an end makes the model believe that its last sentence goes on. */
export function withEnding(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || ENDINGS.has(Array.from(trimmed).at(-1)!)) return trimmed
  return trimmed + (new RegExp(`[${IDEOGRAPH}]`).test(trimmed) ? '。' : '.')
}
