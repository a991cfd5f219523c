// Reads the small formats whose cues are lines: SBV of YouTube, MicroDVD, and the lyrics of LRC. Pure; linear.
import { cueText } from '../parse/plain.ts'
import { closed, type RawSubtitles } from '../parse/raw.ts'
import { timeOf } from '../parse/times.ts'

const SBV = /^\s{0,20}(\d{1,3}:\d{2}:\d{2}\.\d{1,3}),(\d{1,3}:\d{2}:\d{2}\.\d{1,3})\s*$/
const MICRODVD = /^\s{0,20}\{(\d{1,8})\}\{(\d{0,8})\}(.*)$/
const LRC = /^\s{0,20}\[(\d{1,3}:\d{2}(?:[.:]\d{1,3})?)\]/
const NTSC_FILM = 23.976
const MAX_RATE = 120

export const isSbvLine = (line: string): boolean => SBV.test(line)
export const isMicroDvdLine = (line: string): boolean => MICRODVD.test(line)
export const isLrcLine = (line: string): boolean => LRC.test(line)

export function readSbv(lines: readonly string[]): RawSubtitles {
  const marks = lines.flatMap((line, at) => {
    const [, start, end] = SBV.exec(line) ?? []
    return start === undefined || end === undefined ? [] : [{ at, startUs: timeOf(start), endUs: timeOf(end) }]
  })
  const cues = marks.flatMap(({ at, startUs, endUs }, number) => {
    const { text } = cueText(
      lines
        .slice(at + 1, marks[number + 1]?.at ?? lines.length)
        .join('\n')
        .replaceAll('[br]', '\n'),
    )
    return startUs === null || endUs === null || startUs >= endUs || text === '' ? [] : [{ startUs, endUs, text, speaker: null }]
  })
  return { cues, skipped: marks.length - cues.length, hasWordTimes: false, notices: [] }
}

/** Codes of colours, fonts and places, and the slash of italic lines. */
const CODES = /\{[a-z]:[^{}]{0,80}\}/gi
const withoutCodes = (text: string) =>
  text
    .replace(CODES, '')
    .split('|')
    .map((line) => line.replace(/^\s{0,20}\//, ''))
    .join('\n')

/** Times are numbers of pictures. `filmRate`: pictures in a second of the film; null when it is not known. The file may state another. */
export function readMicroDvd(lines: readonly string[], filmRate: number | null): RawSubtitles {
  const found = lines.flatMap((line) => {
    const [, start, end, text] = MICRODVD.exec(line) ?? []
    return start === undefined || text === undefined ? [] : [{ start: Number(start), end: end ? Number(end) : null, text }]
  })
  const stated = found[0] ? statedRate(found[0].text) : null
  const rate = stated ?? filmRate ?? NTSC_FILM
  const usOf = (frame: number) => Math.round((frame / rate) * 1e6)
  const all = stated === null ? found : found.slice(1)
  const read = all.map(({ start, end, text }) => ({
    startUs: usOf(start),
    endUs: end === null ? null : usOf(end),
    text: cueText(withoutCodes(text)).text,
    speaker: null,
  }))
  const cues = closed(read).filter(({ startUs, endUs, text }) => startUs < endUs && text !== '')
  const notices =
    stated === null
      ? [
          `The times of this file are numbers of pictures, at ${rate} in a second${filmRate === null ? ', which was assumed' : ' as in the film'}.`,
        ]
      : []
  return { cues, skipped: read.length - cues.length, hasWordTimes: false, notices }
}

function statedRate(text: string): number | null {
  if (!/^\s{0,20}\d{1,3}(?:[.,]\d{1,6})?\s*$/.test(text)) return null
  const rate = Number(text.trim().replace(',', '.'))
  return rate > 1 && rate <= MAX_RATE ? rate : null
}

/** A song has fewer repetitions of a line. */
const MAX_STAMPS = 100

/** Lyrics: a line lasts until the next one. Lines without words end the one before them. */
export function readLrc(lines: readonly string[]): RawSubtitles {
  const offset = lines.map((line) => /^\s{0,20}\[offset:\s{0,9}([+-]?\d{1,7})\]/i.exec(line)?.[1]).find((found) => found !== undefined)
  const shiftUs = Number(offset ?? 0) * -1000
  const read = lines.flatMap((line) => {
    const starts: number[] = []
    let rest = line
    for (let stamp = LRC.exec(rest); stamp !== null && starts.length < MAX_STAMPS; stamp = LRC.exec(rest)) {
      const us = timeOf(stamp[1]!.replace(/^(\d{1,3}:\d{2}):/, '$1.'))
      if (us !== null) starts.push(us + shiftUs)
      rest = rest.slice(stamp[0].length)
    }
    const { text } = cueText(rest)
    return starts.map((startUs) => ({ startUs: Math.max(0, startUs), endUs: null, text, speaker: null }))
  })
  const cues = closed(read).filter(({ text }) => text !== '')
  return { cues, skipped: 0, hasWordTimes: false, notices: [] }
}
