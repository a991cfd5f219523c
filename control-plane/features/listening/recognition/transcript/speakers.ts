// Combines a transcript with the turns of a diarisation. Pure.
import type { SpeakerTurn } from '#shared/operations/diarize.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import type { SubtitleSegment } from './subtitles.ts'

type Span = { readonly start: number; readonly end: number }

/** The name that users see. */
export const speakerName = (speaker: number): string => `Speaker ${speaker + 1}`

/** The speaker of most of the span, or of the nearest turn when none overlaps; null without turns. `turns` in the order of their start. */
function speakerOf({ start, end }: Span, turns: readonly SpeakerTurn[]): number | null {
  const shares = new Map<number, number>()
  let nearest: { speaker: number; gap: number } | null = null
  for (const turn of turns) {
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (overlap > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + overlap)
    if (!nearest || -overlap < nearest.gap) nearest = { speaker: turn.speaker, gap: -overlap }
  }
  // If two speakers have equal shares, the one whose turn started first.
  const [most] = [...shares].sort(([, one], [, other]) => other - one)
  return most ? most[0] : (nearest?.speaker ?? null)
}

/**
 * Each segment with its speaker. A segment with word times is divided where the speaker changes; any other segment gets the speaker of most
 * of its duration. Without turns the segments have no speakers.
 */
export function withSpeakers(segments: readonly SubtitleSegment[], turns: readonly SpeakerTurn[]): SubtitleSegment[] {
  if (turns.length === 0) return [...segments]
  return segments.flatMap((segment): SubtitleSegment[] => {
    const { words } = segment
    if (!words || words.length === 0) return [named(segment, speakerOf(segment, turns))]
    const near = turns.filter((turn) => turn.end > segment.start && turn.start < segment.end)
    const within = (word: Span) => near.some((turn) => turn.end > word.start && turn.start < word.end)
    const assigned = words.map((word) => ({ word, speaker: speakerOf(word, within(word) ? near : turns) }))
    const groups: { speaker: number | null; words: (typeof words)[number][] }[] = []
    for (const { word, speaker } of assigned) {
      const last = groups.at(-1)
      if (last && last.speaker === speaker) last.words.push(word)
      else groups.push({ speaker, words: [word] })
    }
    if (groups.length === 1) return [named(segment, groups[0]!.speaker)]
    const texts = dividedText(segment.text, groups)
    return groups.map(({ speaker, words: own }, at) => {
      const [start, end] = [own[0]!.start, Math.max(...own.map((word) => word.end))]
      return named({ start, end, text: texts[at]!, words: own }, speaker)
    })
  })
}

function named(segment: SubtitleSegment, speaker: number | null): SubtitleSegment {
  if (speaker === null) return segment
  const name = speakerName(speaker)
  return { ...segment, speaker: name, ...(segment.words && { words: segment.words.map((word) => ({ ...word, speaker: name })) }) }
}

/** The text of each group with the spacing and punctuation of the whole text. */
function dividedText(text: string, groups: readonly { readonly words: readonly { readonly word: string }[] }[]): string[] {
  const starts: number[] = []
  let at = 0
  for (const { words } of groups) {
    for (const [index, { word }] of words.entries()) {
      const found = text.indexOf(word.trim(), at)
      // Words that do not occur literally in the text are joined by the rule of their writing.
      if (found < 0) return groups.map((group) => joinPieces(group.words.map((one) => one.word)))
      if (index === 0) starts.push(found)
      at = found + word.trim().length
    }
  }
  return starts.map((start, index) => text.slice(index === 0 ? 0 : start, starts[index + 1] ?? text.length).trim())
}
