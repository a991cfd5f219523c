// The checked parts of a voice track: its lines with their texts, and the place of each. Pure.

import { z } from 'zod'
import { type DubTrack, ownEntry } from '#control-plane/features/dubbing/store/dub.ts'
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import type { PlannedLine } from './drift.rules.ts'

const Placed = z.object({
  id: z.string(),
  startUs: z.number(),
  lengthUs: z.number(),
  rate: z.number().default(1),
  cutUs: z.number().default(0),
  naturalUs: z.number().default(0),
  slotUs: z.number().default(0),
  roomUs: z.number().default(0),
})
/** The parts of a track's plan that the check needs. */
const Plan = z.object({
  lines: z.array(Placed),
  totalUs: z.number(),
  takes: z.array(z.object({ id: z.string(), digest: z.string(), gainDb: z.number() })).default([]),
})
const MIN_SLOT_US = 50_000

export type CheckedLine = PlannedLine & {
  readonly rate: number
  readonly cutUs: number
  /** Microseconds; 0 if they are unknown. `roomUs`: the slot with the silence after it. */
  readonly slotUs: number
  readonly roomUs: number
  readonly naturalUs: number
  /** Text as it was translated. */
  readonly text: string
  /** The digest of the spoken line; empty if the plan does not name it. */
  readonly take: string
  readonly gainDb: number
  /** Key of the take before effects; empty if it is unknown. */
  readonly takeKey: string
}
export type CheckedTrack = {
  readonly lines: readonly CheckedLine[]
  /** Lines that should have sound and have none. */
  readonly missing: readonly { readonly id: string; readonly text: string }[]
  readonly totalUs: number
}

/** Null for a track without a plan. `texts`: of the language, by line. */
export function checkedTrackOf(
  track: Pick<DubTrack, 'plan' | 'takeKeys'>,
  segments: readonly DubLine[],
  texts: Readonly<Record<string, string>>,
): CheckedTrack | null {
  const plan = Plan.safeParse(track.plan).data
  if (!plan) return null
  const planned = new Map(plan.lines.map((line) => [line.id, line]))
  const takes = new Map(plan.takes.map((take, at) => [take.id, { ...take, key: track.takeKeys[at] ?? '' }]))
  const lines: CheckedLine[] = []
  const missing: { id: string; text: string }[] = []
  for (const { id, startUs: from, endUs: to, text: own } of segments) {
    const text = ownEntry(texts, id) ?? own
    const line = planned.get(id)
    if (!/[\p{L}\p{N}]/u.test(text) || (to - from <= MIN_SLOT_US && !line?.lengthUs)) continue
    if (!line || line.lengthUs <= 0) {
      missing.push({ id, text })
      continue
    }
    const { startUs, lengthUs, rate, cutUs, naturalUs, slotUs, roomUs } = line
    const take = takes.get(id)
    const spoken = { take: take?.digest ?? '', gainDb: take?.gainDb ?? 0, takeKey: take?.key ?? '' }
    lines.push({ id, startUs, lengthUs, rate, cutUs, naturalUs, slotUs, roomUs, text, ...spoken })
  }
  return { lines, missing, totalUs: plan.totalUs }
}
