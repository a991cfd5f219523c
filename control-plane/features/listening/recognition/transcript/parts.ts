// The transcripts of the parts of a recording, joined. Pure.
import type { AsrResult } from '#shared/operations/asr.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'

/** `from`: start of the part in the recording, in seconds. */
export type PartTranscript = { readonly from: number; readonly transcript: AsrResult }

/** Times within a sentence, such as 0:02 to 0:05. */
const TIMES = /\d:\d\d to \d/
/** A recogniser counts the times in its sentences from the start of the part. */
function inWhole(notice: string, from: number): string {
  if (from === 0 || !TIMES.test(notice)) return notice
  const start = Math.floor(from)
  return `Counted from ${Math.floor(start / 60)}:${String(start % 60).padStart(2, '0')} of the recording: ${notice}`
}

/** Joins the parts, with times relative to the whole recording. The language is that of the part with the longest text. */
export function joinParts(parts: readonly PartTranscript[]): AsrResult {
  const only = parts[0]
  if (only && parts.length === 1) return only.transcript
  const fullest = parts.reduce<PartTranscript | undefined>(
    (best, part) => (best && best.transcript.text.length >= part.transcript.text.length ? best : part),
    undefined,
  )
  const segments = parts.flatMap(({ from, transcript }) =>
    transcript.segments.map((segment) => ({
      ...segment,
      start: segment.start + from,
      end: segment.end + from,
      ...(segment.words && { words: segment.words.map((word) => ({ ...word, start: word.start + from, end: word.end + from })) }),
    })),
  )
  const wordless = parts.flatMap(({ from, transcript }) =>
    (transcript.speech_without_words ?? []).map(({ start, end }) => ({ start: start + from, end: end + from })),
  )
  const last = parts.at(-1)
  return {
    text: joinPieces(parts.map(({ transcript }) => transcript.text)),
    language: fullest?.transcript.language ?? '',
    segments,
    ...(wordless.length > 0 && { speech_without_words: wordless }),
    duration: last ? last.from + last.transcript.duration : 0,
    notices: [...new Set(parts.flatMap(({ from, transcript }) => transcript.notices.map((notice) => inWhole(notice, from))))],
  }
}
