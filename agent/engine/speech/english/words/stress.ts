// Stress marks in the alphabet of Kokoro. A mark stands before the vowel. Pure.

export const PRIMARY = 'ˈ'
export const SECONDARY = 'ˌ'
const VOWEL = /[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ]/
const LONG = /[AIOQWYʤʧ]/
/** Levels of stress: none, weaker, weaker only where it is primary, at least secondary, at least primary where there is a mark, primary. */
export type Stress = -2 | -1 | -0.5 | 0 | 0.5 | 1 | 2

export const isVowel = (symbol: string): boolean => VOWEL.test(symbol)
export const isStressed = (phonemes: string): boolean => phonemes.includes(PRIMARY)

/** The phonemes with more or less stress; null leaves them as they are. */
export function withStress(phonemes: string, stress: Stress | null): string {
  if (stress === null) return phonemes
  const [hasPrimary, hasSecondary] = [phonemes.includes(PRIMARY), phonemes.includes(SECONDARY)]
  if (stress < -1) return unstressed(phonemes)
  if (stress === -1 || (stress <= 0 && hasPrimary)) return phonemes.replaceAll(SECONDARY, '').replaceAll(PRIMARY, SECONDARY)
  if (stress < 0 || hasPrimary) return phonemes
  if (hasSecondary) return stress >= 1 ? phonemes.replaceAll(SECONDARY, PRIMARY) : phonemes
  return phonemes.replace(VOWEL, `${stress > 1 ? PRIMARY : SECONDARY}$&`)
}

export const unstressed = (phonemes: string): string => phonemes.replaceAll(PRIMARY, '').replaceAll(SECONDARY, '')

/** Length of a word: symbols, those of two sounds twice. */
export const weightOfPhonemes = (phonemes: string): number => [...phonemes].reduce((sum, symbol) => sum + (LONG.test(symbol) ? 2 : 1), 0)
