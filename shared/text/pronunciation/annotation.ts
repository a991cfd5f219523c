// A word with its pronunciation in the International Phonetic Alphabet inside a text that is sent to an engine: anchor, word, separator, IPA,
// terminator. These are the characters of Unicode for annotations between lines. An annotation contains no blank, so a text that is cut
// between words is not cut inside it. Pure.
const [ANCHOR, SEPARATOR, END] = ['\uFFF9', '\uFFFA', '\uFFFB']
/** A blank inside an annotation. */
const BLANK = '\uFFFC'
const MARKS = /[\uFFF9-\uFFFC]/g
const ANNOTATION = /\uFFF9([^\uFFF9-\uFFFB]{1,256})\uFFFA([^\uFFF9-\uFFFB]{1,256})\uFFFB/g

/** Removes the characters of annotations from a text that is not ours. */
export const withoutMarks = (text: string): string => text.replace(MARKS, '')

/** `ipa`: at most 256 characters. Dots between syllables are left out, because a text might be cut at them. */
export function annotated(word: string, ipa: string): string {
  const joined = (text: string) => withoutMarks(text).trim().replace(/\s+/g, BLANK)
  return `${ANCHOR}${joined(word)}${SEPARATOR}${joined(ipa.replaceAll('.', ''))}${END}`
}

/** The text with `plain` in place of each stretch without annotations and `spoken` in place of each annotation. Marks of a cut annotation are removed. */
export function mapAnnotated(text: string, plain: (stretch: string) => string, spoken: (word: string, ipa: string) => string): string {
  const pieces: string[] = []
  const blanks = (part: string) => part.replaceAll(BLANK, ' ')
  let at = 0
  for (const match of text.matchAll(ANNOTATION)) {
    pieces.push(plain(withoutMarks(text.slice(at, match.index))), spoken(blanks(match[1]!), blanks(match[2]!)))
    at = match.index + match[0].length
  }
  pieces.push(plain(withoutMarks(text.slice(at))))
  return pieces.join('')
}

export const isAnnotated = (text: string): boolean => text.includes(ANCHOR)
/** The text with the written words. */
export const withoutAnnotations = (text: string): string =>
  isAnnotated(text)
    ? mapAnnotated(
        text,
        (stretch) => stretch,
        (word) => word,
      )
    : text
