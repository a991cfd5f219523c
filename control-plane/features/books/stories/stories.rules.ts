// Formats and bitrates of encoded stories. Pure.
import type { TranscodeFormat } from '#control-plane/media/ffmpeg/transcode.ts'

type StoryFormat = Extract<TranscodeFormat, 'mp3' | 'm4b' | 'ogg'>
export const STORY_TYPES: Readonly<Record<StoryFormat, string>> = { mp3: 'audio/mpeg', m4b: 'audio/mp4', ogg: 'audio/ogg' }
const DEFAULT_KBPS = 192
/** Bitrates that the encoders accept. */
const LOWEST_KBPS = 8
const HIGHEST_KBPS: Readonly<Record<StoryFormat, number>> = { mp3: 320, m4b: 320, ogg: 256 }

/** Null for an unknown format. */
export function formatOf(text: string): StoryFormat | null {
  const format = text.trim().toLowerCase()
  return Object.hasOwn(STORY_TYPES, format) ? (format as StoryFormat) : null
}

/** The nearest possible bitrate to one like `96k`; 192 for any other text. */
export function kbpsOf(text: string, format: StoryFormat): number {
  const kbps = /^\d{2,3}k$/.test(text) ? Number.parseInt(text, 10) : DEFAULT_KBPS
  return Math.max(LOWEST_KBPS, Math.min(HIGHEST_KBPS[format], kbps))
}
