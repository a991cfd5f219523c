// The lines of a dub from subtitles, and their cleaning.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { type DubLine, isAsStored, lineRow, mergedLine, NEW_LINE } from '#control-plane/features/dubbing/store/line.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanedLines } from './cleanup.rules.ts'
import { type DubLinesBody, MAX_LINES, type SubtitleReading } from './lines.contract.ts'
import { parsedSubtitles, subtitleHints } from './subtitle-file.ts'

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
    async parse(source: string | Uint8Array, choice: SubtitleReading = {}) {
      const { cues, counts, format, encoding, notices } = await parsedSubtitles(source, choice)
      return {
        segments: cues.map(({ startUs, endUs, text, speaker }) => ({
          ...{ start: secondsOf(startUs), end: secondsOf(endUs), text },
          ...(speaker === null ? {} : { speaker }),
        })),
        skipped_cues: counts.skipped,
        dropped_overlaps: counts.droppedOverlaps,
        ...{ format, encoding, notices: [...notices] },
      }
    },

    /** Throws NOT_FOUND, BAD_REQUEST for a file without cues of this film, CONFLICT during a transcription, BODY_TOO_LARGE. */
    async importFile(dubId: string, bytes: Uint8Array, choice: SubtitleReading = {}) {
      const dub = dubOf(dubId)
      const { cues, counts, format, encoding, notices } = await parsedSubtitles(bytes, { ...choice, ...subtitleHints(dub, choice) })
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
        ...{ format, encoding, notices: [...notices] },
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
