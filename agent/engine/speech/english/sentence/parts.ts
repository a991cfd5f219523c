// Groups the tokens of a sentence into words: what stands together without a blank is one group, whose parts end at changes of case, hyphens
// and apostrophes. Marks stand alone and have their sound. Pure.

import { isWebAddress, type Token } from './tokens.ts'

export type WordPart = { readonly text: string; readonly tag: string }
export type Group =
  | { readonly kind: 'parts'; readonly parts: readonly WordPart[]; readonly isSpaced: boolean }
  /** A mark, or a word whose phonemes came with the text. */
  | { readonly kind: 'said'; readonly phonemes: string; readonly isSpaced: boolean }

/** Marks that the voices were trained with. */
const SPOKEN_MARKS = /[^;:,.!?—…"“”]/g
const MARK_TAGS: ReadonlySet<string> = new Set(['.', ',', '-LRB-', '-RRB-', '``', '""', "''", ':', '$', '#', 'NFP'])
const QUOTES = /^["'“”‘’«»„‚`´]+$/
const DASH = /^(?:-{1,3}|–|——)$/
const SINGLE = /^['‘’‚`´]$/
const WORD = /[\p{L}\p{N}]/u
/** A run of letters with apostrophes inside, of digits, of hyphens, of apostrophes, or one other sign. */
const RUN = /\p{L}+(?:['‘’]\p{L}+)*|\d+(?:[.,]\d+)*|[-_]+|['‘’]+|[^\s'‘’]/gu
const APOSTROPHES = /^['‘’]/

/** Words that begin a new sentence after an abbreviation. */
const BEGINS =
  /^(?:A|After|And|As|At|Both|But|For|He|Her|His|How|I|If|In|It|Its|My|No|Not|Now|On|Or|Our|She|So|That|The|Their|Then|There|These|They|This|Those|To|We|What|When|Where|Who|Why|Yes|You|Your)$/
const endsSentence = (text: string, next: Token | undefined): boolean =>
  text.length > 1 && text.endsWith('.') && (next === undefined || BEGINS.test(next.text))
/** Words for the signs of an address; the others are silent. */
const ADDRESS_SIGNS: Readonly<Record<string, string>> = { '.': 'dot', '/': 'slash', '@': 'at', '-': 'dash', _: 'underscore', '=': 'equals' }
const ADDRESS_RUN = /\p{L}+|\d+|:\/\/|\S/gu

/** `tags`: one for each token. */
export function toGroups(tokens: readonly Token[], tags: readonly string[]): Group[] {
  const groups: Group[] = []
  const quotes = { isOpen: false }
  let open: { readonly kind: 'parts'; readonly parts: WordPart[]; isSpaced: boolean } | null = null
  for (const [at, token] of tokens.entries()) {
    const { text, isSpaced } = token
    const before = tokens[at - 1]
    const mark = token.phonemes ?? markOf(text, tags[at]!, before === undefined || before.isSpaced, quotes)
    if (mark !== null) {
      groups.push({ kind: 'said', phonemes: mark, isSpaced })
      open = null
      continue
    }
    if (isWebAddress(text)) {
      const words = (text.match(ADDRESS_RUN) ?? []).map((run) => ADDRESS_SIGNS[run] ?? run).filter((run) => /[\p{L}\d]/u.test(run))
      for (const [index, word] of words.entries())
        groups.push({ kind: 'parts', parts: [{ text: word, tag: 'ADD' }], isSpaced: isSpaced || index < words.length - 1 })
      open = null
      continue
    }
    if (open === null) {
      open = { kind: 'parts', parts: [], isSpaced }
      groups.push(open)
    }
    open.parts.push(...wordParts(text).map((part) => ({ text: part, tag: tags[at]! })))
    open.isSpaced = isSpaced
    if (endsSentence(text, tokens[at + 1])) {
      open.isSpaced = false
      groups.push({ kind: 'said', phonemes: '.', isSpaced })
      open = null
    } else if (isSpaced) open = null
  }
  return groups
}

/** The sound of a mark; '' for one without. Null: not a mark. */
function markOf(text: string, tag: string, isAtStart: boolean, quotes: { isOpen: boolean }): string | null {
  if (QUOTES.test(text) && (MARK_TAGS.has(tag) || !SINGLE.test(text) || isAtStart || quotes.isOpen))
    return quotationMark(text, isAtStart, quotes)
  if (/^[([{]$/.test(text)) return '('
  if (/^[)\]}]$/.test(text)) return ')'
  if (tag === ':' && DASH.test(text)) return '—'
  if (!MARK_TAGS.has(tag) || WORD.test(text)) return null
  return text.replace(SPOKEN_MARKS, '')
}

/** An apostrophe closes only what a single quotation mark opened. */
function quotationMark(text: string, isAtStart: boolean, quotes: { isOpen: boolean }): string {
  if (!SINGLE.test(text)) return isAtStart ? '“' : '”'
  if (isAtStart || quotes.isOpen) {
    quotes.isOpen = isAtStart
    return isAtStart ? '“' : '”'
  }
  return ''
}

/** "fooBar" has two parts, and so has "ABar". */
export const wordParts = (text: string): string[] =>
  runsOf(text).flatMap((run) => run.split(/(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])|(?<=^[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])/))

/** One apostrophe inside, beside something else than letters, is no part. */
function runsOf(text: string): string[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    const isEnd = index === 0 || index + run.length === text.length
    return APOSTROPHES.test(run) && run.length === 1 && !isEnd ? [] : [run]
  })
}
