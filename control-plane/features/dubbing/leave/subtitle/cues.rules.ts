// The subtitles of a track. Pure.

import { ownEntry } from '#control-plane/features/dubbing/store/dub.ts'
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import type { PlacedLine, TimeLine } from '#control-plane/features/dubbing/voice/timeline/time-line.ts'
import type { WrittenCue } from '#shared/subtitles/write.ts'

export type CueSource = {
  readonly segments: readonly DubLine[]
  /** By id of the line; null for the lines themselves. */
  readonly texts: Readonly<Record<string, string>> | null
  /** The lines that a track was asked for, at their times in the film. */
  readonly asked?: readonly AskedLine[] | null
  /** Places of the spoken lines of a track; null for the times of the film. */
  readonly placed: readonly PlacedLine[] | null
  readonly map: TimeLine['map'] | null
  /** The original below the text. */
  readonly isDual: boolean
}

type AskedLine = Pick<DubLine, 'id' | 'startUs' | 'endUs'>

/**
 * One cue for each line with a text, by start. Lines that a track leaves silent have the times of the film. A track whose client divided the film
 * into lines of its own has these.
 */
export function cuesOf({ segments: stored, texts, asked, placed, map, isDual }: CueSource): WrittenCue[] {
  const ids = new Set(stored.map(({ id }) => id))
  const segments = asked?.some(({ id }) => !ids.has(id)) ? asked.map((line) => ownLine(line, stored)) : stored
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

/** A line of a track alone. Its original are the lines whose middle is within it. */
const ownLine = ({ id, startUs, endUs }: AskedLine, stored: readonly DubLine[]) => ({
  ...{ id, startUs, endUs, text: '' },
  textOriginal: stored
    .filter((line) => line.startUs + line.endUs > 2 * startUs && line.startUs + line.endUs < 2 * endUs)
    .map((line) => line.textOriginal || line.text)
    .join(' '),
})

const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\r]/gu, ' ')
    .trim()
