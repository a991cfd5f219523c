// Cuts a film into parts of about 30 seconds for the recogniser, each where it is quietest. Pure.

export const PART_SECONDS = 30
/** A cut lies within this distance before or after the 30 seconds. */
const SEARCHED_SECONDS = 7
/** Levels for each second. */
export const LEVELS_PER_SECOND = 20
/** A pause between two words is at least this long. */
const PAUSE_LEVELS = 6
/** Below this the rest of the film is joined to the last part. */
const MIN_SECONDS = 3

/** In seconds from the start of the film. */
export type PartSpan = { readonly from: number; readonly to: number }

/** Adds the levels of s16le mono sound: the mean square of each twentieth of a second. */
export function addLevels(levels: number[], pcm: Buffer, sampleRate: number): void {
  const frames = sampleRate / LEVELS_PER_SECOND
  for (let from = 0; from < pcm.length / 2; from += frames) {
    const to = Math.min(from + frames, pcm.length / 2)
    let sum = 0
    // Not readInt16LE, whose checks take most of the time. The shifts extend bit 15 into the sign.
    for (let at = 2 * from; at < 2 * to; at += 2) sum += (((pcm[at]! | (pcm[at + 1]! << 8)) << 16) >> 16) ** 2
    levels.push(sum / (to - from))
  }
}

/** Parts that cover all of it without overlaps. `seconds`: of the film. */
export function filmSpansOf(levels: readonly number[], seconds: number): PartSpan[] {
  const parts: PartSpan[] = []
  let from = 0
  while (seconds - from > PART_SECONDS + MIN_SECONDS) {
    const to = quietest(levels, from + PART_SECONDS - SEARCHED_SECONDS, Math.min(from + PART_SECONDS + SEARCHED_SECONDS, seconds))
    parts.push({ from, to })
    from = to
  }
  return [...parts, { from, to: seconds }]
}

/** The middle of the quietest pause between two moments; of equal ones, the nearest to their middle. */
function quietest(levels: readonly number[], from: number, to: number): number {
  const [first, last] = [Math.ceil(from * LEVELS_PER_SECOND), Math.floor(to * LEVELS_PER_SECOND) - PAUSE_LEVELS]
  const middle = (first + last) / 2
  let best = first
  let least = Number.POSITIVE_INFINITY
  for (let at = first; at <= last; at++) {
    let sum = 0
    for (let level = at; level < at + PAUSE_LEVELS; level++) sum += levels[level] ?? 0
    if (sum < least || (sum === least && Math.abs(at - middle) < Math.abs(best - middle))) [best, least] = [at, sum]
  }
  return (best + PAUSE_LEVELS / 2) / LEVELS_PER_SECOND
}
