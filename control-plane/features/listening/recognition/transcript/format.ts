// A transcript in the formats of POST /v1/audio/transcriptions and /v1/audio/translations. Pure.
import { deflateSync } from 'node:zlib'
import { Failure } from '#shared/protocol/failure.ts'
import type { TranscriptionFormat } from '../recognition.schema.ts'
import type { Transcript } from './assemble.ts'
import { type SubtitleSegment, toSrt, toVtt } from './subtitles.ts'

type Formatted = { readonly type: string; readonly text: string }

/** `withWords`: verbose_json contains the times of words. */
export function formatted(transcript: Transcript, format: TranscriptionFormat, withWords: boolean): Formatted {
  const text = transcript.text.trim()
  switch (format) {
    case 'text':
      return { type: 'text/plain; charset=utf-8', text }
    case 'srt':
      return { type: 'text/plain; charset=utf-8', text: toSrt(transcript.segments) }
    case 'vtt':
      return { type: 'text/vtt; charset=utf-8', text: toVtt(transcript.segments) }
    case 'verbose_json': {
      const { task, language, seconds: duration, temperature } = transcript
      const segments = transcript.segments.map((segment, id) => completeSegment(segment, id, temperature))
      const words = withWords && { words: transcript.segments.flatMap((segment) => segment.words ?? []) }
      const wordless = transcript.speechWithoutWords && { speech_without_words: transcript.speechWithoutWords }
      return { type: 'application/json', text: JSON.stringify({ task, language, duration, text, segments, ...words, ...wordless }) }
    }
    case 'diarized_json': {
      const speakers = [...new Set(transcript.segments.map(({ speaker }) => speaker))]
      const segments = transcript.segments.map((segment, at) => spokenSegment(segment, at, letterOf(speakers.indexOf(segment.speaker))))
      const { task, seconds: duration } = transcript
      return { type: 'application/json', text: JSON.stringify({ task, duration, text, segments }) }
    }
    case 'json':
      return { type: 'application/json', text: JSON.stringify({ text }) }
  }
}

/** Throws BAD_REQUEST for a transcript without speakers. */
export function requireSpeakers({ segments }: Transcript): void {
  if (segments.length === 0 || segments.some(({ speaker }) => speaker !== undefined)) return
  throw new Failure('BAD_REQUEST', 'This transcript has no speakers. Send the recording again with response_format=diarized_json.')
}

/** Frames of Whisper. */
const FRAMES_PER_SECOND = 100

/**
 * A segment with every field that clients of the public API validate. Without figures of the recogniser there are no tokens, and both
 * probabilities are 0; `seek` is the start in frames of 10 ms.
 */
function completeSegment({ start, end, text, language, speaker, decoding = {} }: SubtitleSegment, id: number, temperature: number) {
  return {
    id,
    seek: Math.floor(start * FRAMES_PER_SECOND),
    start,
    end,
    text,
    tokens: decoding.tokens ?? [],
    temperature: decoding.temperature ?? temperature,
    avg_logprob: decoding.avg_logprob ?? 0,
    compression_ratio: decoding.compression_ratio ?? compressionRatio(text),
    no_speech_prob: decoding.no_speech_prob ?? 0,
    language,
    speaker,
  }
}

/** A segment of `diarized_json`. */
const spokenSegment = ({ start, end, text }: SubtitleSegment, at: number, speaker: string) => ({
  type: 'transcript.text.segment',
  id: `seg_${String(at + 1).padStart(3, '0')}`,
  start,
  end,
  text,
  speaker,
})

/** The names of speakers in the public API, in the order in which they speak: A to Z, then AA. */
const letterOf = (speaker: number): string =>
  (speaker < 26 ? '' : letterOf(Math.floor(speaker / 26) - 1)) + String.fromCharCode(65 + (speaker % 26))

/** Length of the text relative to its deflated length: high for text that repeats itself. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text)
  // A small window halves the cost. Segments have a few words.
  return Math.round((100 * bytes.length) / deflateSync(bytes, { windowBits: 9, memLevel: 1 }).length) / 100
}
