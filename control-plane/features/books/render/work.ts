// The segments that a rendering still needs, and which of them form the next task. Pure.
import type { CastVoice } from './casting.service.ts'
import type { BookSegment } from './segments.rules.ts'

export type WorkSegment = BookSegment<CastVoice>
export type SegmentWork = {
  readonly segment: WorkSegment
  readonly seconds: number
  /** Tasks that failed. */
  failures: number
  /** The first sound, if it was implausible: the second attempt has another seed. */
  first: { readonly pcm: Buffer; readonly sampleRate: number; readonly doubt: number } | null
}
/** Candidates in plan order: a dialogue alternates, so neighbours alone would give tiny tasks. */
const LOOK_AHEAD = 256
const MAX_SECONDS = 120
const MIN_SECONDS = 15
const MAX_SEGMENTS = 200

export const workOf = (segment: WorkSegment): SegmentWork => ({
  segment,
  seconds: segment.seconds,
  failures: 0,
  first: null,
})

/** The next segment in plan order; null when none is free. */
export function firstFree(missing: Iterable<SegmentWork>, isFree: (key: string) => boolean): SegmentWork | null {
  for (const work of missing) if (isFree(work.segment.key)) return work
  return null
}

/** Segments of one voice and speed. A segment whose task has failed is a task of its own. `lanes`: tasks at the same time. */
export function nextGroup(missing: Iterable<SegmentWork>, isFree: (key: string) => boolean, lanes: number): SegmentWork[] {
  const candidates: SegmentWork[] = []
  for (const work of missing) {
    if (candidates.length === LOOK_AHEAD) break
    if (isFree(work.segment.key)) candidates.push(work)
  }
  const [first] = candidates
  if (!first) return []
  if (first.failures > 0) return [first]
  // Smaller towards the end, so that all machines finish together.
  const left = candidates.reduce((sum, { seconds }) => sum + seconds, 0)
  const limit = Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, left / (2 * lanes)))
  const group: SegmentWork[] = []
  let seconds = 0
  for (const work of candidates) {
    const { speaker, speed } = work.segment
    if (work.failures > 0 || speaker.id !== first.segment.speaker.id || speed !== first.segment.speed) continue
    if (group.length > 0 && (seconds + work.seconds > limit || group.length === MAX_SEGMENTS)) break
    group.push(work)
    seconds += work.seconds
  }
  return group
}
