// Plans of exports: a film with new sound, or sound alone.
import type { FilmChapter, FilmProbe } from '../probe/probe.rules.ts'

export type ExportTrack = {
  /** A folder of sound, or the position of a stream of the film, which is copied where MP4 can hold it. */
  readonly sound: { readonly folder: string } | { readonly stream: number }
  /** A BCP 47 tag or an ISO 639 code; null for an unknown language. */
  readonly language: string | null
  readonly title: string | null
}
export type ExportSubtitles = {
  /** The text of an SRT file. */ readonly srt: string
  readonly language: string | null
  readonly title: string | null
}
export type FilmExport = {
  readonly source: string
  readonly film: FilmProbe
  /** Length of the result. */
  readonly durationUs: number
  /** Length of its sound. The last picture stays until then; more of `durationUs` must be in the film. */
  readonly soundUs: number
  /** The first one is the default. */
  readonly tracks: readonly ExportTrack[]
  readonly subtitles: readonly ExportSubtitles[]
  /** The expression of the new time of each frame in seconds, as a function of `T`; null keeps the times. */
  readonly retime: string | null
  /** The text of an ASS file that is drawn into the picture, and its language; null for none. */
  readonly burn: { readonly ass: string; readonly language: string | null } | null
  /** In the time of the result. */
  readonly chapters: readonly FilmChapter[]
  readonly title: string | null
  /** kbit/s of each sound that is encoded. */
  readonly audioKbps: number
  /** The file, on the disk of the scratch folder. */
  readonly to: string
}
export type ExportedFilm = {
  readonly path: string
  readonly bytes: number
  readonly durationUs: number
  readonly isPictureCopied: boolean
  /** Defects of the result, as sentences. */
  readonly warnings: readonly string[]
}

export type SoundFileFormat = 'wav' | 'm4a' | 'mp3' | 'flac'
export type SoundExport = {
  /** A folder of sound. */
  readonly sound: string
  readonly format: SoundFileFormat
  /** kbit/s of MP3 and M4A, from 32 to 320. */
  readonly kbps: number
  readonly title: string | null
  readonly language: string | null
  readonly to: string
}
export type ExportedSound = { readonly path: string; readonly bytes: number; readonly durationUs: number }
