// Makes lines of sentences of what a recogniser returned for a part. Pure.
import { joinPieces } from '#shared/text/join-pieces.ts'
import { polished } from '#shared/text/polished.ts'
import { toSentences } from '#shared/text/sentences.ts'

/** In seconds. */
export type UtteranceWord = { readonly start: number; readonly end: number; readonly word: string }
export type Utterance = {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly words?: readonly UtteranceWord[] | undefined
}

const SENTENCE_END = /[.!?…。！？؟।]["'”’)\]]*$/u
const CLAUSE_END = /[,;:،、，；：]["'”’)\]]*$/u
/** A longer pause ends a line. */
const PAUSE_SECONDS = 0.7
/** A longer line is divided. */
const MAX_SECONDS = 12
/** Shortest piece that a line is divided into. */
const MIN_SECONDS = 1.5
/** A recogniser that gives a sound no length. */
const MIN_LINE_SECONDS = 0.1

/** Lines of at most about 12 s, ascending, with times of the film. `from`, `to`: of the part. */
export function utterancesOf(segments: readonly Utterance[], from: number, to: number): Utterance[] {
  const found = segments
    .toSorted((left, right) => left.start - right.start)
    .flatMap((segment) => (segment.words && segment.words.length > 0 ? ofWords(within(segment.words, to - from)) : ofText(segment)))
  return found.flatMap(({ start, end, text, words }): Utterance[] => {
    const said = text.trim().replaceAll(/\s+/g, ' ')
    if (!/[\p{L}\p{N}]/u.test(said)) return []
    const shifted = words?.map((word) => ({ ...word, start: word.start + from, end: word.end + from }))
    const begin = Math.min(Math.max(from, from + start), to - MIN_LINE_SECONDS)
    return [
      {
        start: begin,
        end: Math.max(begin + MIN_LINE_SECONDS, Math.min(to, from + end)),
        text: said,
        ...(shifted && { words: shifted }),
      },
    ]
  })
}

/** The words with times within the part and in their order: each division below then shortens a piece. */
function within(words: readonly UtteranceWord[], seconds: number): UtteranceWord[] {
  let latest = 0
  return words.map((word) => {
    const start = Math.min(Math.max(latest, word.start), seconds)
    const end = Math.min(Math.max(start, word.end), seconds)
    latest = start
    return { ...word, start, end }
  })
}

function ofWords(words: readonly UtteranceWord[]): Utterance[] {
  const groups: UtteranceWord[][] = []
  for (const word of words) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (!last || !before || SENTENCE_END.test(before.word.trim()) || word.start - before.end > PAUSE_SECONDS) groups.push([word])
    else last.push(word)
  }
  return groups.flatMap(divided).map((group) => {
    const text = joinPieces(group.map(({ word }) => word))
    return { start: group[0]!.start, end: Math.max(...group.map(({ end }) => end)), text, words: group }
  })
}

/** Halves of a group that is too long, at a comma or the longest pause near its middle. */
function divided(words: readonly UtteranceWord[]): (readonly UtteranceWord[])[] {
  const [start, end] = [words[0]!.start, words.at(-1)!.end]
  if (end - start <= MAX_SECONDS || words.length < 2) return [words]
  const middle = (start + end) / 2
  let best = Math.ceil(words.length / 2)
  let most = Number.NEGATIVE_INFINITY
  for (let at = 1; at < words.length; at++) {
    const [before, word] = [words[at - 1]!, words[at]!]
    if (before.end - start < MIN_SECONDS || end - word.start < MIN_SECONDS) continue
    const comma = CLAUSE_END.test(before.word.trim()) ? 1 : 0
    const score = comma + (word.start - before.end) * 2 - Math.abs(before.end - middle) / (end - start)
    if (score > most) [best, most] = [at, score]
  }
  return [...divided(words.slice(0, best)), ...divided(words.slice(best))]
}

/** Divides a line without times of words: each sentence gets a share of the time by its length. */
function ofText({ start, end, text }: Utterance): Utterance[] {
  const sentences = toSentences(text)
  if (sentences.length < 2 || end - start <= MAX_SECONDS / 2) return [{ start, end, text }]
  const whole = sentences.reduce((sum, { length }) => sum + length, 0)
  let at = start
  return sentences.map((sentence) => {
    const from = at
    at += ((end - start) * sentence.length) / whole
    return { start: from, end: at, text: sentence }
  })
}

/** Sound this far below the loudest of its line is silence. As a ratio of mean squares: -30 dB. */
const SILENCE_SHARE = 0.001
/** Recognisers place the start of a line in the silence before it. */
const MAX_SNAP_SECONDS = 0.8

/** The lines without the silence at their start. `levels`: mean squares of the part, which begins at `from`, so many each second. */
export function withoutLeadingSilence(
  lines: readonly Utterance[],
  levels: readonly number[],
  from: number,
  perSecond: number,
): Utterance[] {
  return lines.map((line) => {
    const [first, last] = [line.start, line.end].map((at) => Math.floor((at - from) * perSecond)) as [number, number]
    const limit = SILENCE_SHARE * levels.slice(first, last + 1).reduce((most, level) => Math.max(most, level), 0)
    let at = first
    while (at < last && (levels[at] ?? 0) <= limit) at++
    const start = from + at / perSecond
    const isSound = start > line.start && start - line.start <= MAX_SNAP_SECONDS && line.end - start >= MIN_LINE_SECONDS
    return isSound ? { ...line, start } : line
  })
}

type Mutable = { -readonly [name in keyof Utterance]: Utterance[name] }
/** Farthest move of a cut between two lines without a pause: without times of words it is a guess from the lengths of the texts. */
const MAX_MOVED_SECONDS = { guessed: 0.6, timed: 0.15 }

/** Share of the level at the cut: louder sound is no pause. */
const PAUSE_SHARE = 0.25

/** The lines with the cuts between those that touch each other where it is quietest. `levels` as for the silence at the start. */
export function cutInPauses(lines: readonly Utterance[], levels: readonly number[], from: number, perSecond: number): Utterance[] {
  const moved = lines.map((line): Mutable => ({ ...line }))
  for (const [at, line] of moved.entries()) {
    const before = moved[at - 1]
    if (!before || Math.abs(line.start - before.end) > 1 / perSecond) continue
    const reach = before.words && line.words ? MAX_MOVED_SECONDS.timed : MAX_MOVED_SECONDS.guessed
    const least = Math.max(before.start + MIN_LINE_SECONDS, line.start - reach)
    const most = Math.min(line.end - MIN_LINE_SECONDS, line.start + reach)
    const middleOf = (index: number) => from + (index + 0.5) / perSecond
    let best: number | null = null
    for (let index = Math.ceil((least - from) * perSecond); middleOf(index) <= most; index++) {
      const [level, lowest] = [levels[index] ?? 0, best === null ? Number.POSITIVE_INFINITY : (levels[best] ?? 0)]
      const isNearer = best !== null && Math.abs(middleOf(index) - line.start) < Math.abs(middleOf(best) - line.start)
      if (level < lowest || (level === lowest && isNearer)) best = index
    }
    const current = levels[Math.floor((line.start - from) * perSecond)] ?? 0
    if (best === null || (levels[best] ?? 0) > PAUSE_SHARE * current) continue
    before.end = middleOf(best)
    line.start = middleOf(best)
  }
  return moved
}

/** Text of a recogniser without capitals and full stops, as a sentence; other text as it is. */
export const readable = (text: string): string => (text === text.toLowerCase() && !SENTENCE_END.test(text) ? polished(text) : text)
