// Compares a finished book with its plan, as ffprobe reads it.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { probeMedia } from '../ffmpeg/ffprobe.ts'

export type BookExpectation = { readonly chapters: number; readonly seconds: number; readonly hasCover: boolean }

const CHAPTER_SECONDS = 0.05
/** Tolerances. Players estimate the length of MP3 from its first frames; the length of MP4 is exact except for the delay of the encoder. */
const LENGTH_SECONDS = 0.2
const LENGTH_SHARE = 0.002

const Probed = z.object({
  chapters: z.array(z.object({ end_time: z.string().optional() })).optional(),
  format: z.object({ duration: z.string().optional() }).optional(),
  streams: z.array(z.object({ disposition: z.object({ attached_pic: z.number().optional() }).optional() })).optional(),
})
type Probed = z.infer<typeof Probed>

/** Difference from the plan, as a sentence; null for a book that agrees. Pure. */
export function objectionToBook(probed: Probed, { chapters, seconds, hasCover }: BookExpectation): string | null {
  const marks = probed.chapters ?? []
  const last = Number(marks.at(-1)?.end_time)
  const length = Number(probed.format?.duration)
  if (marks.length !== chapters) return `The file has ${marks.length} chapters instead of ${chapters}.`
  if (!(Math.abs(last - seconds) <= CHAPTER_SECONDS)) return `The last chapter ends at ${last} s instead of ${seconds} s.`
  if (!(Math.abs(length - seconds) <= LENGTH_SECONDS + LENGTH_SHARE * seconds)) return `The file has ${length} s instead of ${seconds} s.`
  const isThere = (probed.streams ?? []).some(({ disposition }) => disposition?.attached_pic === 1)
  return isThere === hasCover ? null : `The file has ${isThere ? 'a' : 'no'} cover.`
}

/** Throws UNKNOWN with what differs, and what `probeMedia` throws. */
export async function checkBook(
  program: string,
  path: string,
  expected: BookExpectation,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const probed = Probed.parse(JSON.parse(await probeMedia(program, path, clock, signal, ['-show_chapters'])))
  const objection = objectionToBook(probed, expected)
  if (objection) throw new Failure('UNKNOWN', `The audiobook was not written as planned. ${objection}`)
}
