// Places natural speech: a line may use the silence after it and, within a budget, delay later lines. In two passes, because a single one
// leaves later short lines without time. Pure.
import { firstFrom, type Slot } from './slots.ts'

type ConciseOptions = {
  readonly mediaUs: number
  readonly gapGuardUs: number
  readonly overflowBudgetUs: number
  /** Most times that speech may be faster; 1: it may not. */
  readonly cap: number
}
export type ConcisePlace = { readonly startUs: number /** Time until it must have ended. */; readonly availUs: number }

/** `slots` as `slotsOf` returns them. */
export function concisePlacement(slots: readonly Slot[], options: ConciseOptions): ConcisePlace[] {
  const latest = latestTimes(slots, options)
  const byEnd = slots.map((_, at) => at).sort((left, right) => slots[left]!.endUs - slots[right]!.endUs || left - right)
  const endOfLane = new Map<string, number>()
  const places: ConcisePlace[] = []
  let nextEnd = 0
  let endBefore = 0
  for (const [at, slot] of slots.entries()) {
    while (nextEnd < byEnd.length && byEnd[nextEnd]! < at && slots[byEnd[nextEnd]!]!.endUs <= slot.startUs)
      endBefore = Math.max(endBefore, endOf(byEnd[nextEnd++]!))
    const startUs = slot.isSilent ? slot.startUs : Math.max(slot.startUs, endBefore, endOfLane.get(slot.lane) ?? 0)
    const place = { startUs, availUs: slot.isSilent ? 0 : Math.max(0, latest[at]!.endUs - startUs) }
    places.push(place)
    if (!slot.isSilent) endOfLane.set(slot.lane, Math.max(endOfLane.get(slot.lane) ?? 0, endOf(at)))
  }
  return places

  /** End of the heard part of a placed line. */
  function endOf(at: number): number {
    const { startUs, availUs } = places[at]!
    return slots[at]!.isSilent ? 0 : startUs + Math.min(slots[at]!.naturalUs, availUs)
  }
}

/** The last moments at which each line may begin and end, so that those after it still have their shortest time. */
function latestTimes(slots: readonly Slot[], { mediaUs, gapGuardUs, overflowBudgetUs, cap }: ConciseOptions) {
  const starts = slots.map(({ startUs }) => startUs)
  /** By index: the earliest last start of this and all later lines. */
  const earliest = new Array<number>(slots.length + 1).fill(Number.POSITIVE_INFINITY)
  const earliestOfLane = new Map<string, number>()
  const latest = new Array<{ readonly startUs: number; readonly endUs: number }>(slots.length)
  for (let at = slots.length - 1; at >= 0; at--) {
    const slot = slots[at]!
    if (slot.isSilent) {
      latest[at] = { startUs: slot.startUs, endUs: slot.startUs }
      earliest[at] = earliest[at + 1]!
      continue
    }
    const followers = Math.min(earliest[firstFrom(starts, slot.endUs, at + 1)]!, earliestOfLane.get(slot.lane) ?? Number.POSITIVE_INFINITY)
    const endUs = Math.max(slot.startUs + slot.roomUs, Math.min(mediaUs, followers - gapGuardUs))
    const shortest = Math.min(Math.ceil(slot.naturalUs / cap), slot.roomUs)
    const startUs = Math.max(slot.startUs, Math.min(endUs - shortest, slot.startUs + overflowBudgetUs))
    latest[at] = { startUs, endUs }
    earliest[at] = Math.min(earliest[at + 1]!, startUs)
    earliestOfLane.set(slot.lane, Math.min(earliestOfLane.get(slot.lane) ?? Number.POSITIVE_INFINITY, startUs))
  }
  return latest
}
