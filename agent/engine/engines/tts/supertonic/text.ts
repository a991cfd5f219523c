// What Supertonic reads: decomposed Unicode without what it never saw, inside a language tag, as numbers from its own table. Pure.

/** ISO 639-1. There is no Chinese. */
export const SUPERTONIC_LANGUAGES: readonly string[] =
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(' ')
/** The tag for text whose language nobody told. */
export const UNKNOWN_LANGUAGE = 'na'

/** Scripts that say more per character get shorter pieces. */
export const maxPieceCharacters = (language: string): number => (language === 'ko' || language === 'ja' ? 120 : 300)

const SAME: Readonly<Record<string, string>> = {
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
const REPLACED = new RegExp(`[${Object.keys(SAME).join('').replace(/[[\]]/g, '\\$&')}]`, 'gu')
const NEVER_SEEN = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|[☆♡\\]/gu
const ENDED = /[.!?;:,'")\]}…。」』】〉》›»]$/

export function toTaggedText(text: string, language: string): string {
  const plain = text
    .normalize('NFKD')
    // Digits and the number sign are pictographs to Unicode; people mean digits.
    .replace(NEVER_SEEN, (char) => (/[0-9#*]/.test(char) ? char : ''))
    .replaceAll('e.g.,', 'for example, ')
    .replaceAll('i.e.,', 'that is, ')
    .replace(REPLACED, (char) => SAME[char]!)
    .replace(/\s+([,.!?;:'])/g, '$1')
    .replace(/"{2,}/g, '"')
    .replace(/'{2,}/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
  return `<${language}>${plain}${ENDED.test(plain) ? '' : '.'}</${language}>`
}

/** The table lists a number per UTF-16 unit; a negative one, or none, means that the model never saw it. */
export type UnicodeTable = readonly number[] | Readonly<Record<string, number>>

export function toSupertonicIds(tagged: string, table: UnicodeTable): { ids: number[]; dropped: number } {
  const ids: number[] = []
  for (let at = 0; at < tagged.length; at++) {
    const id = (table as Readonly<Record<number, number>>)[tagged.charCodeAt(at)]
    if (id !== undefined && id >= 0) ids.push(id)
  }
  return { ids, dropped: tagged.length - ids.length }
}
