// Compares segments with where the voice detector found a voice: what no segment covers, which segments reach over a removed pause, and
// where a segment starts and ends. All times are seconds in the speech, which is the recording without long pauses. Pure.
import type { Stretch } from '#agent/engine/audio/condensed.ts'

export type CondensedSpeech = {
  /** At WHISPER_RATE. */
  readonly samples: Float32Array
  /** In order, without overlap. */
  readonly voice: readonly Stretch[]
  /** Places of removed pauses, ascending. */
  readonly borders: readonly number[]
}
type VoicePlaces = Pick<CondensedSpeech, 'voice' | 'borders'>

/** A voice without words that is not longer is no loss: times of Whisper are that inexact. */
export const MIN_VOICE_SECONDS = 0.5
/** A segment that ends near the start of the next stretch has less of its voice than this. */
const MIN_PART_SECONDS = 0.4
/**
 * Share of the voice of a stretch above which a shorter part counts: a short word is a stretch of its own, which its segment nearly fills.
 */
const MAX_OF_STRETCH = 0.8
/** Kept before and after the voice of a segment: soft sounds at the edges of words are no voice for the detector. */
const EDGE_SECONDS = 0.15

/** Seconds of voice between two times. */
export function voiceWithin(voice: readonly Stretch[], from: number, to: number): number {
  let sum = 0
  for (const { start, end } of voice) {
    if (start >= to) break
    if (end > from) sum += Math.min(end, to) - Math.max(start, from)
  }
  return sum
}

/** When a word begins that may have the pause before it: where the voice begins in which it ends. */
export function onsetOf({ start, end }: Stretch, voice: readonly Stretch[]): number {
  const onset = voice.findLast((one) => one.start < end - EDGE_SECONDS)
  return onset ? Math.max(start, onset.start - EDGE_SECONDS) : start
}

/** The parts of a range between removed pauses. */
export function dividedAt(borders: readonly number[], { start, end }: Stretch): Stretch[] {
  const cuts = [start, ...borders.filter((border) => border > start && border < end), end]
  return cuts.slice(1).map((cut, at) => ({ start: cuts[at]!, end: cut }))
}

/** A voice that goes on beyond the range belongs to a segment beside it, whose end is not exact: it counts half. */
const weighedVoice = (voice: readonly Stretch[], from: number, to: number): number =>
  voice.reduce((sum, { start, end }) => {
    const seconds = Math.min(end, to) - Math.max(start, from)
    return seconds <= 0 ? sum : sum + (start < from || end > to ? seconds / 2 : seconds)
  }, 0)

/** The parts of `range` with a voice that no segment covers, each between two segments or removed pauses. */
export function uncovered(range: Stretch, segments: readonly Stretch[], { voice, borders }: VoicePlaces): Stretch[] {
  const gaps: Stretch[] = []
  let at = range.start
  for (const { start, end } of segments.toSorted((left, right) => left.start - right.start)) {
    if (start > at) gaps.push({ start: at, end: Math.min(start, range.end) })
    at = Math.max(at, end)
  }
  if (at < range.end) gaps.push({ start: at, end: range.end })
  return gaps.flatMap((gap) => dividedAt(borders, gap)).filter(({ start, end }) => weighedVoice(voice, start, end) >= MIN_VOICE_SECONDS)
}

/**
 * The parts of a segment between removed pauses that have its voice. Whisper ends a sentence where the next one begins, and starts one where the
 * last one ended, so the first and last of them may belong to other segments.
 */
function spokenParts(segment: Stretch, { voice, borders }: VoicePlaces): Stretch[] {
  const parts = dividedAt(borders, segment).map((part) => ({ ...part, seconds: voiceWithin(voice, part.start, part.end) }))
  if (parts.length === 1) return parts
  const stretchOf = ({ start, end }: Stretch) => ({
    start: borders.findLast((border) => border <= start) ?? 0,
    end: borders.find((border) => border >= end) ?? Number.POSITIVE_INFINITY,
  })
  const isSpoken = (part: (typeof parts)[number]) => {
    const stretch = stretchOf(part)
    return part.seconds >= MIN_PART_SECONDS || part.seconds > MAX_OF_STRETCH * voiceWithin(voice, stretch.start, stretch.end)
  }
  const spoken = parts.filter(isSpoken)
  if (spoken.length > 0) return spoken
  return [parts.reduce((most, part) => (part.seconds > most.seconds ? part : most))]
}

/** The removed pause after the first words of a segment that has words on both sides of one; null for any other. */
export const pauseWithin = (segment: Stretch, found: VoicePlaces): number | null => {
  const parts = spokenParts(segment, found)
  return parts.length > 1 ? parts[0]!.end : null
}

/** The segment without the silence at its ends. A segment without a voice stays within its part of the speech. */
export function trimmedToVoice<S extends Stretch>(segment: S, found: VoicePlaces): S {
  const parts = spokenParts(segment, found)
  const [start, end] = [parts[0]!.start, parts.at(-1)!.end]
  const inside = found.voice.filter((voice) => voice.end > start + EDGE_SECONDS && voice.start < end - EDGE_SECONDS)
  if (inside.length === 0) return { ...segment, start, end }
  return {
    ...segment,
    start: Math.max(start, inside[0]!.start - EDGE_SECONDS),
    end: Math.min(end, inside.at(-1)!.end + EDGE_SECONDS),
  }
}
