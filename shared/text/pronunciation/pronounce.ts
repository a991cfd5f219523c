// The words that are sent to an engine: inline pronunciations first, then the dictionary. Neither reads the output of the other.
import { withoutMarks } from './annotation.ts'
import type { Dictionary } from './dictionary.ts'

/** `[[text]]` or `[[word|pronunciation]]`, or a tag such as `[pause 500ms]` or `[laughter]`, which the dictionary must not change. */
const PROTECTED = /\[\[([^[\]|]{1,256})(?:\|([^[\]|]{1,256}))?\]\]|\[[^[\]]{1,64}\]/g

export type Pronounced = { readonly text: string /** Terms of the dictionary, longest first. */; readonly applied: readonly string[] }

/** `given`: in NFC. `dictionary`: null applies inline pronunciations only. */
export function pronounce(given: string, dictionary: Dictionary | null): Pronounced {
  const text = withoutMarks(given)
  const pieces: string[] = []
  const applied = new Set<string>()
  const say = (stretch: string) => {
    const result = dictionary?.apply(stretch)
    for (const term of result?.applied ?? []) applied.add(term)
    pieces.push(result?.text ?? stretch)
  }
  let at = 0
  for (const match of text.matchAll(PROTECTED)) {
    say(text.slice(at, match.index))
    pieces.push(match[2] ?? match[1] ?? match[0])
    at = match.index + match[0].length
  }
  say(text.slice(at))
  return { text: pieces.join(''), applied: [...applied].sort((a, b) => b.length - a.length) }
}
