// Reads SRT, WebVTT and what resembles them. Pure, and linear in the length of the text: a damaged cue costs itself only.
import { type Cue, parseTimes } from './cue.ts'
import { unmarkedCue } from './text.ts'

export const MOST_SUBTITLE_CHARS = 2_000_000

export type ParsedCue = Cue & {
  /** Named by `<v Name>`, or by a prefix `Name:` that several cues have; '' without one. */
  readonly speaker: string
}
export type ParsedSubtitles = {
  /** In the order of their start, without overlaps. */
  readonly cues: readonly ParsedCue[]
  /** Cues without text, with unreadable times, or whose end is not after the start. */
  readonly skipped: number
  /** Cues that lie within an earlier one. */
  readonly droppedOverlaps: number
}
/** `isNumbered`: the first cue has a number. */
type Kind = { readonly isVtt: boolean; readonly isNumbered: boolean }
type Heading = { readonly line: number; readonly times: Exclude<ReturnType<typeof parseTimes>, null> }

const isNumber = (line: string | undefined): boolean => line !== undefined && /^\d{1,9}$/.test(line.trim())
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** An empty result for a text that has no cues. */
export function parseSubtitles(text: string): ParsedSubtitles {
  const all = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const isVtt = /^WEBVTT(?:\s|$)/.test(all[0] ?? '')
  const lines = isVtt ? withoutComments(all) : all
  const headings = lines.flatMap((line, at): Heading[] => {
    const times = parseTimes(line)
    return times === null ? [] : [{ line: at, times }]
  })
  const isNumbered = isNumber(lines[(headings[0]?.line ?? 0) - 1])
  let skipped = 0
  const cues = headings.flatMap(({ line, times }, at): ParsedCue[] => {
    const next = headings[at + 1]
    const end = next ? textEnd(lines, line + 1, next.line, { isVtt, isNumbered }) : lines.length
    const { text: plain, speaker } = unmarkedCue(lines.slice(line + 1, end).join('\n'))
    if (times === 'unreadable' || times.startUs >= times.endUs || plain === '') {
      skipped++
      return []
    }
    return [{ ...times, text: plain, speaker }]
  })
  return { ...withoutOverlaps(withSpeakers(cues)), skipped }
}

/** WebVTT: the header and blocks that are not shown, each up to an empty line or the times of a cue. */
function withoutComments(lines: readonly string[]): string[] {
  let isComment = true
  return lines.map((line, at) => {
    if (isBlank(line) || parseTimes(line)) isComment = false
    else if (isBlank(lines[at - 1]) && /^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(line)) isComment = true
    return isComment ? '' : line
  })
}

/** The end of the text that begins at `from`, before the number or the name of the cue whose times are at `next`. */
function textEnd(lines: readonly string[], from: number, next: number, { isVtt, isNumbered }: Kind): number {
  const before = next - 1
  if (before < from || isBlank(lines[before])) return isNumberAlone(lines, from, before) ? lastText(lines, from, before) : next
  if (isNumber(lines[before])) return before > from || isNumbered ? before : next
  return isVtt && before > from && isBlank(lines[before - 1]) ? before : next
}

/** A number between empty lines, with text before it, is the number of a cue. */
function isNumberAlone(lines: readonly string[], from: number, to: number): boolean {
  const last = lastText(lines, from, to)
  return last > from && isNumber(lines[last]) && isBlank(lines[last - 1])
}
function lastText(lines: readonly string[], from: number, to: number): number {
  let at = to
  while (at > from && isBlank(lines[at])) at--
  return at
}

const MOST_NAME = 32
const MOST_WORDS = 3

/** Removes names that several cues begin with. */
function withSpeakers(cues: readonly ParsedCue[]): ParsedCue[] {
  const counts = new Map<string, number>()
  const prefixes = cues.map(({ text }) => namePrefix(text))
  for (const name of prefixes) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
  return cues.map((cue, at) => {
    const name = prefixes[at]!
    if (cue.speaker !== '' || name === '' || counts.get(name)! < 2) return cue
    return { ...cue, speaker: name, text: cue.text.slice(cue.text.indexOf(':') + 1).trimStart() }
  })
}

/** `Name` of a text `Name: words`; '' without one. */
function namePrefix(text: string): string {
  const colon = text.slice(0, MOST_NAME + 1).indexOf(':')
  if (colon < 1 || !/^\s\s*\S/.test(text.slice(colon + 1, colon + 8))) return ''
  const name = text.slice(0, colon)
  return /^\p{L}/u.test(name) && !name.includes('\n') && name.split(' ').length <= MOST_WORDS ? name : ''
}

function withoutOverlaps(cues: readonly ParsedCue[]): Omit<ParsedSubtitles, 'skipped'> {
  const kept: ParsedCue[] = []
  for (const cue of cues.toSorted((left, right) => left.startUs - right.startUs)) {
    const startUs = Math.max(cue.startUs, kept.at(-1)?.endUs ?? 0)
    if (startUs < cue.endUs) kept.push({ ...cue, startUs })
  }
  return { cues: kept, droppedOverlaps: cues.length - kept.length }
}
