// Converts words to tokens of a letter network, and token times back to word times. Pure.
import { composed } from '#shared/text/unicode/compose.ts'
import { type AlignedSpan, WILDCARD } from './trellis.ts'

export type AlignedWord = { readonly start: number; readonly end: number; readonly word: string }
/** Ids of letters. `delimiter`: the token between words; null when the network has none. */
export type Letters = { readonly ids: ReadonlyMap<string, number>; readonly blank: number; readonly delimiter: number | null }
export type Spelling = { readonly words: readonly string[]; readonly tokens: readonly number[]; readonly owner: readonly number[] }

/** Parses vocab.json of a wav2vec2 network; null when it is not valid. */
export function parseLetters(vocabulary: unknown): Letters | null {
  if (typeof vocabulary !== 'object' || vocabulary === null) return null
  const entries = Object.entries(vocabulary).filter((entry): entry is [string, number] => Number.isInteger(entry[1]) && entry[1] >= 0)
  const ids = new Map(entries)
  const blank = ids.get('<pad>') ?? ids.get('[PAD]')
  if (blank === undefined) return null
  return { ids: new Map(entries.filter(([letter]) => [...letter].length === 1)), blank, delimiter: ids.get('|') ?? null }
}

const plain = (letter: string): string => composed(letter, 'NFD').replace(/\p{M}/gu, '')
const idOf = ({ ids, delimiter }: Letters, letter: string): number | undefined => {
  for (const variant of [letter, letter.toLowerCase(), letter.toUpperCase(), plain(letter).toLowerCase(), plain(letter).toUpperCase()]) {
    const id = ids.get(variant)
    if (id !== undefined && id !== delimiter) return id
  }
  return undefined
}

/** Characters that are spoken even where the network has no letter for them, such as digits. Punctuation is not. */
const SPOKEN = /[\p{L}\p{N}\p{Sc}%&+=@]/u

/** Spoken characters without a letter are one wildcard, others are left out. `owner`: index of the word of each token, -1 for a delimiter. */
export function spellWords(text: string, letters: Letters): Spelling {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  const tokens: number[] = []
  const owner: number[] = []
  for (const [index, word] of words.entries()) {
    const ids = [...composed(word)]
      .flatMap((letter) => idOf(letters, letter) ?? (SPOKEN.test(letter) ? WILDCARD : []))
      .filter((id, at, all) => id !== WILDCARD || all[at - 1] !== WILDCARD)
    if (ids.length > 0 && tokens.length > 0 && letters.delimiter !== null) {
      tokens.push(letters.delimiter)
      owner.push(-1)
    }
    tokens.push(...ids)
    owner.push(...ids.map(() => index))
  }
  return { words, tokens, owner }
}

/** Words without a spoken character share the gap between their neighbours. All times are within `from` and `to`, in seconds. */
export function timedWords(
  { words, owner }: Spelling,
  spans: readonly AlignedSpan[],
  frameSeconds: number,
  from: number,
  to: number,
): AlignedWord[] {
  const clamp = (seconds: number) => Math.min(to, Math.max(from, seconds))
  const found = words.map((_, index) => {
    const own = spans.filter((_span, at) => owner[at] === index)
    return own.length === 0
      ? null
      : { start: clamp(from + own[0]!.start * frameSeconds), end: clamp(from + own.at(-1)!.end * frameSeconds) }
  })
  return words.map((word, index) => {
    const own = found[index]
    if (own) return { ...own, word }
    const first = found.findLastIndex((one, at) => at < index && one !== null) + 1
    const after = found.findIndex((one, at) => at > index && one !== null)
    const last = after < 0 ? words.length : after
    const start = first === 0 ? from : found[first - 1]!.end
    const end = Math.max(start, after < 0 ? to : found[after]!.start)
    const share = (end - start) / (last - first)
    return { start: start + share * (index - first), end: start + share * (index - first + 1), word }
  })
}
