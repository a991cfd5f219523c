// Reads SRT and WebVTT, including the broken ones that people have. Pure; linear in the length of the text.
import { cueText } from './plain.ts'
import { namedSpeakers } from './speakers.ts'
import { timesOf } from './times.ts'

/** Times are microseconds. `text` has no markup and no blank lines. */
export type SubtitleCue = {
  readonly startUs: number
  readonly endUs: number
  readonly text: string
  /** Null when the file does not name one. */
  readonly speaker: string | null
}
export type SubtitleCounts = {
  readonly imported: number
  /** Cues whose times are unreadable or not in order, and cues without text. */
  readonly skipped: number
  /** Cues that lie within the ones before them. */
  readonly droppedOverlaps: number
  /** Cues that were cut at the end of the film. */
  readonly clamped: number
  /** Cues that start at or after the end of the film. */
  readonly afterEnd: number
}
/** `cues` are in order and do not overlap. */
export type ParsedSubtitles = { readonly cues: readonly SubtitleCue[]; readonly counts: SubtitleCounts }

/** In UTF-16 units. Callers refuse longer texts. */
export const MOST_SUBTITLE_CHARS = 2_000_000

/** Never fails: a text without cues has none. `mediaUs`: the length of the film; null when it is not known. */
export function parseSubtitles(text: string, mediaUs: number | null = null): ParsedSubtitles {
  const lines = text
    .replaceAll('\0', '')
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const isVtt = lines[0]!.startsWith('WEBVTT')
  const blocks = blocksOf(isVtt ? withoutNotes(lines) : lines, isVtt)
  const read = blocks.flatMap(({ times, text: raw }) => {
    const cue = cueText(raw)
    return times === 'unreadable' || times.startUs >= times.endUs || cue.text === '' ? [] : [{ ...times, ...cue }]
  })
  const placed = place(read, mediaUs)
  return {
    cues: namedSpeakers(placed.cues),
    counts: { imported: placed.cues.length, skipped: blocks.length - read.length, ...placed.counts },
  }
}

type Times = Exclude<ReturnType<typeof timesOf>, null>
type Block = { readonly times: Times; readonly text: string }

/** The text of a cue is everything up to the next line of times, without the index of that one: a blank line inside does not end it. */
function blocksOf(lines: readonly string[], isVtt: boolean): Block[] {
  const marks = lines.flatMap((line, at) => {
    const times = timesOf(line)
    return times === null ? [] : [{ at, times }]
  })
  let hasIndex = false
  const indexed = marks.map(({ at }, number) => {
    // Without a blank line before it, a number belongs to the times only in a file that numbers its cues.
    const after = number === 0 ? -1 : marks[number - 1]!.at
    hasIndex = at - 1 > after && isIndex(lines, at - 1, isVtt, hasIndex || number === 0)
    return hasIndex
  })
  return marks.map(({ at, times }, number) => {
    const next = marks[number + 1]
    const end = next ? next.at - (indexed[number + 1] ? 1 : 0) : lines.length
    return { times, text: lines.slice(at + 1, end).join('\n') }
  })
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

/** In order of their start. The start of a cue moves to the end of the one before it. */
function place(cues: readonly SubtitleCue[], mediaUs: number | null) {
  const most = mediaUs ?? Number.POSITIVE_INFINITY
  const counts = { droppedOverlaps: 0, clamped: 0, afterEnd: 0 }
  const placed: SubtitleCue[] = []
  let from = 0
  for (const cue of [...cues].sort((left, right) => left.startUs - right.startUs)) {
    if (cue.startUs >= most) {
      counts.afterEnd++
      continue
    }
    const startUs = Math.max(cue.startUs, from)
    const endUs = Math.min(cue.endUs, most)
    if (startUs >= endUs) {
      counts.droppedOverlaps++
      continue
    }
    if (endUs < cue.endUs) counts.clamped++
    placed.push({ ...cue, startUs, endUs })
    from = endUs
  }
  return { cues: placed, counts }
}
