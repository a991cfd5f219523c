// Pronunciations in the International Phonetic Alphabet as phoneme input of eSpeak NG, `[[n'aIki]]`. Which mnemonics a voice knows depends on
// its language, so the program is asked once for each voice. Sources: the phoneme mnemonics in the documentation of eSpeak NG
// (docs/phonemes.md), and the IPA that version 1.51 prints for each of them. Pure but for `createEspeakPhones`.

import { mapAnnotated } from '#shared/text/pronunciation/annotation.ts'
import { composed } from '#shared/text/unicode/compose.ts'

/** Mnemonics for a sound, the closest first. A sound of several letters is preferred to its letters. */
export const MNEMONICS: Readonly<Record<string, readonly string[]>> = {
  ...{ p: ['p'], b: ['b'], t: ['t'], d: ['d'], k: ['k'], ɡ: ['g'], f: ['f'], v: ['v'], s: ['s'], z: ['z'], h: ['h'], m: ['m'], n: ['n'] },
  ...{ l: ['l'], j: ['j'], w: ['w'], x: ['x'], c: ['c', 'k'], q: ['q', 'k'], θ: ['T', 's'], ð: ['D', 'z'], ʃ: ['S', 's'], ʒ: ['Z', 'z'] },
  ...{ ŋ: ['N', 'n'], r: ['r'], ɹ: ['r'], ɾ: ['*', 'r'], ʁ: ['r'], ʀ: ['r'], ɻ: ['r'], ç: ['C', 'S'], ɣ: ['Q', 'g'], β: ['B', 'b'] },
  ...{
    ɲ: ['n^', 'n'],
    ʎ: ['l^', 'l'],
    ʔ: ['?', 't'],
    ɟ: ['J', 'g'],
    ɫ: ['L', 'l'],
    ʋ: ['v'],
    ɦ: ['h'],
    ħ: ['h'],
    ʍ: ['w'],
    ɥ: ['w'],
    ɱ: ['m'],
  },
  ...{ ɸ: ['f'], χ: ['X', 'x'], ɬ: ['l'], ʂ: ['s.', 'S'], ʐ: ['z.', 'Z'], ɕ: ['S;', 'S'], ʑ: ['Z;', 'Z'], ʈ: ['t.', 't'], ɖ: ['d.', 'd'] },
  ...{ ɳ: ['n.', 'n'], ɭ: ['l.', 'l'], tʃ: ['tS'], dʒ: ['dZ'], ʧ: ['tS'], ʤ: ['dZ'], ʦ: ['ts'], ʣ: ['dz'] },
  ...{ i: ['i', 'i:'], ɪ: ['I', 'i'], y: ['y', 'u"', 'u'], ʏ: ['Y', 'y', 'u'], ɨ: ['i"', 'I', 'i'], ʉ: ['u"', 'u'], ɯ: ['u-', 'u'] },
  ...{ ᵻ: ['I', 'i'], e: ['e', 'E'], ø: ['Y', 'W', 'e'], ɘ: ['@'], ɵ: ['8', '@'], ɤ: ['o-', 'o'], o: ['o', 'O'], ə: ['@', 'e'] },
  ...{ ɛ: ['E', 'e'], œ: ['W', 'Y', 'E'], ɜ: ['3', '@', 'e'], ɝ: ['3:', '@r', 'e'], ɚ: ['3', '@r', 'e'], ʌ: ['V', 'a'], ɔ: ['O', 'o'] },
  ...{ æ: ['a', 'E'], ɐ: ['6', '@', 'a'], a: ['a'], ɑ: ['A', 'A:', 'a'], ɒ: ['0', 'O'], ʊ: ['U', 'u'], u: ['u', 'u:'] },
  ...{
    iː: ['i:'],
    uː: ['u:'],
    ɑː: ['A:', 'a:'],
    ɔː: ['O:', 'o:'],
    ɜː: ['3:', '@:'],
    eː: ['e:'],
    oː: ['o:'],
    ɛː: ['E:'],
    yː: ['y:'],
    øː: ['Y:'],
  },
  ...{ aɪ: ['aI'], aʊ: ['aU'], eɪ: ['eI'], oʊ: ['oU'], əʊ: ['@U', 'oU'], ɔɪ: ['OI'], ɪə: ['I@'], eə: ['e@'], ʊə: ['U@'] },
  ...{ ɑ̃: ['A~'], ɛ̃: ['E~'], ɔ̃: ['O~'], œ̃: ['W~', 'E~'] },
}
const STRESS: Readonly<Record<string, string>> = { ˈ: "'", "'": "'", ˌ: ',' }
const VOWEL = /^[iɪyʏɨʉɯᵻeøɘɵɤoəɛœɜɝɚʌɔæɐaɑɒʊu]/u
/** Marks that no mnemonic has: ties, length of a consonant, aspiration and other diacritics. */
const IGNORED = /\p{M}|[ː\u02d1ʰʲʷˠˤ\u02deʼ\u203f-]/u
/** Letters and marks of a sound, the longest first. */
const SIZES = [3, 2, 1] as const

