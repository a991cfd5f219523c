// The one time line of an export, on which all its languages, subtitles and chapters lie. Pure.

import type { TrackPlan } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import type { StretchPiece } from '#control-plane/media/film/mix/plan.ts'
import { FILM_RATE } from '#control-plane/media/film/sound/extract.ts'
import { type FitPlan, fitLines, mapOfPlan } from '#shared/timing/fit.ts'
import type { TimeMap } from '#shared/timing/time-map.ts'

export type TimeLine = {
  readonly map: TimeMap
  /** Length of the export. */
  readonly totalUs: number
  /** True if the picture is slower somewhere. */
  readonly isRetimed: boolean
}
/** Place of a spoken line. */
export type PlacedLine = { readonly id: string; readonly startUs: number; readonly lengthUs: number; readonly rate: number }

export const framesAt = (us: number): number => Math.round((us * FILM_RATE) / 1e6)

/** The time line of a plan; null for the times of the film. */
export function timeLineOf(plan: Pick<TrackPlan, 'pieces'> | null, mediaUs: number): TimeLine {
  const map = mapOfPlan({ pieces: plan?.pieces ?? [] }, mediaUs)
  return { map, totalUs: map.totalUs, isRetimed: map.totalUs !== mediaUs }
}

/** When the picture or the sound has ended, the later of both: a film may show more than can be heard. */
export function pictureEndUs({ map: { knots, totalUs } }: TimeLine, pictureUs: number): number {
  const last = knots.at(-1) ?? { fromUs: 0, toUs: 0, slope: 1 }
  return Math.max(totalUs, last.toUs + Math.round((pictureUs - last.fromUs) * last.slope))
}

/** Pieces that become longer, for the sound under the picture. */
export const stretchPieces = ({ map: { knots, totalUs } }: TimeLine, mediaUs: number): StretchPiece[] =>
  knots.flatMap(({ fromUs, toUs, slope }, at) => {
    const next = knots[at + 1]
    const [from, to] = [framesAt(fromUs), framesAt(next?.fromUs ?? mediaUs)]
    const length = framesAt(next?.toUs ?? totalUs) - framesAt(toUs)
    return slope === 1 || to <= from || length <= 0 ? [] : [{ from, to, length }]
  })

/**
 * The lines of a track on a time line. On its own they are where its plan has them; on another one they are fitted again into what their slots
 * have become, and the picture is not changed for them.
 */
export function linesOn(plan: TrackPlan, line: TimeLine): FitPlan['lines'] {
  const { lines, options } = plan.input
  const own = timeLineOf(plan, options.mediaUs)
  if (JSON.stringify(own.map.knots) === JSON.stringify(line.map.knots)) return plan.lines
  const strategy = options.strategy === 'stretch_video' ? 'smart_fit' : options.strategy
  return fitLines(
    lines.map((each) => ({ ...each, startUs: line.map.at(each.startUs), endUs: line.map.at(each.endUs) })),
    { ...options, strategy, allowVideoRetime: false, mediaUs: line.totalUs },
  ).lines
}

/**
 * Speech of the original, in the time of the export: the lines, as far as voice activity reaches beyond them. `kept`: stretches of the film
 * that stay as they are, such as laughter.
 */
export function speechSpans(
  segments: readonly Pick<DubLine, 'startUs' | 'endUs'>[],
  detected: readonly { readonly startUs: number; readonly endUs: number }[],
  { map }: TimeLine,
  kept: readonly { readonly startUs: number; readonly endUs: number }[] = [],
): { from: number; to: number }[] {
  const ascending = (left: number, right: number) => left - right
  const keptEnds = kept.map(({ endUs }) => endUs).sort(ascending)
  const keptStarts = kept.map(({ startUs }) => startUs).sort(ascending)
  let next = 0
  return [...segments]
    .sort((left, right) => left.startUs - right.startUs)
    .map(({ startUs, endUs }) => {
      while (next < detected.length && detected[next]!.endUs <= startUs) next++
      let [from, to] = [startUs, endUs]
      for (let at = next; at < detected.length && detected[at]!.startUs < endUs; at++) {
        from = Math.min(from, Math.max(detected[at]!.startUs, startUs - MAX_BEYOND_US))
        to = Math.max(to, Math.min(detected[at]!.endUs, endUs + MAX_BEYOND_US))
      }
      from = Math.max(from, keptEnds[countBelow(keptEnds, startUs + 1) - 1] ?? from)
      to = Math.min(to, keptStarts[countBelow(keptStarts, endUs)] ?? to)
      return { from: framesAt(map.at(from)), to: framesAt(map.at(to)) }
    })
    .filter(({ from, to }) => to > from)
}
const MAX_BEYOND_US = 400_000

/** Number of ascending integers below a limit. */
function countBelow(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
