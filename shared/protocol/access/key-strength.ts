// Estimates how many guesses a secret text needs. People make up words, dates and rows of the keyboard, and a guesser begins with these.

/** The most common pairs of letters: three quarters of all pairs in words, and a seventh of those in random text. */
const PAIRS: ReadonlySet<string> = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma ' +
    'si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts'
  ).split(' '),
)
const PAIR_BITS = 1.5
/** Repeats, and steps of the alphabet, of the digits and of the keyboard. */
const STEP_BITS = 1
const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertz', 'azerty'],
  ...['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm'],
]
const STEPS: ReadonlySet<string> = new Set(
  ROWS.flatMap((row) => [...row].slice(1).flatMap((next, at) => [`${row[at]}${next}`, `${next}${row[at]}`])),
)
/** The place and the length of a part that occurred before. */
const COPY_BITS = 6
const MIN_COPY = 3
const YEAR = /(?:19|20)\d\d/y
const YEAR_BITS = 5
/** Bits of a character that nothing before it foretells; people use few signs. */
const CLASSES: readonly (readonly [pattern: RegExp, bits: number])[] = [
  [/[0-9]/, Math.log2(10)],
  [/[a-zA-Z]/, Math.log2(26)],
  [/[-_.!@#$]/, 2],
  [/./, 5],
]
const MIN_BITS = 48

/** True if a person probably made the text up. Of keys of 20 random hexadecimal digits 1 in 300 is taken for such a text, of 32 none. */
export const isWeak = (text: string): boolean => guessBits(text) < MIN_BITS

/** The estimated number of guesses, as a power of two. Takes quadratic time: keys have at most 512 characters. */
export function guessBits(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; ) {
    const [length, cost] = partAt(text, at)
    bits += cost
    at += length
  }
  return bits
}

/** The characters from here on that cost these bits together. */
function partAt(text: string, at: number): readonly [length: number, bits: number] {
  const copied = copiedAt(text, at)
  if (copied >= MIN_COPY) return [copied, COPY_BITS]
  YEAR.lastIndex = at
  if (YEAR.test(text)) return [4, YEAR_BITS]
  const pair = text.slice(Math.max(0, at - 1), at + 1).toLowerCase()
  if (pair.length === 2 && (pair[0] === pair[1] || STEPS.has(pair))) return [1, STEP_BITS]
  if (PAIRS.has(pair)) return [1, PAIR_BITS]
  return [1, CLASSES.find(([pattern]) => pattern.test(text[at]!))?.[1] ?? 0]
}

/** Number of characters from here on that occurred before. */
function copiedAt(text: string, at: number): number {
  const earlier = text.slice(0, at)
  let length = 0
  while (at + length < text.length && earlier.includes(text.slice(at, at + length + 1))) length++
  return length
}
