// The lines of a transcript: their ids, their speakers, and what was edited in the meantime. Pure.

import { createHash } from 'node:crypto'
import { usOf } from '#control-plane/features/dubbing/store/dub.ts'
import { type DubLine, editedValues, NEW_LINE } from '#control-plane/features/dubbing/store/line.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { readable, type Utterance } from './utterances.rules.ts'

export type TranscribedLine = Utterance & { readonly id: string; readonly speaker?: string }

/** Ids that are kept for each part: a line has the same id in the events of its part and at the end. */
const IDS_OF_PART = 256
/** From here on the ids of lines that were divided at a change of the speaker. */
const DIVIDED_FROM = 128
export const FIRST_SPEAKER = 'Speaker 1'

/** `s00000` for the first line of the first part. */
export const lineId = (part: number, position: number): string => `s${(part * IDS_OF_PART + position).toString(16).padStart(5, '0')}`

/** Throws INVALID_RESULT for more lines than anyone says in a part. */
export function withIds(recognised: readonly Utterance[], part: number): TranscribedLine[] {
  if (recognised.length > IDS_OF_PART)
    throw new Failure('INVALID_RESULT', `The recogniser returned ${recognised.length} lines for one part of the film.`)
  return recognised.map((line, position) => ({ ...line, id: lineId(part, position) }))
}

type Divide = (lines: readonly Utterance[]) => readonly (Utterance & { readonly speaker?: string })[]

/** All lines with their speakers. The pieces of a divided line: the first keeps the id. Ids are unique. `parts`: the lines of each part. */
export function spokenLines(parts: readonly (readonly TranscribedLine[])[], divide: Divide): TranscribedLine[] {
  const used = new Set(parts.flat().map(({ id }) => id))
  return parts.flatMap((lines, part) => {
    let next = DIVIDED_FROM
    return lines.flatMap((line) =>
      divide([line]).map((piece, at) => {
        let id = line.id
        if (at > 0)
          do id = lineId(part, next++)
          while (used.has(id))
        used.add(id)
        return { ...piece, id }
      }),
    )
  })
}

export const storedLine = ({ id, start, end, text, speaker = FIRST_SPEAKER }: TranscribedLine): DubLine => ({
  ...NEW_LINE,
  id,
  startUs: usOf(start),
  endUs: usOf(end),
  text: readable(text),
  textOriginal: readable(text),
  speakerId: speaker,
})

/** By id: a digest of all that a person can edit. */
export const digestsOf = (lines: readonly DubLine[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [line.id, digestOf(line)]))
const digestOf = (line: DubLine): string =>
  createHash('sha256')
    .update(JSON.stringify(editedValues(line)))
    .digest('hex')
    .slice(0, 16)

/**
 * The new lines, except for those that were edited or added since `before`: they stay as they are, and new lines of their time are left
 * out.
 */
export function withoutOverwriting(
  fresh: readonly DubLine[],
  now: readonly DubLine[],
  before: Readonly<Record<string, string>>,
): DubLine[] {
  const edited = now.filter((line) => before[line.id] !== digestOf(line))
  const taken = new Set(edited.map(({ id }) => id))
  const covers = (one: DubLine, other: DubLine) => Math.min(one.endUs, other.endUs) - Math.max(one.startUs, other.startUs)
  const kept = fresh.filter(
    (line) =>
      !taken.has(line.id) && !edited.some((one) => covers(one, line) > 0.5 * Math.min(one.endUs - one.startUs, line.endUs - line.startUs)),
  )
  return [...kept, ...edited].toSorted((left, right) => left.startUs - right.startUs)
}
