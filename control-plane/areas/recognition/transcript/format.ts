// A transcript in the formats of POST /v1/audio/transcriptions. Pure.
import type { TranscriptionFormat } from './recognition.schema.ts'
import type { Transcript } from './recognition.service.ts'
import { toSrt, toVtt } from './subtitles.ts'

type Formatted = { readonly type: string; readonly text: string }

const textOf = ({ segments }: Transcript): string =>
  segments
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join(' ')

/** `withWords`: verbose_json contains the times of words. */
export function formatted(transcript: Transcript, format: TranscriptionFormat, withWords: boolean): Formatted {
  const text = textOf(transcript)
  switch (format) {
    case 'text':
      return { type: 'text/plain; charset=utf-8', text }
    case 'srt':
      return { type: 'text/plain; charset=utf-8', text: toSrt(transcript.segments) }
    case 'vtt':
      return { type: 'text/vtt; charset=utf-8', text: toVtt(transcript.segments) }
    case 'verbose_json': {
      const { language, seconds: duration } = transcript
      const segments = transcript.segments.map(({ start, end, text, speaker }, id) => ({ id, start, end, text, speaker }))
      const words = withWords && { words: transcript.segments.flatMap((segment) => segment.words ?? []) }
      return { type: 'application/json', text: JSON.stringify({ task: 'transcribe', language, duration, text, segments, ...words }) }
    }
    case 'json':
      return { type: 'application/json', text: JSON.stringify({ text }) }
  }
}
