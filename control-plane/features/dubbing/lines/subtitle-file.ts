// Subtitle files as the routes of a dub take them, and why one is refused.
import type { Dub } from '#control-plane/features/dubbing/store/dub.ts'
import { secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { ReadOptions, ReadSubtitles } from '#shared/subtitles/read.ts'
import { UnreadableSubtitles } from '#shared/subtitles/unreadable.ts'

/** Throws BODY_TOO_LARGE, BAD_REQUEST for an empty file, one that is damaged and one without cues. */
export async function parsedSubtitles(source: string | Uint8Array, options: ReadOptions): Promise<ReadSubtitles> {
  if (typeof source !== 'string' && source.length === 0) throw new Failure('BAD_REQUEST', 'The file is empty.')
  // The parser of XML is not loaded at the start of a studio.
  const { MAX_SUBTITLE_CHARS, readSubtitles } = await import('#shared/subtitles/read.ts')
  const found = orRefused(() => readSubtitles(source, options))
  if (found.chars > MAX_SUBTITLE_CHARS)
    throw new Failure('BODY_TOO_LARGE', `The subtitles have more than ${MAX_SUBTITLE_CHARS.toLocaleString('en')} characters.`)
  if (found.cues.length > 0) return found
  if (found.counts.afterEnd > 0)
    throw new Failure(
      'BAD_REQUEST',
      `All subtitles begin after the end of the film, which is ${secondsOf(options.mediaUs!).toFixed(1)} s long.`,
    )
  throw new Failure(
    'BAD_REQUEST',
    'There are no subtitles in this text. Send SRT or WebVTT, with times such as 00:00:01,000 --> 00:00:02,500, or ASS, SSA, SBV, TTML, MicroDVD or LRC.',
  )
}

function orRefused<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof UnreadableSubtitles ? new Failure('BAD_REQUEST', error.message) : error
  }
}

/** Facts of the film for its subtitles: length, pictures in a second, and language where the request names none. */
export function subtitleHints({ sound, probe, sourceLang }: Dub, { language }: Pick<ReadOptions, 'language'>): ReadOptions {
  const rate = probe?.video?.frameRate
  const spoken = probe?.audio.find(({ isDefault }) => isDefault) ?? probe?.audio[0]
  return {
    mediaUs: sound?.durationUs ?? null,
    filmRate: rate ? rate.numerator / rate.denominator : null,
    language: twoLetterCode(language || sourceLang || spoken?.language || ''),
  }
}

/** Null for a tag that is no language. Files name languages by three letters. */
function twoLetterCode(tag: string): string | null {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return null
  }
}
