// Replaces the terms of a pronunciation dictionary in one pass from left to right. Pure; no pattern is made from user text.
import { composed } from '../unicode/compose.ts'
import { unitsOf } from './units.ts'

export type Respelling = {
  readonly term: string
  readonly replacement: string
  /** ISO 639-1, or '*' for every language. */
  readonly language: string
}
export type Dictionary = {
  /** `text`: in NFC. `applied`: the terms that were found, as they are written in the dictionary, longest first. */
  readonly apply: (text: string) => { readonly text: string; readonly applied: readonly string[] }
}
/** `capitals`: an entry that is written in capitals. */
type Node = { readonly next: Map<number, Node>; entry: Respelling | null; capitals: Respelling | null }

const node = (): Node => ({ next: new Map(), entry: null, capitals: null })
/** True for an acronym such as US, which is another word than "us". A single capital is a letter or the start of a sentence. */
const isInCapitals = (text: string): boolean => !/\p{Ll}/u.test(text) && (text.match(/\p{Lu}/gu)?.length ?? 0) > 1
/** A letter, mark or digit of a script that separates words with blanks: a term that begins or ends with one matches whole words only. */
const WORD =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}]/u
const isWord = (codePoint: number | undefined): boolean => codePoint !== undefined && WORD.test(String.fromCodePoint(codePoint))
const UNDERSCORE = '_'.codePointAt(0)
/** An underscore between two letters is part of their word, such as nginx_x; beside a blank it is emphasis. */
const isInWord = (points: readonly number[], at: number): boolean =>
  isWord(points[at]) || (points[at] === UNDERSCORE && isWord(points[at - 1]) && isWord(points[at + 1]))

/** A term in the form in which it is compared: of equal ones a dictionary has one. */
export const comparedTerm = (term: string): string => unitsOf(composed(term)).keys.join()

/**
 * The dictionary of one language (ISO 639-1, or '' if it is unknown). At each place the longest term wins; of equal terms an entry of the
 * language wins over '*', then the later one of `entries`. A term in capitals is found in capitals only, and goes before an equal one in other letters.
 */
export function createDictionary(entries: readonly Respelling[], language: string): Dictionary {
  const root = node()
  for (const entry of entries) {
    if (entry.language !== '*' && entry.language !== language) continue
    let at = root
    for (const key of unitsOf(composed(entry.term)).keys) {
      const next = at.next.get(key) ?? node()
      at.next.set(key, next)
      at = next
    }
    const place = isInCapitals(entry.term) ? 'capitals' : 'entry'
    const earlier = at[place]
    if (at !== root && !(entry.language === '*' && earlier !== null && earlier.language !== '*')) at[place] = entry
  }

  /** The longest term at `from` and its end; null if none is there. */
  function longest(
    points: readonly number[],
    from: number,
    written: (end: number) => string,
  ): { readonly entry: Respelling; readonly end: number } | null {
    let found: { readonly entry: Respelling; readonly end: number } | null = null
    let at: Node | undefined = root
    for (let end = from; at && end < points.length; ) {
      at = at.next.get(points[end]!)
      end++
      if (!at || (isWord(points[end - 1]) && isInWord(points, end))) continue
      const entry: Respelling | null = at.capitals && isInCapitals(written(end)) ? at.capitals : at.entry
      if (entry) found = { entry, end }
    }
    return found
  }

  return {
    apply(text) {
      if (root.next.size === 0) return { text, applied: [] }
      const { keys, starts } = unitsOf(text)
      const applied = new Set<string>()
      const pieces: string[] = []
      let copied = 0
      let wasWord = false
      for (let from = 0; from < keys.length; ) {
        const isInside = wasWord && root.next.has(keys[from]!) && isWord(keys[from])
        const match = isInside ? null : longest(keys, from, (end) => text.slice(starts[from], starts[end]))
        if (match) {
          pieces.push(text.slice(copied, starts[from]), match.entry.replacement)
          applied.add(match.entry.term)
          copied = starts[match.end]!
        }
        from = match?.end ?? from + 1
        wasWord = isInWord(keys, from - 1)
      }
      pieces.push(text.slice(copied))
      return { text: pieces.join(''), applied: [...applied].sort((a, b) => b.length - a.length) }
    },
  }
}
