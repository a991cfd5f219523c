// Cuts a text that is too long for one pass: after punctuation, never inside an abbreviation, as few chunks as fit. Pure.
// Lengths are in characters as people count them (code points), because the limit comes from a frames-per-character estimate.

const ENDS = new Set('.,;:!?。，；：！？')
const CLOSING = new Set('"\'“”‘’）]》>」】')
const ABBREVIATIONS = new Set(
  (
    'Mr. Mrs. Ms. Dr. Prof. Sr. Jr. Rev. Fr. Hon. Pres. Gov. Capt. Gen. Sen. Rep. Col. Maj. Lt. Cmdr. Sgt. Cpl. Co. Corp. Inc. Ltd. Est. ' +
    'Dept. St. Ave. Blvd. Rd. Mt. Ft. No. Jan. Feb. Mar. Apr. Aug. Sep. Sept. Oct. Nov. Dec. i.e. e.g. vs. Vs. Etc. approx. fig. def.'
  ).split(' '),
)
/** A chunk of one or two characters would be spoken alone, and badly. */
const SHORTEST = 3

/** Non-empty chunks in order, trimmed, each at most `longest` characters unless one clause alone is longer. No character but blanks is lost. */
export function toChunks(text: string, longest: number): string[] {
  const chunks: string[][] = []
  for (const clause of toClauses(text)) {
    const last = chunks.at(-1)
    if (last && last.length + clause.length <= longest) last.push(...clause)
    else chunks.push(clause)
  }
  const whole: string[][] = []
  for (const chunk of chunks) {
    const last = whole.at(-1)
    // The first chunk has nothing before it to lean on, so a short one waits for its successor.
    if (last && (chunk.length < SHORTEST || (whole.length === 1 && last.length < SHORTEST))) last.push(...chunk)
    else whole.push(chunk)
  }
  return whole.map((chunk) => chunk.join('').trim()).filter((chunk) => chunk !== '')
}

/** For text without punctuation: pieces of at most `longest` characters, cut at blanks where there are any. */
export function cutHard(text: string, longest: number): string[] {
  const pieces: string[] = []
  let rest = Array.from(text)
  while (rest.length > longest) {
    const blank = rest.slice(0, longest + 1).lastIndexOf(' ')
    const at = blank > 0 ? blank : longest
    pieces.push(rest.slice(0, at).join('').trim())
    rest = rest.slice(at)
  }
  return [...pieces, rest.join('').trim()].filter((piece) => piece !== '')
}

function toClauses(text: string): string[][] {
  const clauses: string[][] = []
  let current: string[] = []
  for (const char of text) {
    const isFollower = current.length === 0 && clauses.length > 0 && (ENDS.has(char) || CLOSING.has(char))
    if (isFollower) clauses.at(-1)!.push(char)
    else current.push(char)
    if (isFollower || !ENDS.has(char) || (char === '.' && isAbbreviation(current))) continue
    clauses.push(current)
    current = []
  }
  return current.length > 0 ? [...clauses, current] : clauses
}

const isAbbreviation = (clause: readonly string[]): boolean =>
  ABBREVIATIONS.has(clause.slice(-12).join('').trimEnd().split(/\s+/).at(-1) ?? '')

/** How many characters of this text fill `seconds`, given the frames that the whole of it takes. */
export const charactersFor = (seconds: number, framesPerSecond: number, characters: number, frames: number): number =>
  Math.max(1, Math.floor((seconds * framesPerSecond * characters) / frames))
