// The words of a subtitle, and how well a line may end after each. Pure.
import { graphemesOf, type LineLimits, widthOf } from './width.ts'

/** `cost`: of a break after it; higher is worse. `space`: the width of the blank after it, which a break removes. */
export type DisplayWord = { readonly text: string; readonly width: number; readonly space: number; readonly cost: number }

export const BREAK_COST = { sentence: 0, clause: 2, beforeLink: 4, usual: 8, bad: 40 } as const

/** Scripts that write no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const CLOSING = /^[\p{Pe}\p{Pf}.,;:!?…%。、，．！？；：」』）】〉》〕｝”’ー々ゝゞ・]+$/u
const OPENING = /^[\p{Ps}\p{Pi}¿¡「『（【〈《〔｛“‘$€£¥#@]+$/u
const SENTENCE_END = /[.!?…。！？]["'”’»)\]」』）]{0,3}$/u
const CLAUSE_END = /[,;:–—，、；：]["'”’»)\]」』）]{0,3}$/u
const NUMBER = /^[\p{Sc}]?\p{N}[\p{N}.,]*$/u
const CAPITALISED = /^\p{Lu}[\p{Ll}\p{M}]+/u

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** A line should not end with one of these. */
const BINDS_NEXT = list(
  'the a an my your his her its our their this that these those no not never ' +
    'der die das den dem des ein eine einen einem einer kein keine nicht mein dein sein ihr unser ' +
    "le la les un une des du ce cette ces mon ma mes ton ta tes son sa ses ne n'est pas " +
    'el los las una unos unas del al mi tu su sus nuestro no nunca ' +
    'il lo gli i uno una non mio tuo suo o os as um uma uns umas não meu seu sua',
)
/** Conjunctions and prepositions: a line may well begin with one. */
const LINKS = list(
  'and or but because that which who when where while if than as of to in on at by for from with without about after before until since into ' +
    'und oder aber weil dass der wenn als wie von zu in auf an bei für aus mit ohne über nach vor bis seit ' +
    'et ou mais parce que qui quand où si comme de à dans sur par pour avec sans après avant depuis ' +
    'y o pero porque cuando donde si como de a en con sin por para sobre desde hasta ' +
    'e ma perché che quando dove se come di da con su per tra fra e mas porque quando onde se como de em com sem por para sobre até',
)

/** No word is wider than a line. A text without blanks is split into the words of a dictionary, and what is still too wide anywhere. */
export function displayWords(text: string, language: string, limits: LineLimits): DisplayWord[] {
  const parts = text
    .split(/\s+/)
    .filter((part) => part !== '')
    .flatMap((part) => piecesOf(part, language, limits))
  return parts.map(({ text, isGlued }, at) => ({
    text,
    width: widthOf(text, limits),
    space: isGlued || at === parts.length - 1 ? 0 : limits.narrow,
    cost: costAfter(text, parts[at + 1]?.text ?? null, parts[at - 1]?.text ?? null),
  }))
}

/** The words of a line with their blanks. */
export const joinWords = (words: readonly DisplayWord[]): string =>
  words
    .map(({ text, space }) => (space > 0 ? `${text} ` : text))
    .join('')
    .trimEnd()

/** Width of words on one line. */
export const lineWidth = (words: readonly DisplayWord[]): number =>
  words.reduce((sum, { width, space }) => sum + width + space, 0) - (words.at(-1)?.space ?? 0)

/** `isGlued`: no blank after it. */
type Piece = { readonly text: string; readonly isGlued: boolean }

function piecesOf(part: string, language: string, limits: LineLimits): Piece[] {
  const words = UNSPACED.test(part) ? dictionaryWords(part, language) : [part]
  const fitting = words.flatMap((word) => (widthOf(word, limits) <= limits.line ? [word] : cut(word, limits)))
  return fitting.map((text, at) => ({ text, isGlued: at < fitting.length - 1 }))
}

/** Closing marks stay with the word before, opening ones with the word after: no line begins with the former or ends with the latter. */
function dictionaryWords(part: string, language: string): string[] {
  const words: string[] = []
  let opening = ''
  for (const { segment } of segmenterOf(language).segment(part)) {
    if (OPENING.test(segment)) opening += segment
    else if (CLOSING.test(segment) && opening === '' && words.length > 0) words[words.length - 1] += segment
    else {
      words.push(opening + segment)
      opening = ''
    }
  }
  if (opening !== '') words.push(opening)
  return words
}

const segmenters = new Map<string, Intl.Segmenter>()
/** The dictionaries are chosen by script, so unknown languages are no problem. */
function segmenterOf(language: string): Intl.Segmenter {
  const known = /^[a-z]{2,3}(?=$|[-_])/i.exec(language)?.[0].toLowerCase() ?? 'und'
  const found = segmenters.get(known) ?? new Intl.Segmenter(known, { granularity: 'word' })
  segmenters.set(known, found)
  return found
}

function cut(word: string, limits: LineLimits): string[] {
  const pieces: string[] = []
  let piece: string[] = []
  let width = 0
  for (const one of graphemesOf(word)) {
    const added = widthOf(one, limits)
    if (width + added > limits.line && piece.length > 0) {
      pieces.push(piece.join(''))
      piece = []
      width = 0
    }
    piece.push(one)
    width += added
  }
  return [...pieces, piece.join('')]
}

function costAfter(word: string, next: string | null, before: string | null): number {
  if (next === null || SENTENCE_END.test(word)) return BREAK_COST.sentence
  if (CLAUSE_END.test(word)) return BREAK_COST.clause
  if (BINDS_NEXT.has(word.toLowerCase()) || NUMBER.test(word)) return BREAK_COST.bad
  // Two names in a row, but not the first word of a sentence and a name.
  const isName = before !== null && !SENTENCE_END.test(before) && CAPITALISED.test(word)
  if (isName && CAPITALISED.test(next)) return BREAK_COST.bad
  return LINKS.has(next.toLowerCase()) ? BREAK_COST.beforeLink : BREAK_COST.usual
}
