// The regions of a film in which other speech is heard, and their fades. Pure.

/** Samples from the start of the film. */
export type DubRegion = { readonly from: number; readonly to: number }

/** Speech begins before and ends after what a detector of speech finds. */
export const MARGIN_SECONDS = 0.08
export const JOINT_SECONDS = 0.06

/** The spans with a margin on both sides, within the film, ascending; those that touch are one. Spans without a length are left out. */
export function dubRegions(spans: Iterable<DubRegion>, length: number, sampleRate: number): DubRegion[] {
  const margin = Math.round(MARGIN_SECONDS * sampleRate)
  const sorted = [...spans]
    .filter(({ from, to }) => to > from)
    .map(({ from, to }) => ({ from: Math.max(0, from - margin), to: Math.min(length, to + margin) }))
    .filter(({ from, to }) => to > from)
    .sort((left, right) => left.from - right.from)
  const regions: DubRegion[] = []
  for (const { from, to } of sorted) {
    const last = regions.at(-1)
    if (last && from <= last.to) regions[regions.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else regions.push({ from, to })
  }
  return regions
}

/** The share of the new sound at a position: 0 outside of the region, 1 in it, with raised cosines of 60 ms at its ends. */
export function shareAt({ from, to }: DubRegion, position: number, sampleRate: number): number {
  const joint = Math.min(JOINT_SECONDS * sampleRate, (to - from) / 2)
  const distance = Math.min(position - from, to - 1 - position) + 0.5
  if (distance <= 0) return 0
  return distance >= joint ? 1 : 0.5 - 0.5 * Math.cos((Math.PI * distance) / joint)
}
