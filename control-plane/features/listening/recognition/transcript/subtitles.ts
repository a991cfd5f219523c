// A transcript as subtitles. Pure.
import type { Decoding } from '#shared/operations/asr.ts'

export type SubtitleSegment = {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly words?: readonly { readonly start: number; readonly end: number; readonly word: string; readonly speaker?: string }[] | undefined
  readonly decoding?: Decoding | undefined
  /** ISO 639-1; absent if the recogniser decides it for the whole recording. */
  readonly language?: string | undefined
  /** Present after a diarisation. */
  readonly speaker?: string
}

/** A cue that would end with its start is not shown by players. It lasts this long, at most until the next cue starts. */
const MIN_CUE_MS = 500
type Cue = { readonly start: number; readonly end: number; readonly text: string }

/** The cues with text, in milliseconds. Each ends after its start. */
function cuesOf(segments: readonly SubtitleSegment[]): Cue[] {
  const rounded = segments.flatMap(({ start, end, text }) => {
    const line = oneLine(text)
    return line === '' ? [] : [{ start: Math.max(0, Math.round(start * 1000)), end: Math.round(end * 1000), text: line }]
  })
  let nextStart = Number.POSITIVE_INFINITY
  for (let at = rounded.length - 1; at >= 0; at--) {
    const { start, end } = rounded[at]!
    const following = rounded[at + 1]?.start ?? start
    if (following > start) nextStart = following
    if (end <= start) rounded[at]!.end = nextStart > start ? Math.min(start + MIN_CUE_MS, nextStart) : start + MIN_CUE_MS
  }
  return rounded
}

function clock(ms: number, point: ',' | '.'): string {
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0')
  return `${part(Math.floor(ms / 3_600_000))}:${part(Math.floor(ms / 60_000) % 60)}:${part(Math.floor(ms / 1000) % 60)}${point}${part(ms % 1000, 3)}`
}

const unchanged = (text: string): string => text
/** A blank line or an arrow inside a text would end its cue. */
const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').replaceAll('-->', '->')

/** `shaped`: the written text of a cue, with its lines. */
export const toSrt = (segments: readonly SubtitleSegment[], shaped: (text: string) => string = unchanged): string =>
  cuesOf(segments)
    .map(({ start, end, text }, index) => `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${shaped(text)}\n`)
    .join('\n')

export const toVtt = (segments: readonly SubtitleSegment[], shaped: (text: string) => string = unchanged): string =>
  `WEBVTT\n\n${cuesOf(segments)
    .map(({ start, end, text }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${shaped(text)}\n`)
    .join('\n')}`
