// How far what was heard is from what was said.

/** Lower case without punctuation, as recognisers spell. */
export const plainWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z' ]+/g, ' ')
    .split(' ')
    .filter(Boolean)

/** Words put in, left out or exchanged; the least number of each way to read it. */
export function wordErrors(said: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [index, word] of said.entries()) {
    const next = [index + 1]
    for (const [at, other] of heard.entries()) next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (word === other ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
