// Reads SRT and WebVTT, including the broken ones that people have. Pure; linear in the length of the text.
import type { SubtitleCounts, SubtitleCue } from './cue.ts'
import { placed } from './place.ts'
import { cueText } from './plain.ts'
import { withoutRepeats } from './running.ts'
import { namedSpeakers } from './speakers.ts'
import { timesOf } from './times.ts'

/** `cues` are in order and do not overlap. */
export type ParsedSubtitles = { readonly cues: readonly SubtitleCue[]; readonly counts: SubtitleCounts }

/** In UTF-16 units. Callers refuse longer texts. */
export const MAX_SUBTITLE_CHARS = 2_000_000

/** Never fails: a text without cues has none. `mediaUs`: the length of the film; null when it is not known. */
export function parseSubtitles(text: string, mediaUs: number | null = null): ParsedSubtitles {
  const lines = linesOf(text.replaceAll('\0', '').replace(/^\ufeff/, ''))
  const isVtt = lines[0]!.startsWith('WEBVTT')
  const blocks = blocksOf(isVtt ? withoutNotes(lines) : lines, isVtt)
  const read = blocks.flatMap(({ times, text: raw }) => {
    const cue = cueText(raw)
    return times === 'unreadable' || times.startUs >= times.endUs || cue.text === '' ? [] : [{ ...times, ...cue }]
  })
  const inOrder = read.toSorted((left, right) => left.startUs - right.startUs)
  const once = withoutRepeats(inOrder, WORD_TIME.test(text))
  const { cues, counts } = placed(namedSpeakers(once), mediaUs)
  const droppedOverlaps = counts.droppedOverlaps + read.length - once.length
  return { cues, counts: { ...counts, imported: cues.length, skipped: blocks.length - read.length, droppedOverlaps } }
}

/** A time before a word of a cue. */
const WORD_TIME = /<\d{1,2}:[\d:.]{4,15}>/

/** Ends of lines of any system, also those that a program has converted twice, such as `\r\r\n`. */
const linesOf = (text: string): string[] => {
  const lines = text.split('\n')
  return text.includes('\r') ? lines.flatMap((line) => (line.includes('\r') ? withoutReturns(line).split('\r') : line)) : lines
}
function withoutReturns(line: string): string {
  let end = line.length
  while (line[end - 1] === '\r') end--
  return line.slice(0, end)
}

type Times = Exclude<ReturnType<typeof timesOf>, null>
type Block = { readonly times: Times; readonly text: string }

/** The text of a cue is everything up to the next line of times, without the index of that one: a blank line inside does not end it. */
function blocksOf(lines: readonly string[], isVtt: boolean): Block[] {
  const marks: { readonly at: number; readonly times: Times }[] = []
  for (const [at, line] of lines.entries()) {
    const times = timesOf(line)
    if (times !== null) marks.push({ at, times })
  }
  // Some programs put a blank line after every line.
  const gap = marks[0] ? blanksAbove(lines, marks[0].at) : 0
  let hasIndex = false
  const indexed = marks.map(({ at }, number) => {
    // Without a blank line before it, a number belongs to the times only in a file that numbers its cues.
    const after = number === 0 ? -1 : marks[number - 1]!.at
    const index = at - 1 - gap
    hasIndex = index > after && blanksAbove(lines, at) === gap && isIndex(lines, index, isVtt, hasIndex || number === 0)
    return hasIndex
  })
  return marks.map(({ at, times }, number) => {
    const next = marks[number + 1]
    const end = next ? next.at - (indexed[number + 1] ? 1 + gap : 0) : lines.length
    return { times, text: lines.slice(at + 1, end).join('\n') }
  })
}

const MAX_GAP = 3
/** Number of lines from a number above the line to it; 0 for none and for another line. */
function blanksAbove(lines: readonly string[], at: number): number {
  let above = at - 1
  while (above >= at - MAX_GAP && lines[above]?.trim() === '') above--
  return /^\d+$/.test(lines[above]?.trim() ?? '') ? at - 1 - above : 0
}

function isIndex(lines: readonly string[], at: number, isVtt: boolean, isUsual: boolean): boolean {
  const line = lines[at]!.trim()
  if (line === '') return false
  const isAlone = at === 0 || lines[at - 1]!.trim() === ''
  return /^\d+$/.test(line) ? isAlone || isUsual : isVtt && isAlone
}

/** WebVTT has blocks that are no cues: from their first line to a blank one. */
function withoutNotes(lines: readonly string[]): string[] {
  let isInHeader = true
  let isInNote = false
  let wasBlank = false
  return lines.map((line) => {
    const isBlank = line.trim() === ''
    // A line of times ends the header too, which may have no blank line after it.
    if (isBlank || timesOf(line) !== null) isInHeader = false
    if (isBlank) isInNote = false
    else if (wasBlank && /^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(line)) isInNote = true
    wasBlank = isBlank
    return isInHeader || isInNote ? '' : line
  })
}
