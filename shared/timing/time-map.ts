// Maps times of the film to times of an export whose picture is slower in places. Pure.
export type SlowPiece = { readonly startUs: number; readonly endUs: number /** Factor of the length, above 1. */; readonly slope: number }
export type TimeKnot = { readonly fromUs: number; readonly toUs: number; readonly slope: number }
export type TimeMap = {
  /** Ascending, the first at 0: from each on, times go on with its slope, after the end of the last piece with 1. */
  readonly knots: readonly TimeKnot[]
  readonly totalUs: number
  /** Integer microseconds of the export. Times outside of the film are moved into it. */
  readonly at: (filmUs: number) => number
  /** The inverse of `at`: the moment of the film that the export shows. `filmAt(at(us))` is `us` for integers within the film. */
  readonly filmAt: (exportUs: number) => number
}

const MIN_SLOPE = 1.01

/** If pieces overlap, the largest slope counts. Slopes of at most 1.01 are left out. */
export function timeMap(pieces: readonly SlowPiece[], mediaUs: number): TimeMap {
  const slow = pieces.filter(({ slope, startUs, endUs }) => slope > MIN_SLOPE && endUs > startUs).sort((a, b) => a.startUs - b.startUs)
  const borders = [...new Set([0, ...slow.flatMap(({ startUs, endUs }) => [startUs, endUs])])].filter((time) => time <= mediaUs)
  borders.sort((left, right) => left - right)
  const active = createSteepest()
  const knots: TimeKnot[] = []
  let next = 0
  let toUs = 0
  let lengthOfLast = 0
  for (const [index, fromUs] of borders.entries()) {
    while (next < slow.length && slow[next]!.startUs <= fromUs) active.add(slow[next++]!)
    const wanted = active.at(fromUs)
    const length = (borders[index + 1] ?? mediaUs) - fromUs
    // The wanted slope itself is kept: one between the rounded ends would move the moments of a piece when a later line ends it earlier.
    if (knots.at(-1)?.slope === wanted) lengthOfLast += length
    else {
      knots.push({ fromUs, toUs, slope: wanted })
      lengthOfLast = length
    }
    toUs = knots.at(-1)!.toUs + Math.round(lengthOfLast * wanted)
  }
  const totalUs = toUs
  /** The last knot that starts at or before a time; the first one at 0. */
  function knotAt(time: number, start: 'fromUs' | 'toUs'): TimeKnot | undefined {
    let [low, high] = [0, knots.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (knots[middle]![start] <= time) low = middle
      else high = middle - 1
    }
    return knots[low]
  }
  return {
    knots,
    totalUs,
    at(filmUs) {
      if (filmUs >= mediaUs) return totalUs
      const time = Math.max(0, filmUs)
      const knot = knotAt(time, 'fromUs')
      return knot ? knot.toUs + Math.round((time - knot.fromUs) * knot.slope) : 0
    },
    filmAt(exportUs) {
      if (exportUs >= totalUs) return mediaUs
      const time = Math.max(0, exportUs)
      const knot = knotAt(time, 'toUs')
      return knot ? knot.fromUs + Math.round((time - knot.toUs) / knot.slope) : 0
    },
  }
}

/** A heap of pieces by slope. Pieces that have ended leave it when they reach the top. */
function createSteepest() {
  const heap: SlowPiece[] = []
  const swap = (a: number, b: number) => ([heap[a], heap[b]] = [heap[b]!, heap[a]!])
  function removeTop(): void {
    const last = heap.pop()!
    if (heap.length === 0) return
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let steepest = at
      if (left < heap.length && heap[left]!.slope > heap[steepest]!.slope) steepest = left
      if (right < heap.length && heap[right]!.slope > heap[steepest]!.slope) steepest = right
      if (steepest === at) return
      swap(at, steepest)
      at = steepest
    }
  }
  return {
    add(piece: SlowPiece): void {
      heap.push(piece)
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1
        if (heap[parent]!.slope >= heap[at]!.slope) return
        swap(parent, at)
        at = parent
      }
    },
    /** 1 where no piece is active. Times ascend from call to call. */
    at(time: number): number {
      while (heap.length > 0 && heap[0]!.endUs <= time) removeTop()
      return heap[0]?.slope ?? 1
    },
  }
}
