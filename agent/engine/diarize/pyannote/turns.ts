// The turns of the speakers from what each window says of them. Pure.
import type { SpeakerTurn } from '#shared/operations/diarize.ts'
import {
  countOf,
  FRAME_LENGTH,
  FRAME_STEP,
  FRAMES,
  isSpeaking,
  RATE,
  roundedToEven,
  SPEAKERS,
  STEP,
  type WindowActivity,
} from './activity.ts'

/** The speaker of each of the three of a window; null for one without a voice. */
export type WindowSpeakers = readonly (number | null)[]
/** Middle of a frame. */
const MIDDLE_SECONDS = FRAME_LENGTH / 2 / RATE

/**
 * In each frame as many speakers as the windows have on average, those that most windows name. Turns have no least length, and pauses neither.
 * `speakers` and `activities`: of each window.
 */
export function turnsOf(activities: readonly WindowActivity[], speakers: readonly WindowSpeakers[], seconds: number): SpeakerTurn[] {
  const count = speakers.flat().reduce<number>((most, speaker) => Math.max(most, (speaker ?? -1) + 1), 0)
  const frames = firstFrame(activities.length - 1) + FRAMES
  const windows = new Uint16Array(frames)
  const counts = new Uint16Array(frames)
  const votes = Array.from({ length: count }, () => new Uint16Array(frames))
  for (const [window, activity] of activities.entries()) {
    for (const [at, frame] of activity.entries()) {
      const place = firstFrame(window) + at
      windows[place]!++
      counts[place]! += countOf(frame)
      const found = new Set<number>()
      for (let speaker = 0; speaker < SPEAKERS; speaker++) {
        const named = speakers[window]![speaker]
        if (named !== null && named !== undefined && isSpeaking(frame, speaker)) found.add(named)
      }
      for (const speaker of found) votes[speaker]![place]!++
    }
  }
  const open = new Map<number, number>()
  const turns: SpeakerTurn[] = []
  const timeOf = (frame: number) => (frame * FRAME_STEP) / RATE + MIDDLE_SECONDS
  for (let frame = 0; frame <= frames; frame++) {
    const speaking =
      frame < frames ? mostNamed(votes, frame, roundedToEven(counts[frame]! / Math.max(1, windows[frame]!))) : new Set<number>()
    for (const [speaker, from] of open) {
      if (speaking.has(speaker)) continue
      turns.push({ start: timeOf(from), end: timeOf(frame), speaker })
      open.delete(speaker)
    }
    for (const speaker of speaking) if (!open.has(speaker)) open.set(speaker, frame)
  }
  return turns.filter(({ start }) => start < seconds).map((turn) => ({ ...turn, end: Math.min(seconds, turn.end) }))
}

/** The frame of the recording with which a window begins. */
const firstFrame = (window: number): number => Math.round((window * STEP) / FRAME_STEP)

function mostNamed(votes: readonly Uint16Array[], frame: number, count: number): Set<number> {
  if (count === 0) return new Set()
  const named = votes.flatMap((of, speaker) => (of[frame]! > 0 ? [{ speaker, votes: of[frame]! }] : []))
  return new Set(named.sort((one, other) => other.votes - one.votes || one.speaker - other.speaker).slice(0, count).map(({ speaker }) => speaker)) // biome-ignore format: one line
}

/** Sorted, clamped to the recording, and with speakers numbered in the order of their first words. At most `most`: the longest. */
export function renumberedTurns(turns: readonly SpeakerTurn[], seconds: number, most = Number.POSITIVE_INFINITY): SpeakerTurn[] {
  const numbers = new Map<number, number>()
  return turns
    .map(({ start, end, speaker }) => ({ start: Math.max(0, start), end: Math.min(seconds, end), speaker }))
    .filter(({ start, end }) => end > start)
    .sort((one, other) => other.end - other.start - (one.end - one.start))
    .slice(0, most)
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((turn) => {
      const number = numbers.get(turn.speaker) ?? numbers.size
      numbers.set(turn.speaker, number)
      return { ...turn, speaker: number }
    })
}
