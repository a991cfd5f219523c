// The same speaker in several recordings, by the distance of the voices. Pure; works in turns of the event loop.

import type { SpeakerVoice } from '#shared/operations/diarize.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** The voice of one speaker of one recording. */
export type LocalVoice = SpeakerVoice & { readonly recording: number }
/** Distance from which two voices count as two speakers: that of the identification within a recording. 0: equal; 1: without relation. */
const THRESHOLD = 0.5
/** Limit without a number from the client. More speakers than this are errors of the identification. */
const MAX_SPEAKERS = 64

type Group = {
  readonly members: LocalVoice[]
  readonly recordings: Set<number>
  /** The vectors weighted by their speech: a voice that was heard for long counts more. */
  readonly sum: Float64Array
}
type Pair = { readonly left: number; readonly right: number; readonly distance: number }

/**
 * The voices of each speaker. Voices that are nearest are joined first, and those of one recording not at all, unless there would be more than
 * `wanted` speakers. The result depends on the voices only, not on their order.
 */
export async function voicesBySpeaker(voices: readonly LocalVoice[], wanted: number | null, signal: AbortSignal): Promise<LocalVoice[][]> {
  const groups: (Group | null)[] = voices
    .toSorted((one, other) => one.recording - other.recording || one.speaker - other.speaker)
    .map((voice) => ({
      members: [voice],
      recordings: new Set([voice.recording]),
      sum: Float64Array.from(voice.vector, (value) => value * voice.seconds),
    }))
  const distances = groups.map(() => new Float64Array(groups.length))
  const measure = (at: number) => {
    for (const [other, group] of groups.entries()) {
      if (!group || other === at) continue
      const distance = distanceOf(groups[at]!, group)
      distances[at]![other] = distance
      distances[other]![at] = distance
    }
  }
  for (const at of groups.keys()) {
    measure(at)
    await nextTurn()
    signal.throwIfAborted()
  }
  const mostSpeakers = wanted ?? MAX_SPEAKERS
  for (let count = groups.length; count > 1; count--) {
    if (wanted !== null && count <= wanted) break
    const apart = nearest(groups, distances, areApart)
    const pair =
      apart && apart.distance < THRESHOLD ? apart : count > mostSpeakers ? (apart ?? nearest(groups, distances, () => true)) : null
    if (!pair) break
    join(groups[pair.left]!, groups[pair.right]!)
    groups[pair.right] = null
    measure(pair.left)
    await nextTurn()
    signal.throwIfAborted()
  }
  return groups.flatMap((group) => (group ? [group.members] : []))
}

function nearest(
  groups: readonly (Group | null)[],
  distances: readonly Float64Array[],
  may: (one: Group, other: Group) => boolean,
): Pair | null {
  let best: Pair | null = null
  for (const [left, one] of groups.entries()) {
    if (!one) continue
    const row = distances[left]!
    for (let right = left + 1; right < groups.length; right++) {
      const other = groups[right]
      if (other && (!best || row[right]! < best.distance) && may(one, other)) best = { left, right, distance: row[right]! }
    }
  }
  return best
}

const areApart = (one: Group, other: Group): boolean => [...one.recordings].every((recording) => !other.recordings.has(recording))

function join(into: Group, other: Group): void {
  into.members.push(...other.members)
  for (const recording of other.recordings) into.recordings.add(recording)
  for (const [at, value] of other.sum.entries()) into.sum[at]! += value
}

/** Distance by the cosine. Vectors of different models cannot be compared. */
function distanceOf({ sum: one }: Group, { sum: other }: Group): number {
  if (one.length !== other.length) return 2
  let [product, left, right] = [0, 0, 0]
  for (let at = 0; at < one.length; at++) {
    product += one[at]! * other[at]!
    left += one[at]! ** 2
    right += other[at]! ** 2
  }
  return left > 0 && right > 0 ? 1 - product / Math.sqrt(left * right) : 2
}
