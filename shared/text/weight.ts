// Relative speaking times of texts: a weight per character. Pure.

/** Last code point of a range and the weight of its letters, relative to a Latin letter. Ascending. */
const BLOCKS: readonly (readonly [number, number])[] = [
  [0x058f, 1], // Latin, Greek, Cyrillic, Armenian
  [0x08ff, 1.5], // Hebrew, Arabic, Syriac
  [0x0dff, 1.8], // Devanagari to Sinhala
  [0x0eff, 1.5], // Thai, Lao
  [0x109f, 1.8], // Tibetan, Myanmar
  [0x10ff, 1], // Georgian
  [0x11ff, 2.5], // Hangul letters
  [0x139f, 3], // Ethiopic
  [0x177f, 1],
  [0x17ff, 1.8], // Khmer
  [0x18ff, 1],
  [0x1c7f, 1.8], // Limbu to Ol Chiki, Balinese and Sundanese among them
  [0x1cbf, 1],
  [0x1cff, 1.8],
  [0x1eff, 1],
  [0x30ff, 2.2], // kana; the blocks between contain symbols, which are weighted by category
  [0x312f, 3], // Bopomofo
  [0x318f, 2.5], // Hangul letters
  [0xa4cf, 3], // ideographs, Yi
  [0xa7ff, 1],
  [0xa82f, 1.8],
  [0xa87f, 1],
  [0xa95f, 1.8],
  [0xa97f, 2.5],
  [0xaaff, 1.8], // Javanese, Cham
  [0xab2f, 3], // Ethiopic
  [0xabbf, 1],
  [0xabff, 1.8],
  [0xd7af, 2.5], // Hangul syllables
  [0xfaff, 3], // compatibility ideographs
  [0xfdff, 1.5], // Arabic forms
  [0xfe6f, 1],
  [0xfeff, 1.5], // Arabic forms
]
const IDEOGRAPHS_FROM = 0x20000
const TATWEEL = 'ـ'

function weightOf(char: string): number {
  if (/[A-Za-z]/.test(char)) return 1
  if (char === ' ') return 0.2
  if (char === TATWEEL || /\p{M}/u.test(char)) return 0
  if (/[\p{P}\p{S}]/u.test(char)) return 0.5
  if (/\p{Z}/u.test(char)) return 0.2
  if (/\p{N}/u.test(char)) return 3.5
  const code = char.codePointAt(0)!
  const block = BLOCKS.find(([last]) => code <= last)
  return block ? block[1] : code > IDEOGRAPHS_FROM ? 3 : 1
}

/** Roughly proportional to the time that a text takes to speak. Write figures in words first: digits are weighed roughly. */
export function weightOfText(text: string): number {
  let sum = 0
  for (const char of text) sum += weightOf(char)
  return sum
}
