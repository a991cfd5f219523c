// The sound of the endings -s, -ed and -ing after a stem, and the stems that a written word may have. Pure.

/** In American English a t between these and a vowel is flapped. */
const BEFORE_FLAP = /[AIOWYiuæɑəɛɪɹʊʌ]t$/
const DOUBLED = /(?:bb|cc|dd|gg|kk|ll|mm|nn|pp|rr|ss|tt|vv|xx|zz|ck)ing$/

export type Ending = {
  /** Stems of the word in the order of preference; none if it does not have the ending. */
  readonly stems: (word: string) => string[]
  /** The phonemes of the stem with the ending. `written`: the stem in letters. */
  readonly added: (stem: string, isBritish: boolean, written: string) => string
}

export const S: Ending = {
  stems(word) {
    if (word.length < 3 || !word.endsWith('s')) return []
    return [
      ...(word.endsWith('ss') ? [] : [word.slice(0, -1)]),
      ...(word.endsWith("'s") || (word.length > 4 && word.endsWith('es') && !word.endsWith('ies')) ? [word.slice(0, -2)] : []),
      ...(word.length > 4 && word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
    ]
  },
  added(stem, isBritish) {
    if (/[ptkfθ]$/.test(stem)) return `${stem}s`
    return `${stem}${/[szʃʒʧʤ]$/.test(stem) ? (isBritish ? 'ɪ' : 'ᵻ') : ''}z`
  },
}

export const ED: Ending = {
  stems(word) {
    if (word.length < 4 || !word.endsWith('d')) return []
    return [
      ...(word.endsWith('dd') ? [] : [word.slice(0, -1)]),
      ...(word.length > 4 && word.endsWith('ed') && !word.endsWith('eed') ? [word.slice(0, -2)] : []),
    ]
  },
  added(stem, isBritish) {
    if (/[pkfθʃsʧ]$/.test(stem)) return `${stem}t`
    if (stem.endsWith('d')) return `${stem}${isBritish ? 'ɪ' : 'ᵻ'}d`
    if (!stem.endsWith('t')) return `${stem}d`
    if (isBritish || stem.length < 2) return `${stem}ɪd`
    return BEFORE_FLAP.test(stem) ? `${stem.slice(0, -1)}ɾᵻd` : `${stem}ᵻd`
  },
}

export const ING: Ending = {
  stems(word) {
    if (word.length < 5 || !word.endsWith('ing')) return []
    return [
      ...(word.length > 5 ? [word.slice(0, -3)] : []),
      `${word.slice(0, -3)}e`,
      ...(word.length > 5 && DOUBLED.test(word) ? [word.slice(0, -4)] : []),
    ]
  },
  added(stem, isBritish, written) {
    // A British r that is silent at the end of the stem is spoken before the ending.
    if (isBritish) return `${stem}${/[əː]$/.test(stem) && /re?$/.test(written) ? 'ɹ' : ''}ɪŋ`
    return BEFORE_FLAP.test(stem) ? `${stem.slice(0, -1)}ɾɪŋ` : `${stem}ɪŋ`
  },
}
