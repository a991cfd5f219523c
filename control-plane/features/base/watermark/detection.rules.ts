// Chooses the stretches of a recording that are searched, and reports what a search found. Pure.
import type { MarkFound } from '#shared/audio/mark/mark-detect.ts'

export const EXTENSIONS: readonly string[] = ['wav', 'mp3', 'flac', 'ogg', 'm4a', 'aac', 'opus']
/** Stretches of a recording that are searched at most. */
export const MAX_STRETCHES = 20

/** Indices of the stretches to search, of `count`: the first and the last one first, then evenly between them. */
export function sampled(count: number, most = MAX_STRETCHES): number[] {
  if (count <= most) return [...Array(count).keys()]
  const even = Array.from({ length: most }, (_, at) => Math.round((at * (count - 1)) / (most - 1)))
  return [even[0]!, even.at(-1)!, ...even.slice(1, -1)]
}

export type Searched = MarkFound & { readonly speed: number }
export const replyOf = ({ level, confidence, payload, keyIndex, speed }: Searched) => ({
  is_watermarked: confidence > 0.5,
  confidence: Math.round(confidence * 1e4) / 1e4,
  message_bits: payload === null ? '' : payload.toString(2).padStart(32, '0'),
  is_svc_engine: keyIndex !== null,
  source: level === 'none' ? ('unknown' as const) : ('VoiceStudio' as const),
  speed,
})
