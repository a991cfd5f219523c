// Joins vectors step by step: each time the two groups whose centroids are nearest. Only centroids are stored, so memory grows with the number of
// vectors and not with its square. Pure; works in turns of the event loop.
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** Groups are numbered: the vectors first, then one for each merge, in order. `height`: the greatest distance of this merge and those below it. */
export type Merge = {
  readonly left: number
  readonly right: number
  readonly distance: number
  readonly height: number
  readonly size: number
}

/** The merges of centroid linkage with Euclidean distances, one fewer than `vectors`. Throws the reason of the signal. */
export async function centroidLinkage(vectors: readonly ArrayLike<number>[], signal: AbortSignal): Promise<Merge[]> {
  const count = vectors.length
  const centroids = vectors.map((vector) => Float64Array.from(vector))
  const sizes = new Float64Array(count).fill(1)
  const groups = Array.from({ length: count }, (_, at) => at)
  const heights = new Float64Array(count)
  const isActive = new Uint8Array(count).fill(1)
  // Of each group the nearest other one. A stale distance is a lower bound: the nearest one has moved away.
  const nearest = new Int32Array(count)
  const distances = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  const isStale = new Uint8Array(count).fill(1)
  const measure = (at: number): void => {
    let [best, least] = [-1, Number.POSITIVE_INFINITY]
    for (let other = 0; other < count; other++) {
      if (other === at || isActive[other] === 0) continue
      const distance = squared(centroids[at]!, centroids[other]!, least)
      if (distance < least) [best, least] = [other, distance]
    }
    nearest[at] = best
    distances[at] = least
    isStale[at] = 0
  }
  for (let at = 0; at < count; at++) {
    measure(at)
    await nextTurn()
    signal.throwIfAborted()
  }
  const merges: Merge[] = []
  while (merges.length < count - 1) {
    await nextTurn()
    signal.throwIfAborted()
    let at = -1
    for (let one = 0; one < count; one++) if (isActive[one] === 1 && (at < 0 || distances[one]! < distances[at]!)) at = one
    if (isStale[at] === 1) {
      measure(at)
      continue
    }
    const other = nearest[at]!
    const distance = Math.sqrt(distances[at]!)
    const height = Math.max(distance, heights[at]!, heights[other]!)
    const size = sizes[at]! + sizes[other]!
    merges.push({ left: groups[at]!, right: groups[other]!, distance, height, size })
    const [into, gone] = [centroids[at]!, centroids[other]!]
    for (let i = 0; i < into.length; i++) into[i] = (into[i]! * sizes[at]! + gone[i]! * sizes[other]!) / size
    isActive[other] = 0
    sizes[at] = size
    heights[at] = height
    groups[at] = count + merges.length - 1
    let least = Number.POSITIVE_INFINITY
    for (let one = 0; one < count; one++) {
      if (one === at || isActive[one] === 0) continue
      const moved = squared(centroids[one]!, into, Math.max(least, distances[one]!))
      if (moved < least) {
        nearest[at] = one
        least = moved
      }
      if (moved <= distances[one]!) {
        nearest[one] = at
        distances[one] = moved
        isStale[one] = 0
      } else if (nearest[one] === at || nearest[one] === other) isStale[one] = 1
    }
    distances[at] = least
    isStale[at] = 0
  }
  return merges
}

/** The squared distance, or any number above `limit` that it exceeds. */
function squared(one: Float64Array, other: Float64Array, limit: number): number {
  let sum = 0
  for (let at = 0; at < one.length && sum <= limit; at++) sum += (one[at]! - other[at]!) ** 2
  return sum
}

/**
 * The group of each of `count` vectors, numbered from 0 in the order of their first vector, after the merges that `isMade` accepts; it accepts
 * none without those below it.
 */
export function groupsAfter(merges: readonly Merge[], count: number, isMade: (merge: Merge, at: number) => boolean): number[] {
  const roots = Int32Array.from({ length: count + merges.length }, (_, at) => at)
  for (let at = merges.length - 1; at >= 0; at--) {
    const merge = merges[at]!
    if (!isMade(merge, at)) continue
    roots[merge.left] = roots[count + at]!
    roots[merge.right] = roots[count + at]!
  }
  const numbers = new Map<number, number>()
  return Array.from({ length: count }, (_, vector) => {
    const number = numbers.get(roots[vector]!) ?? numbers.size
    numbers.set(roots[vector]!, number)
    return number
  })
}
