// Joins fragments of sentences and removes repetitions from the lines of a dub. Pure.

import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'

/** A longer pause separates two lines, even within a sentence. */
const MAX_PAUSE_US = 600_000
/** A fragment of a sentence is joined across a longer pause. */
const FRAGMENT_US = 1_000_000
const MAX_FRAGMENT_PAUSE_US = 1_500_000
/** Joined lines are at most this long. */
const MAX_LINE_US = 12_000_000
const SENTENCE_END = /[.!?…。！？؟।]["'”’)\]]*$/u

/** In the order of their start, with the id of the first line of each joined group. Lines of different speakers or voices stay apart. */
export function cleanedLines(lines: readonly DubLine[]): DubLine[] {
  const cleaned: DubLine[] = []
  for (const line of lines.filter(({ text }) => text.trim() !== '').toSorted((left, right) => left.startUs - right.startUs)) {
    const last = cleaned.at(-1)
    if (!last || !isSameVoice(last, line)) cleaned.push(line)
    else if (isRepetition(last, line)) cleaned[cleaned.length - 1] = { ...last, endUs: Math.max(last.endUs, line.endUs) }
    else if (belongsTo(last, line)) cleaned[cleaned.length - 1] = joined(last, line)
    else cleaned.push(line)
  }
  return cleaned
}

const isSameVoice = (one: DubLine, other: DubLine): boolean => one.speakerId === other.speakerId && one.profileId === other.profileId

/** A recogniser that hears the same words twice where two parts of a film overlap. */
const isRepetition = (last: DubLine, line: DubLine): boolean =>
  line.startUs < last.endUs && plain(line.text) === plain(last.text) && plain(line.text) !== ''
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function belongsTo(last: DubLine, line: DubLine): boolean {
  if (SENTENCE_END.test(last.text.trim()) || line.endUs - last.startUs > MAX_LINE_US) return false
  const isFragment = Math.min(last.endUs - last.startUs, line.endUs - line.startUs) < FRAGMENT_US
  return line.startUs - last.endUs <= (isFragment ? MAX_FRAGMENT_PAUSE_US : MAX_PAUSE_US)
}

const joined = (last: DubLine, line: DubLine): DubLine => ({
  ...last,
  endUs: Math.max(last.endUs, line.endUs),
  text: joinPieces([last.text, line.text]),
  textOriginal: joinPieces([last.textOriginal, line.textOriginal]),
  // It was measured for a part of the line.
  qc: null,
})
