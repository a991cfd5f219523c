// Subtitles as SRT and WebVTT. Pure. Reading what was written gives the same cues if they do not overlap.
import { type Cue, formatTime, parseTimes } from './cue.ts'

export type WrittenCue = Cue & {
  /** Shown below the text in italics; absent or null: the text alone. */
  readonly original?: string | null
}

/** One cue for each; cues without text are left out. */
export const writeSrt = (cues: readonly WrittenCue[]): string =>
  written(cues)
    .map(({ times, text, original }, at) => `${at + 1}\n${times(',')}\n${block(text, original, (plain) => plain)}\n`)
    .join('\n')

export const writeVtt = (cues: readonly WrittenCue[]): string =>
  `WEBVTT\n\n${written(cues)
    .map(({ times, text, original }, at) => `${at + 1}\n${times('.')}\n${block(text, original, escaped)}\n`)
    .join('\n')}`

const written = (cues: readonly WrittenCue[]) =>
  cues
    .filter(({ text }) => text.trim() !== '')
    .map(({ startUs, endUs, text, original }) => ({
      // A cue of less than a millisecond would not be shown.
      times: (point: ',' | '.') => `${formatTime(startUs, point)} --> ${formatTime(Math.max(endUs, startUs + 1_000), point)}`,
      text: lines(text),
      original: original == null ? '' : lines(original),
    }))

const block = (text: string, original: string, marked: (plain: string) => string): string =>
  original === '' ? marked(text) : `${marked(text)}\n<i>${marked(original)}</i>`

/** Without empty lines and lines of times, which would end the cue. */
const lines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => (parseTimes(line) ? line.replaceAll(/-?->/g, '→') : line.replaceAll('-->', '→')).trim())
    .filter((line) => line !== '')
    .join('\n')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
