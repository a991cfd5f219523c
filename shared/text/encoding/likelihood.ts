// The probability of a text: the wrong encoding makes letters that no language has beside each other. Pure; linear.
import type { LetterTable, WritingSystem } from './letter-table.ts'
import { ALPHABETS } from './letters.ts'

/** Natural logarithms of probabilities. */
const DAMAGED = -14
const CONTROL = -13
const FOREIGN = -10
const SYMBOL = -8.5
const RARE_IDEOGRAM = -9.5
const FOREIGN_IDEOGRAM = -15
const RARE_MARK = -6
/** Beside a letter. */
const SYMBOL_AT_LETTER = -3
const PUNCTUATION = -4
/** A letter of ASCII in a language of another script: names and tags. */
const ASCII_LETTER = -4
const LATIN_AT_IDEOGRAM = -2
const MIXED_SCRIPTS = -6
const CASE_INSIDE_WORD = -5
const OPENING_INSIDE_WORD = -6
const LONE_CONSONANT = -4
const LANGUAGE_BONUS = 7
/** The language is not written in the encoding. */
const NOT_NATIVE = -6
/** Probabilities fall by this factor from the first letter to the last. */
const STEEPNESS = 3.2

const EAST_ASIAN_MARKS = '、。，．！？「」『』・（）：；　～《》〈〉【】'
type Table = { readonly of: ReadonlyMap<string, number>; readonly alphabet: LetterTable }
const TABLES: readonly Table[] = ALPHABETS.map((alphabet) => {
  const letters = [...alphabet.letters]
  const decay = letters.length / STEEPNESS
  // Characters of East Asia beyond the list are half of a text.
  const share = isEastAsian(alphabet.script) ? Math.log(0.6) : 0
  return { alphabet, of: new Map(letters.map((letter, rank) => [letter, share - Math.log(decay) - rank / decay])) }
})
function isEastAsian(script: WritingSystem): boolean {
  return script === 'Chinese' || script === 'Japanese' || script === 'Korean'
}

/** In names, prices, and before marks of French. */
const RARE_MARKS = '\u00a0°€©·•′″'
const USUAL_MARKS: ReadonlySet<string> = new Set('‘’‚“”„«»…–—¿¡♪♫')
const MARKS_OF: Readonly<Partial<Record<WritingSystem, string>>> = {
  Hebrew: '־׳״',
  Arabic: '،؟؛ـ',
  ...{ Chinese: EAST_ASIAN_MARKS, Japanese: EAST_ASIAN_MARKS, Korean: EAST_ASIAN_MARKS },
}

export type Likelihood = {
  readonly score: number
  /** The most probable one. */
  readonly language: string
}

/** A word of one letter is a vowel, as the Italian è. */
const LONE = /(?<![\p{L}\p{M}])[čćšžđřňťďľĺŕśźńłģķļņçñðþşţß](?![\p{L}\p{M}])/giu

/**
 * Comparable between texts of the same bytes. `language`: a guess of it, which decides between texts that are about as probable; empty without.
 * `native`: the languages that are written in the encoding; null for all.
 */
export function likelihoodOf(text: string, language: string, native: readonly string[] | null): Likelihood {
  const counts = new Map<string, number>()
  let structure = (text.match(LONE)?.length ?? 0) * LONE_CONSONANT
  let before = ''
  for (const character of text) {
    if (character >= ' ') counts.set(character, (counts.get(character) ?? 0) + 1)
    structure += joint(before, character)
    before = character
  }
  let [best, found] = [Number.NEGATIVE_INFINITY, '']
  // The same letter as a capital.
  const lowered = new Map<string, number>()
  for (const [character, count] of counts) {
    const small = character.toLowerCase()
    const key = [...small].length === 1 ? small : character
    lowered.set(key, (lowered.get(key) ?? 0) + count)
  }
  for (const table of TABLES) {
    const own = table.alphabet.language
    let sum = (own === language ? LANGUAGE_BONUS : 0) + (native === null || native.includes(own) ? 0 : NOT_NATIVE)
    for (const [character, count] of lowered) sum += count * weightOf(character, table)
    if (sum > best) [best, found] = [sum, own]
  }
  return { score: best + structure, language: found }
}

