// Converts user text to the ASCII text that Flite supports. Characters without an ASCII spelling are left out and counted.
import { composed } from '#shared/text/unicode/compose.ts'

const SPELLED: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u2032': "'",
  '\u02bc': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2033': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': ' - ',
  '\u2014': ' - ',
  '\u2015': ' - ',
  '\u2212': '-',
  '\u2044': '/',
  '\u2022': ', ',
  '\u00b7': ' ',
  '\u3002': '. ',
  '\u3001': ', ',
  '\u00df': 'ss',
  '\u00e6': 'ae',
  '\u00c6': 'AE',
  '\u0153': 'oe',
  '\u0152': 'OE',
  '\u00f8': 'o',
  '\u00d8': 'O',
  '\u0142': 'l',
  '\u0141': 'L',
  '\u0111': 'd',
  '\u0110': 'D',
  '\u00f0': 'd',
  '\u00d0': 'D',
  '\u00fe': 'th',
  '\u00de': 'Th',
  '\u0131': 'i',
  '\u20ac': ' euros ',
  '\u00a3': ' pounds ',
  '\u00a5': ' yen ',
  '\u00b0': ' degrees ',
  '\u00d7': ' times ',
  '\u00f7': ' divided by ',
  '\u00a9': ' copyright ',
  '\u00ae': '',
  '\u00a1': '',
  '\u00bf': '',
  '\u2028': '\n',
  '\u2029': '\n\n',
}

const plain = (char: string): string => (/[\x20-\x7e\n]/.test(char) ? char : (SPELLED[char] ?? ''))

/** True if the text has a letter, a digit or a symbol that Flite pronounces. */
export const isSpeakable = (text: string): boolean => /[A-Za-z0-9%+@&#*_~/=$^|\\<>]/.test(text)

/** `text`: ASCII with line breaks as the only control characters. `dropped`: number of characters without a spelling. */
export function toSpeakable(input: string): { text: string; dropped: number } {
  let dropped = 0
  const text = composed(input)
    .replace(/\r\n?|[\v\f\x85]/g, '\n')
    .replace(/[^\x20-\x7e\n]/gu, (char) => {
      if (/\s/u.test(char)) return plain(char) || ' '
      const known = SPELLED[char]
      if (known !== undefined) return known
      // Removes accents, and spells full-width forms, ligatures and the ellipsis in ASCII.
      const spelled = Array.from(composed(char, 'NFKD'), plain).join('')
      if (spelled) return spelled.includes('/') ? ` ${spelled}` : spelled // "1½" is not eleven halves
      // Marks, joiners, control characters and lone surrogates are silent and not counted.
      if (!/[\p{M}\p{C}]/u.test(char)) dropped++
      return /\p{M}|\p{Cf}/u.test(char) ? '' : ' '
    })
  // A run of one symbol is a ruler or decoration and not read out.
  return { text: text.replace(/([^A-Za-z0-9\s.,;:!?'"()])\1{2,}/g, ' '), dropped }
}
