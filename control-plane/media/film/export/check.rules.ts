// Compares a finished export with its plan, as ffprobe reads it. Pure.
import type { FilmProbe } from '../probe/probe.rules.ts'

export type ExportExpectation = {
  readonly durationUs: number
  /** Microseconds of the longest frame of picture or sound. */
  readonly frameUs: number
  readonly hasPicture: boolean
  readonly sounds: number
  readonly chapters: number
}

/** A frame of AAC, and the delay of its encoder. */
const CODEC_US = 45_000
/** A picture may end before the sound of its film by this share of the length: players show the last one until the end. */
const PICTURE_SHARE = 0.02

/** True if a picture of this length is long enough. */
export const isLongEnough = (pictureUs: number, { durationUs, frameUs }: Pick<ExportExpectation, 'durationUs' | 'frameUs'>): boolean =>
  pictureUs >= durationUs * (1 - PICTURE_SHARE) - frameUs - CODEC_US

/** Difference from the plan, as a sentence; null for an export that agrees. */
export function objectionToExport(film: FilmProbe, lengthUs: number | null, expected: ExportExpectation): string | null {
  const { durationUs, frameUs, hasPicture, sounds, chapters } = expected
  const seconds = (us: number) => (us / 1e6).toFixed(2)
  const tolerance = frameUs + CODEC_US
  if ((film.video !== null) !== hasPicture) return `The file has ${film.video ? 'a' : 'no'} picture.`
  if (film.audio.length !== sounds) return `The file has ${film.audio.length} tracks of sound instead of ${sounds}.`
  if (film.chapters.length !== chapters) return `The file has ${film.chapters.length} chapters instead of ${chapters}.`
  if (lengthUs === null || Math.abs(lengthUs - durationUs) > tolerance)
    return `The file lasts ${seconds(lengthUs ?? 0)} s instead of ${seconds(durationUs)} s.`
  const pictureUs = film.video?.durationUs ?? null
  if (pictureUs !== null && (pictureUs > durationUs + tolerance || !isLongEnough(pictureUs, expected)))
    return `The picture lasts ${seconds(pictureUs)} s instead of ${seconds(durationUs)} s.`
  return null
}
