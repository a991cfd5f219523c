// Moves the start of lines to where speech was heard to begin. Recognisers tell the time of words to within a tenth of a second or two, which is
// enough to see lips and voice apart. Pure; in seconds.

type Spoken = { readonly start: number; readonly end: number }

/** A start further away than this belongs to other speech. */
const REACH_SECONDS = 0.25
/** Least length of a line. */
const MIN_SECONDS = 0.1

/**
 * Moves the start of each line to the nearest onset of speech within a quarter of a second. Lines are ascending. If several lines are near
 * one onset, only the nearest line moves. A line never starts before the middle of the previous line, which ends earlier if they overlap.
 */
export function onOnsets<T extends Spoken>(lines: readonly T[], onsets: readonly number[]): T[] {
  const starts = lines.map(({ start }) => nearest(onsets, start))
  const moved: T[] = []
  for (const [at, line] of lines.entries()) {
    const before = moved.at(-1)
    const onset = starts[at]!
    const distance = Math.abs(onset - line.start)
    const isTaken = [starts[at - 1] === onset && at - 1, starts[at + 1] === onset && at + 1].some(
      (other) => other !== false && Math.abs(lines[other]!.start - onset) < distance,
    )
    const isFree = !before || (onset > (before.start + before.end) / 2 && onset - before.start >= MIN_SECONDS)
    if (distance > REACH_SECONDS || line.end - onset < MIN_SECONDS || isTaken || !isFree) {
      moved.push(line)
      continue
    }
    if (before && before.end > onset) moved[moved.length - 1] = { ...before, end: onset }
    moved.push({ ...line, start: onset })
  }
  return moved
}

/** The nearest onset, the earlier one of two that are equally near. Infinite without an onset. */
function nearest(ascending: readonly number[], at: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < at) low = middle + 1
    else high = middle
  }
  const [before = Number.NEGATIVE_INFINITY, after = Number.POSITIVE_INFINITY] = [ascending[low - 1], ascending[low]]
  return at - before <= after - at ? before : after
}
