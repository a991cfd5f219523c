// Words of a text, for comparing what was said with what was recognised.

/** In lower case, without punctuation. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A character of a script without blanks, as word processors count, or a word; a very long one counts several times. */
const COUNTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}{0,8}|[\p{L}\p{N}](?:['’-]?[\p{L}\p{N}\p{M}]){0,200}/gu

/** Words as a person counts them: "don't" and "well-known" are one each. */
export function wordCountOf(text: string): number {
  let count = 0
  COUNTED.lastIndex = 0
  while (COUNTED.test(text)) count++
  return count
}

/** The share of the words of `expected` that `text` contains, from 0 to 1; each occurrence counts once. */
export function foundShare(expected: string, text: string): number {
  const wanted = wordsOf(expected)
  const left = new Map<string, number>()
  for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1)
  let found = 0
  for (const word of wanted) {
    const count = left.get(word) ?? 0
    if (count > 0) found++
    left.set(word, count - 1)
  }
  return wanted.length === 0 ? 1 : found / wanted.length
}
