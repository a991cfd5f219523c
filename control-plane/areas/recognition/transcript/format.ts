// A transcript in the formats of POST /v1/audio/transcriptions and /v1/audio/translations. Pure.
import { deflateSync } from 'node:zlib'
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
      return { type: 'application/json', text: JSON.stringify({ task, language, duration, text, segments, ...words }) }
    }
    case 'json':
      return { type: 'application/json', text: JSON.stringify({ text }) }
  }
}

/** Frames of Whisper. */
const FRAMES_PER_SECOND = 100

/**
 * A segment with every field that clients of the public API validate. Without figures of the recogniser there are no tokens, and both
 * probabilities are 0; `seek` is the start in frames of 10 ms.
 */
function completeSegment({ start, end, text, speaker, decoding = {} }: SubtitleSegment, id: number, temperature: number) {
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
    speaker,
  }
}

/** Length of the text relative to its deflated length: high for text that repeats itself. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text)
  // A small window halves the cost. Segments have a few words.
  return Math.round((100 * bytes.length) / deflateSync(bytes, { windowBits: 9, memLevel: 1 }).length) / 100
}
