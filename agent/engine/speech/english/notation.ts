// The symbols of Kokoro and IPA. A symbol is a vowel, a diphthong, a consonant or an affricate; IPA writes some of them with two letters. Pure.

import { composed } from '#shared/text/unicode/compose.ts'
import { isVowel, PRIMARY, SECONDARY } from './words/stress.ts'

/** IPA to symbols: American, then British where that differs. The longest sound is looked for first. */
const SOUNDS: Readonly<Record<string, string | readonly [string, string]>> = {
  ...Object.fromEntries([...'bdfhjklmnpstvwzðŋɡɹʃʒθ'].map((same) => [same, same])),
  ...{ tʃ: 'ʧ', dʒ: 'ʤ', ʧ: 'ʧ', ʤ: 'ʤ', ts: 'ts', dz: 'dz', ʦ: 'ts', ʣ: 'dz', ɾ: ['T', 'ɹ'], ʔ: 't', T: 'T', hw: 'w' },
  ...{ eɪ: 'A', aɪ: 'I', aʊ: 'W', ɔɪ: 'Y', oʊ: ['O', 'Q'], əʊ: ['O', 'Q'], A: 'A', I: 'I', W: 'W', Y: 'Y', O: ['O', 'Q'], Q: ['O', 'Q'] },
  ...{ i: 'i', iː: ['i', 'iː'], u: 'u', uː: ['u', 'uː'], ɑː: ['ɑ', 'ɑː'], ɑ: ['ɑ', 'ɑː'], ɔː: ['ɔ', 'ɔː'], ɔ: ['ɔ', 'ɔː'] },
  ...{ ɜː: ['ɜɹ', 'ɜː'], ɜːɹ: ['ɜɹ', 'ɜːɹ'], ɜɹ: ['ɜɹ', 'ɜː'], ɜ: ['ɜɹ', 'ɜː'], ɝ: ['ɜɹ', 'ɜː'], ɝː: ['ɜɹ', 'ɜː'] },
  ...{ ɚ: ['əɹ', 'ə'], ɚɹ: 'əɹ' },
  ...{
    ɒ: ['ɑ', 'ɒ'],
    æ: ['æ', 'a'],
    a: ['ɑ', 'a'],
    aː: ['ɑ', 'ɑː'],
    e: 'ɛ',
    eː: 'A',
    ɛ: 'ɛ',
    ɛː: ['ɛɹ', 'ɛː'],
    o: ['O', 'ɔː'],
    oː: ['O', 'ɔː'],
  },
  ...{
    ə: 'ə',
    ɪ: 'ɪ',
    ʊ: 'ʊ',
    ʌ: 'ʌ',
    ɐ: 'ɐ',
    ᵻ: ['ᵻ', 'ɪ'],
    ᵊ: 'ᵊ',
    ɪə: ['ɪɹ', 'ɪə'],
    iə: ['iə', 'ɪə'],
    eə: ['ɛɹ', 'ɛː'],
    ʊə: ['ʊɹ', 'ʊə'],
  },
  // Sounds of other languages as English speakers say them.
  ...{ r: 'ɹ', ʁ: 'ɹ', ʀ: 'ɹ', ɻ: 'ɹ', x: 'k', χ: 'k', ç: 'h', ɣ: 'ɡ', β: 'b', ɸ: 'f', ʋ: 'v', ɲ: 'nj', ʎ: 'lj', ɬ: 'l', ɫ: 'l', ɭ: 'l' },
  ...{ ʂ: 'ʃ', ɕ: 'ʃ', ʐ: 'ʒ', ʑ: 'ʒ', ʈ: 't', ɖ: 'd', ɳ: 'n', ɱ: 'm', ɦ: 'h', ħ: 'h', ʍ: 'w', ɥ: 'w', c: 'k', q: 'k', ɟ: 'ɡ', g: 'ɡ' },
  ...{ y: ['u', 'uː'], yː: ['u', 'uː'], ø: ['ɜɹ', 'ɜː'], øː: ['ɜɹ', 'ɜː'], œ: ['ɜɹ', 'ɜː'], ɨ: ['ᵻ', 'ɪ'], ʉ: ['u', 'uː'], ɯ: 'ʊ', ɤ: 'ʌ' },
  ...{ ɘ: 'ə', ɵ: 'ə', ʏ: 'ʊ' },
}
const LONGEST_SOUND = 3
const SYLLABIC = '\u0329'
/** Marks that no symbol has: ties, length of a consonant, aspiration and other diacritics, dots between syllables. */
const IGNORED = /\p{M}|[ː\u02d1ʰʲʷˠˤ\u02deʼ\u203f.-]/u

