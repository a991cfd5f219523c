// A case: what is given to which entrance of a studio, and what is right.
import type { DictionaryValue } from './entrances/dictionary.ts'
import type { FilmValue, TracksValue } from './entrances/films.ts'
import type { RecordingValue } from './entrances/recordings.ts'
import type { SubtitleValue } from './entrances/subtitles.ts'

/** Values that each entrance returns, in a form that is easy to compare. */
export type Values = {
  /** The cues of a text: POST /dub/parse-subtitle-text. */ readonly subtitles: SubtitleValue
  /** The lines of a dub from a file: POST /dub/import-srt. */ readonly 'subtitle file': SubtitleValue
  /** POST /v1/audio/transcriptions. */ readonly transcript: RecordingValue
  /** A film with a voice track, exported in every form. */ readonly film: FilmValue
  /** The places of the same sound in both tracks of an export. */ readonly tracks: TracksValue
  /** A text after the pronunciation dictionary: POST /pronunciation/test. */ readonly dictionary: DictionaryValue
}
export type Entrance = keyof Values
/** A file of `files/`, or a text. `with`: what the owner has set, such as entries of a dictionary. */
export type Input = ({ readonly file: string } | { readonly text: string }) & { readonly with?: Readonly<Record<string, string>> }
export type Case = { [E in Entrance]: Input & { readonly kind: string; readonly entrance: E; readonly right: Values[E] } }[Entrance]
