// The one door for subtitle files: bytes or a text of any format and encoding as cues. Pure; linear in the length of the file.

import type { TextEncoding } from '#shared/text/encoding/encodings.ts'
import { decodeSubtitles } from './decode.ts'
import { readAss } from './formats/ass.ts'
import { subtitleFormatOf } from './formats/format.ts'
import type { SubtitleFormat } from './formats/format-names.ts'
import { readLrc, readMicroDvd, readSbv } from './formats/lines.ts'
import { readTtml } from './formats/ttml.ts'
import { finished, type ParsedSubtitles } from './parse/finish.ts'
import { readSrt } from './parse/parse.ts'
import { type RawSubtitles, subtitleLines } from './parse/raw.ts'
import { UnreadableSubtitles } from './unreadable.ts'

/** In UTF-16 units. Callers refuse longer texts. */
export const MAX_SUBTITLE_CHARS = 2_000_000
/** About 20,000 subtitles. They are read in one step, which takes a quarter of a second. */
const MAX_LINES = 100_000

export type ReadOptions = {
  /** Null to find out. */
  readonly encoding?: TextEncoding | null | undefined
  /** The language of the subtitles or of the film, which decides between encodings that are about as probable. Null when it is not known. */
  readonly language?: string | null | undefined
  /** The length of the film; null when it is not known. */
  readonly mediaUs?: number | null | undefined
  /** Pictures in a second of the film; null when it is not known. */
  readonly filmRate?: number | null | undefined
}
export type ReadSubtitles = ParsedSubtitles & {
  readonly format: SubtitleFormat
  /** Null for a text, whose caller decoded it. */
  readonly encoding: TextEncoding | null
  /** Length of the text in UTF-16 units. */
  readonly chars: number
  /** Sentences about what was assumed or left out. */
  readonly notices: readonly string[]
}

/**
 * Throws UnreadableSubtitles for TTML that is damaged or declares types, and for more than MAX_LINES lines. A file without cues has none, and one that is longer than
 * MAX_SUBTITLE_CHARS is not read: its `chars` say so.
 */
export function readSubtitles(source: Uint8Array | string, options: ReadOptions = {}): ReadSubtitles {
  const { encoding = null, language = null, mediaUs = null, filmRate = null } = options
  const decoded = typeof source === 'string' ? null : decodeSubtitles(source, { chosen: encoding, language })
  const text = (decoded?.text ?? (source as string)).replaceAll('\0', '').replace(/^\ufeff/, '')
  const isTooLong = text.length > MAX_SUBTITLE_CHARS
  const lines = subtitleLines(isTooLong ? '' : text)
  if (lines.length > MAX_LINES)
    throw new UnreadableSubtitles(
      `The file has ${lines.length.toLocaleString('en')} lines; subtitles have at most ${MAX_LINES.toLocaleString('en')}. Split the file.`,
    )
  const format = isTooLong ? 'srt' : subtitleFormatOf(text, lines)
  const raw = READERS[format](lines, text, filmRate)
  const notices = [...(decoded ? noticesOf(decoded) : []), ...raw.notices]
  return { ...finished(raw, mediaUs), format, encoding: decoded?.encoding ?? null, chars: text.length, notices }
}

const READERS: { readonly [F in SubtitleFormat]: (lines: readonly string[], text: string, filmRate: number | null) => RawSubtitles } = {
  srt: readSrt,
  vtt: readSrt,
  ass: readAss,
  ssa: readAss,
  sbv: readSbv,
  ttml: (_, text) => readTtml(text),
  microdvd: (lines, _, filmRate) => readMicroDvd(lines, filmRate),
  lrc: readLrc,
}

function noticesOf({ text, encoding, by }: ReturnType<typeof decodeSubtitles>): string[] {
  const damaged = text.split('\ufffd').length - 1
  return [
    ...(by === 'assumed' ? [`The file does not state its encoding; ${encoding} was assumed.`] : []),
    ...(damaged > 0
      ? [`${damaged === 1 ? 'One character' : `${damaged.toLocaleString('en')} characters`} of the file cannot be read in this encoding.`]
      : []),
  ]
}
