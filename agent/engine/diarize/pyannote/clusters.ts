// The speaker of each voice, by the rules of pyannote.audio 3.1: centroid linkage, groups below a least size go to the nearest large one, and only
// large ones count. Here a requested number of speakers is kept even where that takes smaller groups.
import { FRAMES, roundedToEven } from './activity.ts'
import { centroidLinkage, groupsAfter, type Merge } from './linkage.ts'

/** The voice of one speaker of one window. */
export type Voice = {
  readonly window: number
  readonly speaker: number
  /** Frames in which no other one speaks. */
  readonly frames: number
  /** A vector of any length. */
  readonly vector: Float32Array
}
/** Distance between the centroids of two groups, of vectors of length 1, from which they are two speakers. That of pyannote.audio 3.1. */
export const THRESHOLD = 0.7045654963945799
const MIN_GROUP = 12
/** Share of all voices: a smaller least group in short recordings. */
const MIN_SHARE = 0.1
/** Share of a window: voices with less speech of their own do not found a group. */
const MIN_SPEECH = 0.2

/** The speaker of each voice, from 0. `wanted`: the number of speakers; null if it is unknown. Throws the reason of the signal. */
export async function speakersOf(
  voices: readonly Voice[],
  wanted: number | null,
  threshold: number,
  signal: AbortSignal,
): Promise<number[]> {
  const clear = voices.filter(({ frames }) => frames >= MIN_SPEECH * FRAMES)
  const founding = clear.length >= (wanted ?? 1) ? clear : voices
  if (wanted === 1 || founding.length < 2) return voices.map(() => 0)
  const vectors = founding.map(({ vector }) => unit(vector))
  const groups = foundedGroups(await centroidLinkage(vectors, signal), vectors, wanted, threshold)
  const ofGroup = (group: number) => founding.filter((_, at) => groups[at] === group)
  const count = Math.max(...groups) + 1
  const centroids = Array.from({ length: count }, (_, group) => meanOf(ofGroup(group).map(({ vector }) => vector)))
  const speakers = voices.map(({ vector }) => nearestOf(unit(vector), centroids))
  const own = new Map(founding.map((voice, at) => [voice, groups[at]!]))
  // A group whose voices are all nearer to the centroids of others would vanish.
  const isComplete = new Set(speakers).size === count
  return isComplete ? speakers : voices.map((voice, at) => own.get(voice) ?? speakers[at]!)
}

/** The group of each founding voice, from 0. */
function foundedGroups(merges: readonly Merge[], vectors: readonly Float32Array[], wanted: number | null, threshold: number): number[] {
  const count = vectors.length
  const usual = Math.min(MIN_GROUP, Math.max(1, roundedToEven(MIN_SHARE * count)))
  const byThreshold = groupsAfter(merges, count, ({ height }) => height <= threshold)
  const target = wanted === null ? null : Math.min(wanted, count)
  for (let least = usual; least >= 1; least--) {
    if (target === null || largeGroups(byThreshold, least).length === target) return withoutSmall(byThreshold, vectors, least)
    const last = mergesFor(merges, count, target, threshold, least)
    if (last !== null) return withoutSmall(groupsAfter(merges, count, (_, at) => at <= last), vectors, least) // biome-ignore format: one line
  }
  return byThreshold
}

/** The merge nearest to the threshold after which there are `target` large groups; -1 for none at all, null if there is no such merge. */
function mergesFor(merges: readonly Merge[], count: number, target: number, threshold: number, least: number): number | null {
  const sizes = new Float64Array(count + merges.length).fill(1, 0, count)
  let large = least <= 1 ? count : 0
  if (large === target) return -1
  let best: number | null = null
  for (const [at, { left, right, size, distance }] of merges.entries()) {
    sizes[count + at] = size
    large += Number(size >= least) - Number(sizes[left]! >= least) - Number(sizes[right]! >= least)
    if (large !== target || size < least) continue
    if (best === null || Math.abs(distance - threshold) < Math.abs(merges[best]!.distance - threshold)) best = at
  }
  return best
}

function largeGroups(groups: readonly number[], least: number): number[] {
  const sizes = new Map<number, number>()
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  return [...sizes].filter(([, size]) => size >= least).map(([group]) => group)
}

/** Small groups go to the large one with the most similar centroid; without a large one there is one group. Renumbered from 0. */
function withoutSmall(groups: readonly number[], vectors: readonly Float32Array[], least: number): number[] {
  const large = largeGroups(groups, least)
  if (large.length === 0) return groups.map(() => 0)
  const centroidOf = (group: number) => meanOf(vectors.filter((_, at) => groups[at] === group))
  const centroids = large.map(centroidOf)
  const numbers = new Map(large.map((group, at) => [group, at]))
  for (const group of new Set(groups)) if (!numbers.has(group)) numbers.set(group, nearestOf(centroidOf(group), centroids))
  return groups.map((group) => numbers.get(group)!)
}

/** The centroid with the greatest cosine; the first of several. */
function nearestOf(vector: Float32Array, centroids: readonly Float32Array[]): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY]
  for (const [at, centroid] of centroids.entries()) {
    const cosine = dot(vector, centroid) / Math.sqrt(dot(centroid, centroid))
    if (cosine > most) [best, most] = [at, cosine]
  }
  return best
}

export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return vector.map((value) => value / length)
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(vectors[0]!.length)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!
  return Float32Array.from(sum, (value) => value / vectors.length)
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}
