// Checks of pronunciations in phonetic alphabets. Source of the CMU symbols: the 39 phonemes of the CMU Pronouncing Dictionary.

const VOWELS = ['AA', 'AE', 'AH', 'AO', 'AW', 'AY', 'EH', 'ER', 'EY', 'IH', 'IY', 'OW', 'OY', 'UH', 'UW']
const CONSONANTS = [
  ...['B', 'CH', 'D', 'DH', 'F', 'G', 'HH', 'JH', 'K', 'L', 'M', 'N', 'NG', 'P', 'R', 'S', 'SH', 'T', 'TH', 'V', 'W', 'Y', 'Z', 'ZH'],
]
const CMU: ReadonlySet<string> = new Set([...VOWELS.flatMap((vowel) => [vowel, `${vowel}0`, `${vowel}1`, `${vowel}2`]), ...CONSONANTS])
const NOT_IPA = /[[\]{}()|/\\\p{Cc}\p{Cf}]/u

/** Reason to reject a replacement in this alphabet, as the end of a sentence; null if it is a pronunciation. */
export function phoneObjection(alphabet: 'ipa' | 'cmu', replacement: string): string | null {
  const text = replacement.trim()
  if (text === '') return 'needs a replacement'
  if (alphabet === 'ipa') return NOT_IPA.test(text) ? 'must not contain brackets, bars, slashes or control characters' : null
  const unknown = text.split(/\s+/).find((token) => !CMU.has(token.toUpperCase()))
  return unknown === undefined ? null : `contains ${JSON.stringify(unknown.slice(0, 16))}, which is no ARPABET symbol such as AH0 or K`
}
