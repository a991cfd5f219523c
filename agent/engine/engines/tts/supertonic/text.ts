// Prepares text for Supertonic: decomposed Unicode without unsupported characters, wrapped in a language tag, as ids of its table. Pure.

/** ISO 639-1. Without Chinese. */
export const SUPERTONIC_LANGUAGES: readonly string[] =
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(' ')
/** The tag for text of an unknown language. */
export const UNKNOWN_LANGUAGE = 'na'

/** Scripts with more speech per character get shorter pieces. */
export const maxPieceCharacters = (language: string): number => (language === 'ko' || language === 'ja' ? 120 : 300)

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
const UNSUPPORTED = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|[☆♡\\]/gu
const END_PUNCTUATION = /[.!?;:,'")\]}…。」』】〉》›»]$/

export function toTaggedText(text: string, language: string): string {
  const plain = text
    .normalize('NFKD')
    // Unicode classifies digits, # and * as emoji components.
    .replace(UNSUPPORTED, (char) => (/[0-9#*]/.test(char) ? char : ''))
    .replaceAll('e.g.,', 'for example, ')
    .replaceAll('i.e.,', 'that is, ')
    .replace(/[^\p{L}\p{N}\s]/gu, (char) => REPLACEMENTS[char] ?? char)
    .replace(/\s+([,.!?;:'])?/g, (blanks, mark?: string) => mark ?? blanks)
    .replace(/"{2,}/g, '"')
    .replace(/'{2,}/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
  return `<${language}>${plain}${END_PUNCTUATION.test(plain) ? '' : '.'}</${language}>`
}

/** One id per UTF-16 code unit. A negative or missing id means that the model does not support it. */
export type UnicodeTable = readonly number[] | Readonly<Record<string, number>>

export function toSupertonicIds(tagged: string, table: UnicodeTable): { ids: number[]; dropped: number } {
  const ids: number[] = []
  for (let at = 0; at < tagged.length; at++) {
    const id = (table as Readonly<Record<number, number>>)[tagged.charCodeAt(at)]
    if (id !== undefined && id >= 0) ids.push(id)
  }
  return { ids, dropped: tagged.length - ids.length }
}
