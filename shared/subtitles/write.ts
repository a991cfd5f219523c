// Writes SRT and WebVTT. Pure.
import { withoutTimes } from './parse/times.ts'

/** `original`: a second text, below the first one in italics; null and absent for none. Times are microseconds. */
export type WrittenCue = { readonly startUs: number; readonly endUs: number; readonly text: string; readonly original?: string | null }

/** One cue for each one with text, numbered from 1. A cue ends no later than the next one starts unless it does so already. */
export const writeSrt = (cues: readonly WrittenCue[]): string => [...srtCues(cues)].join('\n')
/** The cues of an SRT file, which are joined by line feeds. One at a time, because a film of hours has thousands. */
export const srtCues = (cues: readonly WrittenCue[]): Iterable<string> => numbered(cues, ',', safeLines)

/** Same as `writeSrt`, with a header; `&`, `<` and `>` are escaped. */
export const writeVtt = (cues: readonly WrittenCue[]): string =>
  ['WEBVTT\n', ...numbered(cues, '.', (text) => escaped(safeLines(text)))].join('\n')

function* numbered(cues: readonly WrittenCue[], point: ',' | '.', write: (text: string) => string): Generator<string, void> {
  let number = 0
  for (const { startUs, endUs, text, original } of cues) {
    const texts = [write(text), italic(write(original ?? ''))].filter((one) => one !== '')
    if (texts.length === 0) continue
    const start = Math.round(Math.max(0, startUs) / 1000)
    // A cue that would end with its start is not shown by players.
    const end = Math.max(start + 1, Math.round(endUs / 1000))
    yield `${++number}\n${clock(start, point)} --> ${clock(end, point)}\n${texts.join('\n')}\n`
  }
}

const italic = (text: string): string => (text === '' ? '' : `<i>${text}</i>`)
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Lines that end no cue and begin none: without blank lines, arrows of times and control characters. */
function safeLines(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\ufeff]/g, ' ')
    .replaceAll('-->', '→')
    .split('\n')
    .map((line) => withoutTimes(line).trim())
    .filter((line) => line !== '')
    .join('\n')
}

function clock(ms: number, point: ',' | '.'): string {
  const part = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0')
  return `${part(ms / 3_600_000)}:${part((ms / 60_000) % 60)}:${part((ms / 1000) % 60)}${point}${part(ms % 1000, 3)}`
}
