// The subtitles of a track. Pure.
import type { WrittenCue } from '#shared/subtitles/write.ts'
import { type DubLine, ownEntry } from '../store/dub.ts'
import type { PlacedLine, TimeLine } from '../timeline/time-line.ts'

export type CueSource = {
  readonly segments: readonly DubLine[]
  /** By id of the line; null for the lines themselves. */
  readonly texts: Readonly<Record<string, string>> | null
  /** Where the lines of a track are heard; null for the times of the film. */
  readonly placed: readonly PlacedLine[] | null
  readonly map: TimeLine['map'] | null
  /** The original below the text. */
  readonly isDual: boolean
}

/** One cue for each line with a text, by start. Lines that a track leaves silent have the times of the film. */
export function cuesOf({ segments, texts, placed, map, isDual }: CueSource): WrittenCue[] {
  const places = new Map(placed?.map((line) => [line.id, line]))
  const at = (us: number) => (map ? map.at(us) : us)
  return segments
    .map(({ id, startUs, endUs, text, textOriginal }) => {
      const place = places.get(id)
      const isPlaced = place !== undefined && place.lengthUs > 0
      const shown = clean((texts && ownEntry(texts, id)) ?? text)
      const original = clean(textOriginal || text)
      return {
        startUs: isPlaced ? place.startUs : at(startUs),
        endUs: isPlaced ? place.startUs + place.lengthUs : at(endUs),
        text: shown,
        original: isDual && original !== shown ? original : null,
      }
    })
    .filter(({ text, startUs, endUs }) => text !== '' && endUs > startUs)
    .sort((left, right) => left.startUs - right.startUs || left.endUs - right.endUs)
}

const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\r]/gu, ' ')
    .trim()
