// The view of the timeline: seconds and pixels, tracks, and what is under the pointer. Pure.

import type { Line } from '../dub/lines.ts'
import { LEAST_SECONDS } from '../dub/lines.ts'

/** from: seconds at the left edge. span: seconds from edge to edge. */
export type View = { from: number; span: number; width: number; duration: number }
/** edge: null is the middle of the line. */
export type Hit = { line: Line; edge: 'start' | 'end' | null }

export const RULER = 22
export const WAVE = 34
export const TRACK = 30
export const LEAST_SPAN = 4
/** Pixels around the border of a line in which it is taken. */
const GRIP = 6
/** A mark of the ruler every so many seconds, the first that leaves this room. */
const STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
const MARK_WIDTH = 90

export const xOf = ({ from, span, width }: View, seconds: number) => ((seconds - from) / span) * width
/** `x`: pixels */
export const secondsAt = ({ from, span, width, duration }: View, x: number) => Math.min(duration, Math.max(0, from + (x / width) * span))

/** Within the film. */
export const startOf = (from: number, span: number, duration: number) => Math.max(0, Math.min(from, duration - span))

/** The view with another span, in which `at` stays where it is. `at`: seconds */
export function zoomed(view: View, span: number, at: number) {
  const next = Math.min(Math.max(LEAST_SPAN, span), Math.max(LEAST_SPAN, view.duration))
  const share = (at - view.from) / view.span
  const from = share >= 0 && share <= 1 ? at - share * next : at - next / 2
  return { ...view, span: next, from: startOf(from, next, view.duration) }
}

/** The view that has the moment: pages of a little less than its span. */
export function following(view: View, at: number) {
  if (at >= view.from && at <= view.from + view.span) return view
  return { ...view, from: startOf(at - view.span * 0.1, view.span, view.duration) }
}

/** Seconds of the marks of the ruler. */
export function marksOf({ from, span, width }: View): number[] {
  const step = STEPS.find((one) => (one / span) * width >= MARK_WIDTH) ?? 7200
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.max(0, Math.floor((from + span) / step) - first + 1) }, (_, at) => (first + at) * step)
}

/** Lines that reach into the view. */
export const visible = (lines: readonly Line[], { from, span }: View) => lines.filter(({ start, end }) => end > from && start < from + span)

/** Part of the timeline under the pointer. */
export function hitOf(lines: readonly Line[], speakers: readonly string[], view: View, x: number, y: number): Hit | null {
  const speaker = speakers[Math.floor((y - RULER - WAVE) / TRACK)]
  if (speaker === undefined || y < RULER + WAVE) return null
  const here = visible(lines, view).filter((line) => line.speaker === speaker)
  const edgesOf = (line: Line) => [xOf(view, line.start), xOf(view, line.end)]
  const line = here.find((one) => x > xOf(view, one.start) && x < xOf(view, one.end))
  if (!line) {
    const near = here.find((one) => edgesOf(one).some((edge) => Math.abs(x - edge) <= GRIP))
    return near ? { line: near, edge: x <= xOf(view, near.start) ? 'start' : 'end' } : null
  }
  const [left = 0, right = 0] = edgesOf(line)
  // The middle of a narrow line can still be pressed.
  const grip = Math.min(GRIP, (right - left) / 4)
  return { line, edge: x - left <= grip ? 'start' : right - x <= grip ? 'end' : null }
}

/** The times of a line whose border is at another moment. */
export function movedEdge({ start, end }: Pick<Line, 'start' | 'end'>, edge: 'start' | 'end', at: number, duration: number) {
  const round = (seconds: number) => Number(seconds.toFixed(3))
  if (edge === 'start') return { start: round(Math.max(0, Math.min(at, end - LEAST_SECONDS))), end }
  return { start, end: round(Math.min(duration, Math.max(at, start + LEAST_SECONDS))) }
}
