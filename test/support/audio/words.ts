// The word error rate of a transcript.

/** Lower case without punctuation, like the output of recognisers. */
export const plainWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z' ]+/g, ' ')
    .split(' ')
    .filter(Boolean)

/** The minimum number of inserted, removed or replaced words (edit distance). */
export function wordErrors(expected: readonly string[], actual: readonly string[]): number {
  let row = Array.from({ length: actual.length + 1 }, (_, index) => index)
  for (const [index, word] of expected.entries()) {
    const next = [index + 1]
    for (const [at, other] of actual.entries()) next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (word === other ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
