// The result of a reader of one format, and the lines of its text. Pure.

import type { SubtitleCue } from './cue.ts'

/** Cues in the order of the file. */
export type RawSubtitles = {
  readonly cues: readonly SubtitleCue[]
  /** Cues whose times are unreadable or not in order, and cues without text. */
  readonly skipped: number
  /** The file has times inside of cues, which only running captions need. */
  readonly hasWordTimes: boolean
  /** Sentences about what was assumed or left out. */
  readonly notices: readonly string[]
}

/** Ends of lines of any system, also those that a program has converted twice, such as `\r\r\n`. */
export const subtitleLines = (text: string): string[] => {
  const lines = text.split('\n')
  return text.includes('\r') ? lines.flatMap((line) => (line.includes('\r') ? withoutReturns(line).split('\r') : line)) : lines
}
function withoutReturns(line: string): string {
  let end = line.length
  while (line[end - 1] === '\r') end--
  return line.slice(0, end)
}

/** A cue whose end the file does not name lasts until the next one, and at most as long as a line is read. */
const LONGEST_OPEN_US = 8e6
/** The cues with their ends. `endUs` null: open. In the order of the start. */
export function closed(cues: readonly (Omit<SubtitleCue, 'endUs'> & { readonly endUs: number | null })[]): SubtitleCue[] {
  const inOrder = cues.toSorted((left, right) => left.startUs - right.startUs)
  let next = Number.POSITIVE_INFINITY
  return inOrder
    .toReversed()
    .map((cue, at, all) => {
      const after = all[at - 1]
      if (after && after.startUs > cue.startUs) next = after.startUs
      return { ...cue, endUs: cue.endUs ?? Math.min(next, cue.startUs + LONGEST_OPEN_US) }
    })
    .toReversed()
}
