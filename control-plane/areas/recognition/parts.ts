// What was heard in the parts of a recording, put together again. Pure.
import type { Heard } from './recognition.schema.ts'

/** `from`: where the part begins in the recording, in seconds. */
export type HeardPart = { readonly from: number; readonly heard: Heard }

/** As one, with the times of the whole recording. The language is that of the part in which most was said. */
export function joinParts(parts: readonly HeardPart[]): Heard {
  const only = parts[0]
  if (only && parts.length === 1) return only.heard
  const fullest = parts.reduce<HeardPart | undefined>(
    (best, part) => (best && best.heard.text.length >= part.heard.text.length ? best : part),
    undefined,
  )
  const segments = parts.flatMap(({ from, heard }) =>
    heard.segments.map((segment) => ({
      ...segment,
      start: segment.start + from,
      end: segment.end + from,
      ...(segment.words && { words: segment.words.map((word) => ({ ...word, start: word.start + from, end: word.end + from })) }),
    })),
  )
  const texts = parts.map(({ heard }) => heard.text.trim()).filter(Boolean)
  const last = parts.at(-1)
  return {
    text: texts.join(' '),
    language: fullest?.heard.language ?? '',
    segments,
    duration: last ? last.from + last.heard.duration : 0,
    notices: [...new Set(parts.flatMap(({ heard }) => heard.notices))],
  }
}
