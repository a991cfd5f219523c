// The time that each line has: up to the next line of its speaker, or any line that begins after it has ended. Pure.
export type FitLine = {
  readonly id: string
  readonly startUs: number
  readonly endUs: number
  /** Lines of one lane never overlap in the dub. */
  readonly lane: string
  /** Length of the take; 0 for a line without sound. */
  readonly naturalUs: number
}
export type Slot = FitLine & {
  readonly slotUs: number
  /** The slot and the silence after it; never less than the slot. */
  readonly roomUs: number
  /** True if nothing is heard: the line has no sound or no time. */
  readonly isSilent: boolean
}
export type SlotOptions = { readonly mediaUs: number; readonly gapGuardUs: number }

/** Shorter slots are silent. */
const MIN_SLOT_US = 50_000

/** Longer than any film; keeps sums and products within exact numbers. */
const LONGEST_US = 1e13

/** A whole number of microseconds from 0 to `most`; what is no number counts as 0. */
export const wholeUs = (value: number, most = LONGEST_US): number => (value > 0 ? Math.min(Math.round(value), most) : 0)

/** The lines with their time, by start and id. Lengths and times outside the film are clamped. Lines without duration are no walls. */
export function slotsOf(lines: readonly FitLine[], { mediaUs: media, gapGuardUs }: SlotOptions): Slot[] {
  const mediaUs = wholeUs(media)
  const sorted = lines
    .map((line) => {
      const startUs = wholeUs(line.startUs, mediaUs)
      return { ...line, startUs, endUs: Math.max(startUs, wholeUs(line.endUs, mediaUs)), naturalUs: wholeUs(line.naturalUs) }
    })
    .sort(inOrder)
  const starts = sorted.filter(({ startUs, endUs }) => endUs > startUs).map(({ startUs }) => startUs)
  const nextOfLane = new Map<string, number>()
  // Filled from the end: an array that is too short for its first element would become a slow table.
  const slots = new Array<Slot>(sorted.length)
  for (let at = sorted.length - 1; at >= 0; at--) {
    const line = sorted[at]!
    if (line.endUs === line.startUs) {
      slots[at] = { ...line, slotUs: 0, roomUs: 0, isSilent: true }
      continue
    }
    const wall = Math.min(nextOfLane.get(line.lane) ?? mediaUs, starts[firstFrom(starts, line.endUs)] ?? mediaUs)
    nextOfLane.set(line.lane, line.startUs)
    const slotUs = Math.max(0, Math.min(line.endUs, wall) - line.startUs)
    // At the end of the film there is no line to keep a distance from.
    const end = wall === mediaUs ? mediaUs : wall - gapGuardUs
    const roomUs = Math.max(slotUs, Math.min(mediaUs, end) - line.startUs)
    slots[at] = { ...line, slotUs, roomUs, isSilent: line.naturalUs === 0 || slotUs <= MIN_SLOT_US }
  }
  return slots
}

/** Total, so that lines with the same start and id do not depend on the order of the input. */
const inOrder = (left: FitLine, right: FitLine): number =>
  left.startUs - right.startUs ||
  compared(left.id, right.id) ||
  left.endUs - right.endUs ||
  compared(left.lane, right.lane) ||
  left.naturalUs - right.naturalUs
const compared = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The first index not below `from` whose value is at least `value`; the length when there is none. `values` ascend. */
export function firstFrom(values: readonly number[], value: number, from = 0): number {
  let [low, high] = [from, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
