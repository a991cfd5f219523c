// A transcript as subtitles. Pure.
import type { Decoding } from '#shared/operations/asr.ts'

export type SubtitleSegment = {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly words?: readonly { readonly start: number; readonly end: number; readonly word: string; readonly speaker?: string }[]
  readonly decoding?: Decoding | undefined
  /** Present after a diarisation. */
  readonly speaker?: string
}

function clock(seconds: number, point: ',' | '.'): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0')
  return `${part(Math.floor(ms / 3_600_000))}:${part(Math.floor(ms / 60_000) % 60)}:${part(Math.floor(ms / 1000) % 60)}${point}${part(ms % 1000, 3)}`
}

/** A blank line or an arrow inside a text would end its cue. */
const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').replaceAll('-->', '->')

export const toSrt = (segments: readonly SubtitleSegment[]): string =>
  segments.map(({ start, end, text }, index) => `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${oneLine(text)}\n`).join('\n')

export const toVtt = (segments: readonly SubtitleSegment[]): string =>
  `WEBVTT\n\n${segments.map(({ start, end, text }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${oneLine(text)}\n`).join('\n')}`

/** Adds a capital at the start and a full stop at the end if the recogniser returned none. */
export function polished(text: string): string {
  const trimmed = oneLine(text)
  if (trimmed === '') return ''
  const [first = ''] = trimmed
  return `${first.toUpperCase()}${trimmed.slice(first.length)}${/[.!?…。！？]["'”’)\]]*$/.test(trimmed) ? '' : '.'}`
}
