// Cuts a text that is too long for one pass: after punctuation, never within an abbreviation, into as few chunks as possible. Pure.
// Lengths are in code points, because the limit comes from an estimate of frames per character.

const CLAUSE_ENDS = new Set('.,;:!?。，；：！？')
const CLOSING_MARKS = new Set('"\'“”‘’）]》>」】')
const ABBREVIATIONS = new Set(
  (
    'Mr. Mrs. Ms. Dr. Prof. Sr. Jr. Rev. Fr. Hon. Pres. Gov. Capt. Gen. Sen. Rep. Col. Maj. Lt. Cmdr. Sgt. Cpl. Co. Corp. Inc. Ltd. Est. ' +
    'Dept. St. Ave. Blvd. Rd. Mt. Ft. No. Jan. Feb. Mar. Apr. Aug. Sep. Sept. Oct. Nov. Dec. i.e. e.g. vs. Vs. Etc. approx. fig. def.'
  ).split(' '),
)
/** Shorter chunks are merged: the model speaks one or two characters badly. */
const MIN_CHARACTERS = 3

/** Non-empty chunks in order, trimmed, of at most `maxCharacters` unless one clause is longer. Only blanks are lost. */
export function toChunks(text: string, maxCharacters: number): string[] {
  const chunks: string[][] = []
  for (const clause of toClauses(text)) {
    const last = chunks.at(-1)
    if (last && last.length + clause.length <= maxCharacters) last.push(...clause)
    else chunks.push(clause)
  }
  const merged: string[][] = []
  for (const chunk of chunks) {
    const last = merged.at(-1)
    // A short first chunk has no predecessor and is merged with its successor.
    if (last && (chunk.length < MIN_CHARACTERS || (merged.length === 1 && last.length < MIN_CHARACTERS))) last.push(...chunk)
    else merged.push(chunk)
  }
  return merged.map((chunk) => chunk.join('').trim()).filter((chunk) => chunk !== '')
}

/** Cuts text without punctuation into pieces of at most `maxCharacters`, at blanks if possible. */
export function cutHard(text: string, maxCharacters: number): string[] {
  const pieces: string[] = []
  const characters = Array.from(text)
  let from = 0
  while (characters.length - from > maxCharacters) {
    const blank = characters.slice(from, from + maxCharacters + 1).lastIndexOf(' ')
    const length = blank > 0 ? blank : maxCharacters
    pieces.push(
      characters
        .slice(from, from + length)
        .join('')
        .trim(),
    )
    from += length
  }
  return [...pieces, characters.slice(from).join('').trim()].filter((piece) => piece !== '')
}

function toClauses(text: string): string[][] {
  const clauses: string[][] = []
  let current: string[] = []
  for (const char of text) {
    const isFollower = current.length === 0 && clauses.length > 0 && (CLAUSE_ENDS.has(char) || CLOSING_MARKS.has(char))
    if (isFollower) clauses.at(-1)!.push(char)
    else current.push(char)
    if (isFollower || !CLAUSE_ENDS.has(char) || (char === '.' && isAbbreviation(current))) continue
    clauses.push(current)
    current = []
  }
  return current.length > 0 ? [...clauses, current] : clauses
}

const isAbbreviation = (clause: readonly string[]): boolean =>
  ABBREVIATIONS.has(clause.slice(-12).join('').trimEnd().split(/\s+/).at(-1) ?? '')

/** Number of characters that fill `seconds`, given that `characters` take `frames`. */
export const charactersFor = (seconds: number, framesPerSecond: number, characters: number, frames: number): number =>
  Math.max(1, Math.floor((seconds * framesPerSecond * characters) / frames))