function weightOf(character: string, { of, alphabet }: Table): number {
  const listed = of.get(character)
  if (listed !== undefined) return listed
  const code = character.codePointAt(0)!
  if (code < 0x80) return isAsciiLetter(code) ? (alphabet.script === 'Latin' ? SYMBOL : ASCII_LETTER) : 0
  if (USUAL_MARKS.has(character) || MARKS_OF[alphabet.script]?.includes(character)) return PUNCTUATION
  if (character === '\ufffd') return DAMAGED
  if (code < 0xa0) return CONTROL
  const script = scriptOf(code)
  if (script === 'Private') return CONTROL
  if (script === 'Ideogram' || script === 'Hangul' || script === 'Kana')
    return isEastAsian(alphabet.script) && isOwn(script, alphabet.script) ? RARE_IDEOGRAM : FOREIGN_IDEOGRAM
  return script === null ? (RARE_MARKS.includes(character) ? RARE_MARK : SYMBOL) : FOREIGN
}
const isOwn = (script: Kind, of: WritingSystem) =>
  script === 'Ideogram' ? of !== 'Korean' : script === 'Hangul' ? of === 'Korean' : of === 'Japanese'
const isAsciiLetter = (code: number) => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/** Penalty for two improbable neighbours. */
function joint(before: string, character: string): number {
  if (before === '' || (before < '\x80' && character < '\x80')) return 0
  const [one, two] = [scriptOf(before.codePointAt(0)!), scriptOf(character.codePointAt(0)!)]
  if (one !== null && (character === '¿' || character === '¡')) return OPENING_INSIDE_WORD
  if (one === null || two === null) return isSymbol(one === null ? before : character) && one !== two ? SYMBOL_AT_LETTER : 0
  if (!ALPHABETIC.has(one) || !ALPHABETIC.has(two)) return one === 'Latin' || two === 'Latin' ? LATIN_AT_IDEOGRAM : 0
  if (one !== two) return MIXED_SCRIPTS
  return isSmall(before) && isCapital(character) ? CASE_INSIDE_WORD : 0
}
const isSymbol = (character: string) =>
  (character >= '\xa1' && !USUAL_MARKS.has(character) && !/[\p{M}\p{P}]/u.test(character)) || character === '†' || character === '‡'
const isSmall = (character: string) => character !== character.toUpperCase() && character === character.toLowerCase()
const isCapital = (character: string) => character !== character.toLowerCase() && character === character.toUpperCase()

type Kind = 'Latin' | 'Cyrillic' | 'Greek' | 'Hebrew' | 'Arabic' | 'Thai' | 'Ideogram' | 'Hangul' | 'Kana' | 'Private'
const ALPHABETIC: ReadonlySet<Kind> = new Set<Kind>(['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai'])
const RANGES: readonly (readonly [from: number, to: number, kind: Kind])[] = [
  [0x41, 0x5a, 'Latin'],
  [0x61, 0x7a, 'Latin'],
  [0xc0, 0x24f, 'Latin'],
  [0x370, 0x3ff, 'Greek'],
  [0x400, 0x52f, 'Cyrillic'],
  // With their points and vowels.
  [0x5b0, 0x5c7, 'Hebrew'],
  [0x5d0, 0x5ea, 'Hebrew'],
  [0x621, 0x65f, 'Arabic'],
  [0x66e, 0x6d3, 'Arabic'],
  [0xe01, 0xe5b, 'Thai'],
  [0x1e00, 0x1eff, 'Latin'],
  [0x3041, 0x30ff, 'Kana'],
  [0x4e00, 0x9fff, 'Ideogram'],
  [0xac00, 0xd7a3, 'Hangul'],
  [0xe000, 0xf8ff, 'Private'],
]
/** Null for a character that is no letter of these, such as a mark or a multiplication sign. */
function scriptOf(code: number): Kind | null {
  if (code === 0xd7 || code === 0xf7) return null
  for (const [from, to, kind] of RANGES) if (code >= from && code <= to) return kind
  return null
}
