// The lines of a dub from subtitles, and their cleaning.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { type DubLine, isAsStored, lineRow, mergedLine, NEW_LINE } from '#control-plane/features/dubbing/store/line.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { decodeSubtitles } from '#shared/subtitles/parse/decode.ts'
import { MAX_SUBTITLE_CHARS, type ParsedSubtitles, parseSubtitles } from '#shared/subtitles/parse/parse.ts'
import { cleanedLines } from './cleanup.rules.ts'
import { type DubLinesBody, MAX_LINES } from './lines.contract.ts'

export type DubLines = ReturnType<typeof createDubLines>
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'dub' | 'saved'>
  /** True if the lines of the dub are being made now. */
  readonly isTranscribing: (dubId: string) => Promise<boolean>
}
const DEFAULT_SPEAKER = 'Speaker 1'

export function createDubLines({ core: { store, dub: dubOf, saved }, isTranscribing }: Deps) {
  async function requireIdle(dubId: string): Promise<void> {
    if (await isTranscribing(dubId))
      throw new Failure(
        'CONFLICT',
        'The film is being transcribed, which would replace these lines. Wait until it has ended, or cancel it.',
      )
  }

  return {
    /** Throws NOT_FOUND. */
    require: (dubId: string): void => void dubOf(dubId),
    /** Throws BODY_TOO_LARGE, BAD_REQUEST without cues. */
    parse(text: string) {
      const { cues, counts } = parsed(text, null)
      return {
        segments: cues.map((cue) => ({ start: secondsOf(cue.startUs), end: secondsOf(cue.endUs), text: cue.text })),
        skipped_cues: counts.skipped,
        dropped_overlaps: counts.droppedOverlaps,
      }
    },

    /** Throws NOT_FOUND, BAD_REQUEST for a file without cues of this film, CONFLICT during a transcription, BODY_TOO_LARGE. */
    async importFile(dubId: string, bytes: Uint8Array) {
      const dub = dubOf(dubId)
      if (bytes.length === 0) throw new Failure('BAD_REQUEST', 'The file is empty.')
      const { cues, counts } = parsed(decodeSubtitles(bytes), dub.sound?.durationUs ?? null)
      if (cues.length > MAX_LINES)
        throw new Failure(
          'BAD_REQUEST',
          `The file has ${cues.length.toLocaleString('en')} subtitles; a dub has at most ${MAX_LINES.toLocaleString('en')} lines.`,
        )
      await requireIdle(dubId)
      const lines = cues.map(
        (cue, at): DubLine => ({
          ...NEW_LINE,
          ...{ id: String(at), startUs: cue.startUs, endUs: cue.endUs, text: cue.text, textOriginal: cue.text },
          speakerId: cue.speaker ?? DEFAULT_SPEAKER,
        }),
      )
      store.segments.replaceByOthers(dubId, lines)
      saved(dubId)
      return {
        segments: lines.map(lineRow),
        stats: {
          imported: lines.length,
          skipped_malformed: counts.skipped,
          dropped_overlap: counts.droppedOverlaps,
          clamped_to_duration: counts.clamped + counts.afterEnd,
        },
      }
    },

    /** Throws NOT_FOUND, BAD_REQUEST for ids that repeat and for a line that ends before it starts, CONFLICT during a transcription. */
    async store(dubId: string, { segments }: DubLinesBody) {
      dubOf(dubId)
      await requireIdle(dubId)
      const before = new Map(store.segments.list(dubId).map((line) => [line.id, line]))
      const lines = storedLines(segments, before)
      store.segments.replace(dubId, lines)
      saved(dubId)
      return { segments: lines.map(lineRow) }
    },

    /** Throws NOT_FOUND, CONFLICT during a transcription. */
    async cleanUp(dubId: string) {
      dubOf(dubId)
      await requireIdle(dubId)
      const before = store.segments.list(dubId)
      const lines = cleanedLines(before)
      store.segments.replace(dubId, lines)
      saved(dubId)
      return { segments: lines.map(lineRow), before: before.length, after: lines.length }
    },
  }
}

function storedLines(segments: DubLinesBody['segments'], before: ReadonlyMap<string, DubLine>): DubLine[] {
  const seen = new Set<string>()
  return segments.map((sent) => {
    const id = String(sent.id)
    if (seen.has(id)) throw new Failure('BAD_REQUEST', `The line ${id} occurs twice. Send every line once.`)
    seen.add(id)
    const old = before.get(id)
    // A line that the studio has may be kept as it is.
    if (sent.end <= sent.start && !isAsStored(sent, old))
      throw new Failure('BAD_REQUEST', `The line ${id} ends at ${sent.end} s, which is not after its start. Correct its times.`)
    return mergedLine(sent, old)
  })
}

function parsed(text: string, mediaUs: number | null): ParsedSubtitles {
  if (text.length > MAX_SUBTITLE_CHARS)
    throw new Failure('BODY_TOO_LARGE', `The subtitles have more than ${MAX_SUBTITLE_CHARS.toLocaleString('en')} characters.`)
  const found = parseSubtitles(text, mediaUs)
  if (found.cues.length > 0) return found
  if (found.counts.afterEnd > 0)
    throw new Failure('BAD_REQUEST', `All subtitles begin after the end of the film, which is ${secondsOf(mediaUs!).toFixed(1)} s long.`)
  throw new Failure(
    'BAD_REQUEST',
    'There are no subtitles in this text. Send SRT or WebVTT, with times such as 00:00:01,000 --> 00:00:02,500.',
  )
}