/** IPA to the mnemonic that a voice knows. */
export type EspeakPhones = ReadonlyMap<string, string>

const CANDIDATES = Object.entries(MNEMONICS).flatMap(([ipa, mnemonics]) =>
  mnemonics.map((mnemonic) => ({ ipa: composed(ipa, 'NFD'), mnemonic })),
)
/** One line of phoneme input for each candidate. */
export const ESPEAK_PROBE = CANDIDATES.map(({ mnemonic }) => `[[${mnemonic}]]`).join('\n')
const letters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length

/** `answer`: what the program prints as IPA for ESPEAK_PROBE, a line for each candidate; blank for one that the voice does not know. */
export function phonesFrom(answer: string): EspeakPhones {
  const lines = answer.split('\n')
  const phones = new Map<string, string>()
  // A diphthong that loses a part is not taken: its vowels are then two sounds.
  for (const [at, { ipa, mnemonic }] of CANDIDATES.entries())
    if (!phones.has(ipa) && letters(lines[at] ?? '') >= Math.min(letters(ipa), letters(mnemonic))) phones.set(ipa, mnemonic)
  return phones
}

/** The mnemonics of a pronunciation; null if it has a sound that the voice does not know. */
export function mnemonicsOf(ipa: string, phones: EspeakPhones): string | null {
  const words = composed(ipa.trim().replaceAll('g', 'ɡ'), 'NFD').split(/\s+/)
  const spoken = words.map((word) => wordOf([...word.replaceAll('\u0361', '')], phones))
  return spoken.every((word) => word !== null && word !== '') ? spoken.map((word) => `[[${word}]]`).join(' ') : null
}

function wordOf(points: readonly string[], phones: EspeakPhones): string | null {
  const sounds: { readonly mnemonic: string; readonly isVowel: boolean; readonly stress: string }[] = []
  let stress = ''
  for (let at = 0; at < points.length; ) {
    const point = points[at]!
    const size = SIZES.find((each) => at + each <= points.length && phones.has(points.slice(at, at + each).join('')))
    if (size !== undefined) {
      const sound = points.slice(at, at + size).join('')
      const isVowel = VOWEL.test(sound)
      sounds.push({ mnemonic: phones.get(sound)!, isVowel, stress: isVowel ? stress : '' })
      if (isVowel) stress = ''
      at += size
      continue
    }
    if (STRESS[point] !== undefined) stress = STRESS[point]
    else if (!IGNORED.test(point)) return null
    at++
  }
  // A word of one syllable is stressed without a mark.
  const only = sounds.filter(({ isVowel }) => isVowel).length === 1 ? STRESS['ˈ'] : ''
  return sounds.map(({ mnemonic, isVowel, stress: own }) => `${isVowel ? own || only : ''}${mnemonic}`).join('')
}

const MAX_NAMED = 5
/** A notice for the listener about words whose pronunciation was refused. */
export function refusedWords(words: ReadonlySet<string>): string[] {
  if (words.size === 0) return []
  const more = words.size > MAX_NAMED ? ` and ${words.size - MAX_NAMED} more` : ''
  return [
    `This voice does not know all sounds of these pronunciations, so the words are spoken as written: ${[...words].slice(0, MAX_NAMED).join(', ')}${more}.`,
  ]
}

/** `ask`: the lines that the program prints as IPA for the input with a voice. One call for each voice. */
export function createEspeakPhones(ask: (input: string, voice: string, signal?: AbortSignal) => Promise<string>) {
  const known = new Map<string, EspeakPhones>()
  const phonesOf = async (voice: string, signal?: AbortSignal): Promise<EspeakPhones> => {
    const phones = known.get(voice) ?? phonesFrom(await ask(ESPEAK_PROBE, voice, signal))
    known.set(voice, phones)
    return phones
  }
  return {
    /**
     * The text with the annotated words as phoneme input. `plain`: cleans what is not annotated. `refused` receives the words whose
     * pronunciation has a sound that the voice does not know; they are spoken as they are written.
     */
    async apply(
      text: string,
      voice: string,
      { plain, refused, signal }: { plain: (stretch: string) => string; refused: (word: string) => void; signal?: AbortSignal | undefined },
    ): Promise<string> {
      const phones = await phonesOf(voice, signal)
      return mapAnnotated(text, plain, (word, ipa) => {
        const mnemonics = mnemonicsOf(ipa, phones)
        if (mnemonics === null) refused(word)
        return mnemonics ?? plain(word)
      })
    },
  }
}
