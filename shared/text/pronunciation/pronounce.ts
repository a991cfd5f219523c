// The words that are sent to an engine: inline pronunciations first, then the dictionary. Neither reads the output of the other.
import { annotated, withoutMarks } from './annotation.ts'
import type { Dictionary } from './dictionary.ts'
import { phoneObjection } from './phones.ts'

/** `[[text]]`, `[[word|pronunciation]]` or `[[word|/IPA/]]`, or a tag such as `[pause 500ms]` or `[laughter]`, which the dictionary must not change. */
const PROTECTED = /\[\[([^[\]|]{1,256})(?:\|([^[\]|]{1,256}))?\]\]|\[[^[\]]{1,64}\]/g

/** A pronunciation in IPA, in the second half of an inline pronunciation. */
const IPA = /^\/([^/]{1,254})\/$/

export type Pronounced = {
  readonly text: string
  /** Terms of the dictionary, longest first. */
  readonly applied: readonly string[]
  /** Words with an inline pronunciation in IPA that the alphabet does not take, so that they stay as they are written. */
  readonly unspoken: readonly string[]
}

/** True if a text may have an inline pronunciation in IPA. */
export const hasInlineIpa = (text: string): boolean => text.includes('|/')

/** `given`: in NFC. `dictionary`: null applies inline pronunciations only. `alphabet`: the phonetic one that the engine takes within a text. */
export function pronounce(given: string, dictionary: Dictionary | null, alphabet: 'ipa' | 'cmu' | null = null): Pronounced {
  const text = withoutMarks(given)
  const pieces: string[] = []
  const applied = new Set<string>()
  const unspoken = new Set<string>()
  const inline = (word: string, said: string | undefined): string => {
    const ipa = IPA.exec(said ?? '')?.[1]
    if (ipa === undefined || word.trim() === '' || phoneObjection('ipa', ipa) !== null) return said ?? word
    if (alphabet === 'ipa') return annotated(word, ipa)
    unspoken.add(word)
    return word
  }
  const say = (stretch: string) => {
    const result = dictionary?.apply(stretch)
    for (const term of result?.applied ?? []) applied.add(term)
    pieces.push(result?.text ?? stretch)
  }
  let at = 0
  for (const match of text.matchAll(PROTECTED)) {
    say(text.slice(at, match.index))
    pieces.push(match[1] === undefined ? match[0] : inline(match[1], match[2]))
    at = match.index + match[0].length
  }
  say(text.slice(at))
  return { text: pieces.join(''), applied: [...applied].sort((a, b) => b.length - a.length), unspoken: [...unspoken] }
}
