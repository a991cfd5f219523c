// Prepares text for Supertonic: decomposed Unicode without unsupported characters, wrapped in a language tag, as ids of its table. Pure.
import { composed } from '#shared/text/unicode/compose.ts'

/** ISO 639-1. Without Chinese. */
export const SUPERTONIC_LANGUAGES: readonly string[] =
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(' ')
/** The tag for text of an unknown language. */
export const UNKNOWN_LANGUAGE = 'na'

/** Scripts with more speech per character get shorter pieces. */
export const maxPieceCharacters = (language: string): number => (language === 'ko' || language === 'ja' ? 120 : 300)

/** Paragraphs are never joined into one piece, as upstream. */
export const toParagraphs = (text: string): string[] => text.split(/\n[ \t]*\n\s*/).filter((paragraph) => paragraph.trim() !== '')

const REPLACEMENTS: Readonly<Record<string, string>> = {
  '–': '-',
  '‑': '-',
  '—': '-',
  _: ' ',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '´': "'",
  '`': "'",
  '[': ' ',
  ']': ' ',
  '|': ' ',
  '/': ' ',
  '#': ' ',
  '→': ' ',
  '←': ' ',
  '@': ' at ',
}
// The ranges of upstream, and what joins and colours emoji.
const UNSUPPORTED = /[\u{1f300}-\u{1f64f}\u{1f680}-\u{1faff}\u{1f1e6}-\u{1f1ff}\u2600-\u27bf©\\]|\u200d|\ufe0f/gu
const END_PUNCTUATION = /[.!?;:,'")\]}…。」』】〉》›»]$/

/** Decomposed (NFKD) plain text in its language tag. */
export function toTaggedText(text: string, language: string): string {
  const plain = composed(text, 'NFKD')
    .replace(UNSUPPORTED, '')
    .replaceAll('e.g.,', 'for example, ')
    .replaceAll('i.e.,', 'that is, ')
    .replace(/[^\p{L}\p{N}\s]/gu, (char) => REPLACEMENTS[char] ?? char)
    .replace(/ ([,.!?;:'])/g, '$1')
    .replace(/"{2,}/g, '"')
    .replace(/'{2,}/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
  return `<${language}>${plain}${END_PUNCTUATION.test(plain) ? '' : '.'}</${language}>`
}

/** One id per character. A negative or missing id means that the model does not support it. */
export type UnicodeTable = readonly number[] | Readonly<Record<string, number>>

/** Unsupported characters are left out and counted; upstream passes their negative ids on, which select unrelated rows. */
export function toSupertonicIds(tagged: string, table: UnicodeTable): { ids: number[]; dropped: number } {
  const ids: number[] = []
  let dropped = 0
  for (const char of tagged) {
    const code = char.codePointAt(0)!
    // The table of the model ends with the basic plane.
    const id = code > 0xffff ? undefined : (table as Readonly<Record<number, number>>)[code]
    if (id !== undefined && id >= 0) ids.push(id)
    else dropped++
  }
  return { ids, dropped }
}