/** The symbols of a pronunciation in IPA; null for one with a sound that English does not have. */
export function symbolsOfIpa(ipa: string, isBritish: boolean): string | null {
  const words = composed(ipa.trim(), 'NFD')
    .split(/\s+/)
    .map((word) => symbolsOfWord([...word.replaceAll('\u0361', '')], isBritish))
  return words.every((word) => word !== null && word !== '') ? words.join(' ') : null
}

function symbolsOfWord(points: readonly string[], isBritish: boolean): string | null {
  const symbols: string[] = []
  let stress = ''
  for (let at = 0; at < points.length; ) {
    const sound = longestSound(points, at)
    if (sound === '') {
      const point = points[at++]!
      if (point === PRIMARY || point === SECONDARY || point === "'") stress = point === SECONDARY ? SECONDARY : PRIMARY
      else if (point === SYLLABIC) symbols.splice(-1, 0, 'ᵊ')
      else if (!IGNORED.test(point)) return null
      continue
    }
    const found = SOUNDS[sound]!
    const symbol = typeof found === 'string' ? found : found[isBritish ? 1 : 0]
    // The mark of a syllable stands before its vowel.
    symbols.push(isVowel(symbol[0]!) ? `${stress}${symbol}` : symbol)
    if (isVowel(symbol[0]!)) stress = ''
    at += [...sound].length
  }
  const whole = symbols.join('')
  // A word of one syllable is stressed without a mark.
  const vowels = symbols.filter((symbol) => isVowel(symbol.at(-1)!) || isVowel(symbol[0]!))
  return vowels.length === 1 && !/[ˈˌ]/.test(whole) ? whole.replace(vowels[0]!, `${PRIMARY}${vowels[0]}`) : whole
}

function longestSound(points: readonly string[], at: number): string {
  for (let size = LONGEST_SOUND; size > 0; size--) {
    const sound = points.slice(at, at + size).join('')
    if (at + size <= points.length && Object.hasOwn(SOUNDS, sound)) return sound
  }
  return ''
}

/** Symbols to IPA as espeak-ng writes American English, with which other voices were trained. Earlier rows come first. */
const IPA_OF: readonly (readonly [RegExp, string])[] = [
  ...([
    [/əɹ(?=[ˈˌ]?[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻᵊ])/g, 'ɚɹ'],
    [/əɹ/g, 'ɚ'],
    [/ɜɹ/g, 'ɜː'],
    [/(?<=[ˈˌ])ɔɹ/g, 'oːɹ'],
    [/ɔ(?![fsθ])/g, 'ɔː'],
  ] as const),
  ...([
    [/(?<=[ˈˌ])i(?!ə)/g, 'iː'],
    [/(?<![^\s“])([bdfhjklmnpstvwzðŋɡɹʃʒθ]{0,3})i(?=z?(?:\s|[^\p{L}ˈˌ]|$))/gu, '$1iː'],
    [/ðiː/g, 'ðɪ'],
  ] as const),
  ...([
    [/u/g, 'uː'],
    [/ɑ/g, 'ɑː'],
    [/ᵊ/g, 'ə'],
    [/T/g, 'ɾ'],
    [/ʧ/g, 'tʃ'],
    [/ʤ/g, 'dʒ'],
  ] as const),
  ...([
    [/A/g, 'eɪ'],
    [/I/g, 'aɪ'],
    [/O/g, 'oʊ'],
    [/Q/g, 'əʊ'],
    [/W/g, 'aʊ'],
    [/Y/g, 'ɔɪ'],
    [/[“”]/g, '"'],
  ] as const),
]
export const ipaOfSymbols = (symbols: string): string => IPA_OF.reduce((text, [from, to]) => text.replace(from, to), symbols)
