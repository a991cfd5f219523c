// Converts the IPA of espeak-ng to the symbols that Kokoro was trained with: one letter for an affricate or a diphthong. The IPA has a tie
// within such a sound, so "ch" (t^ʃ) differs from "t" before "sh" (tʃ). Pure.

export type SymbolTable = Readonly<Record<string, number>>

/** The mark that espeak-ng puts within one sound. */
export const TIE = '^'

type Replacements = readonly (readonly [string, string])[]

/** Sounds that languages share, with the symbols of the model. */
const MERGED: Replacements = [
  ['a^ɪ', 'I'],
  ['a^ʊ', 'W'],
  ['d^z', 'ʣ'],
  ['d^ʒ', 'ʤ'],
  ['e^ɪ', 'A'],
  ['o^ʊ', 'O'],
  ['ə^ʊ', 'Q'],
  ['s^s', 'S'],
  ['t^s', 'ʦ'],
  ['t^ʃ', 'ʧ'],
  ['ɔ^ɪ', 'Y'],
]
const ENGLISH: Replacements = [
  ['ʔˌn\u0329', 'tn'],
  ['ʔn\u0329', 'tn'],
  ['ʔ', 't'],
  ['ɾ', 'T'],
  ['ə^l', 'ᵊl'],
  ['ʲo', 'jo'],
  ['ʲə', 'jə'],
  ['ʲ', ''],
  // The program has already written the r that links to a vowel.
  ['ɚɹ', 'əɹ'],
  ['ɚ', 'əɹ'],
  ['r', 'ɹ'],
  ['x', 'k'],
  ['ç', 'k'],
  ['ɐ', 'ə'],
  ['ɬ', 'l'],
  ['\u0303', ''],
]
const BRITISH: Replacements = [
  ['e^ə', 'ɛː'],
  ['i^ə', 'ɪə'],
  ['iə', 'ɪə'],
]
const AMERICAN: Replacements = [
  ['ɜːɹ', 'ɜɹ'],
  ['ɜː', 'ɜɹ'],
  ['ɪə', 'iə'],
  ['ː', ''],
  ['ɹɹ', 'ɹ'],
]
/** Applied after the diphthongs that contain these vowels. */
const PLAIN_VOWELS: Replacements = [
  ['e', 'A'],
  ['o', 'ɔ'],
]
/** Marks that the model does not have: the full stop of Hindi and quotation marks become those that it has. */
const MARKS: Replacements = [
  ['।', '.'],
  ['॥', '.'],
  ['«', '“'],
  ['»', '”'],
]
/** Opening Spanish marks. One that follows a mark or a word without a blank keeps the words apart. */
const OPENING = /(?<=[^\s("“¡¿])[¡¿](?=\S)/g

// What espeak-ng gets wrong where words meet: it drops the blank before "hundred", adds one before a possessive s, and keeps the t of
// "ninety" in American English.
const ENGLISH_REPAIRS: readonly (readonly [RegExp, string])[] = [
  [/kəkˈoːɹo(\^?)ʊ/g, 'kˈo$1ʊkəɹo$1ʊ'],
  [/kəkˈɔːɹə(\^?)ʊ/g, 'kˈə$1ʊkəɹə$1ʊ'],
  [/ʲ/g, 'j'],
  [/r/g, 'ɹ'],
  [/x/g, 'k'],
  [/ɬ/g, 'l'],
  [/(?<=[a-zɹː])(?=hˈʌndɹɪd)/g, ' '],
  [/jˈɛh(?=[;:,.!?…"“” ]|$)/g, 'jˈɛə'],
  [/ z(?=[;:,.!?¡¿—…"«»“” ]|$)/g, 'z'],
]
const AMERICAN_REPAIRS: readonly (readonly [RegExp, string])[] = [[/(?<=nˈa\^?ɪn)ti(?!ː)/g, 'di']]

const replaced = (text: string, ...tables: readonly Replacements[]): string =>
  tables.flat().reduce((current, [from, to]) => current.replaceAll(from, to), text)

/** English IPA with or without ties, with the flaws of espeak-ng repaired. `espeakVoice`: en-us, or a British one. */
export const repairEnglish = (ipa: string, espeakVoice: string): string =>
  [...ENGLISH_REPAIRS, ...(espeakVoice === 'en-us' ? AMERICAN_REPAIRS : [])].reduce((text, [from, to]) => text.replace(from, to), ipa)

/** `ipa` has ties. `espeakVoice` is the voice of espeak-ng that produced it. */
export function toKokoroSymbols(ipa: string, espeakVoice: string): string {
  const isEnglish = espeakVoice.startsWith('en')
  const variety = espeakVoice === 'en-us' ? AMERICAN : BRITISH
  const symbols = isEnglish
    ? replaced(repairEnglish(ipa, espeakVoice), ENGLISH, MERGED, variety, PLAIN_VOWELS)
        .replace(/(\S)\u0329/g, 'ᵊ$1')
        .replaceAll('\u0329', '')
    : replaced(ipa, MERGED)
  return replaced(symbols, MARKS)
    .replace(OPENING, ' ')
    .replace(/[¡¿]/g, '')
    .replace(/\u0361|\u200d|[_^-]/g, '')
    .trim()
}

/** One id per symbol. Unknown symbols are skipped and counted in `dropped`. */
export function toKokoroIds(symbols: string, table: SymbolTable): { ids: number[]; dropped: number } {
  const ids: number[] = []
  let dropped = 0
  for (const symbol of symbols) {
    const id = Object.hasOwn(table, symbol) ? table[symbol] : undefined
    if (id === undefined) dropped++
    else ids.push(id)
  }
  return { ids, dropped }
}
