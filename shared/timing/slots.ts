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
  /** Nothing is heard: the line has no sound or no time. */
  readonly isSilent: boolean
}
export type SlotOptions = { readonly mediaUs: number; readonly gapGuardUs: number }

/** Shorter slots are silent. */
const LEAST_SLOT_US = 50_000

/** The lines with their time, by start and id. Lengths and times outside the film are clamped. */
export function slotsOf(lines: readonly FitLine[], { mediaUs, gapGuardUs }: SlotOptions): Slot[] {
  const clamp = (time: number) => Math.min(Math.max(0, time), mediaUs)
  const sorted = lines
    .map((line) => {
      const startUs = clamp(line.startUs)
      return { ...line, startUs, endUs: Math.max(startUs, clamp(line.endUs)), naturalUs: Math.max(0, line.naturalUs) }
    })
    .sort((left, right) => left.startUs - right.startUs || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0))
  const starts = sorted.map(({ startUs }) => startUs)
  const nextOfLane = new Map<string, number>()
  const slots: Slot[] = []
  for (let at = sorted.length - 1; at >= 0; at--) {
    const line = sorted[at]!
    const after = firstFrom(starts, line.endUs, at + 1)
    const wall = Math.min(nextOfLane.get(line.lane) ?? mediaUs, starts[after] ?? mediaUs)
    nextOfLane.set(line.lane, line.startUs)
    const slotUs = Math.max(0, Math.min(line.endUs, wall) - line.startUs)
    // At the end of the film there is no line to keep a distance from.
    const end = wall === mediaUs ? mediaUs : wall - gapGuardUs
    const roomUs = Math.max(slotUs, Math.min(mediaUs, end) - line.startUs)
    slots[at] = { ...line, slotUs, roomUs, isSilent: line.naturalUs === 0 || slotUs <= LEAST_SLOT_US }
  }
  return slots
}

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
