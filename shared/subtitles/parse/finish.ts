// Cues of a file as a dub needs them. Pure.
import type { SubtitleCounts, SubtitleCue } from './cue.ts'
import { placed } from './place.ts'
import type { RawSubtitles } from './raw.ts'
import { withoutRepeats } from './running.ts'
import { namedSpeakers } from './speakers.ts'

/** `cues` are in order and do not overlap. */
export type ParsedSubtitles = { readonly cues: readonly SubtitleCue[]; readonly counts: SubtitleCounts }

/** UTF-16 units; longer names are cut. */
const MAX_SPEAKER = 100

/** Each phrase once, names of speakers apart from their text, and no overlaps. `mediaUs`: the length of the film; null when it is not known. */
export function finished({ cues: read, skipped, hasWordTimes }: RawSubtitles, mediaUs: number | null): ParsedSubtitles {
  const inOrder = read.map(withShortName).toSorted((left, right) => left.startUs - right.startUs)
  const once = withoutRepeats(inOrder, hasWordTimes)
  const { cues, counts } = placed(namedSpeakers(once), mediaUs)
  const droppedOverlaps = counts.droppedOverlaps + read.length - once.length
  return { cues, counts: { ...counts, imported: cues.length, skipped, droppedOverlaps } }
}

const withShortName = (cue: SubtitleCue): SubtitleCue =>
  cue.speaker !== null && cue.speaker.length > MAX_SPEAKER ? { ...cue, speaker: cue.speaker.slice(0, MAX_SPEAKER).toWellFormed() } : cue
