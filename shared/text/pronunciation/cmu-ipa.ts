// The 39 phonemes of the CMU Pronouncing Dictionary in the International Phonetic Alphabet, for American English. Pure.
const PHONES: Readonly<Record<string, string>> = {
  ...{ AA: 'ɑː', AE: 'æ', AH: 'ʌ', AO: 'ɔː', AW: 'aʊ', AY: 'aɪ', EH: 'ɛ', ER: 'ɝ', EY: 'eɪ', IH: 'ɪ', IY: 'iː', OW: 'oʊ', OY: 'ɔɪ' },
  ...{ UH: 'ʊ', UW: 'uː' },
  ...{ B: 'b', CH: 'tʃ', D: 'd', DH: 'ð', F: 'f', G: 'ɡ', HH: 'h', JH: 'dʒ', K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ŋ', P: 'p', R: 'ɹ' },
  ...{ S: 's', SH: 'ʃ', T: 't', TH: 'θ', V: 'v', W: 'w', Y: 'j', Z: 'z', ZH: 'ʒ' },
}
/** Vowels that differ without stress: those of "sofa" and "butter". */
const UNSTRESSED: Readonly<Record<string, string>> = { AH0: 'ə', ER0: 'ɚ' }
const STRESS: Readonly<Record<string, string>> = { 1: 'ˈ', 2: 'ˌ' }

/** `symbols`: separated by blanks, as `phoneObjection` accepts them. The stress mark stands before the vowel. */
export const ipaOfCmu = (symbols: string): string =>
  symbols
    .trim()
    .toUpperCase()
    .split(/\s+/)
    .map((symbol) => UNSTRESSED[symbol] ?? `${STRESS[symbol.at(-1)!] ?? ''}${PHONES[symbol.replace(/[012]$/, '')] ?? ''}`)
    .join('')
