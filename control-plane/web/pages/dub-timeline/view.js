// @ts-check
// What the timeline shows: seconds and pixels, tracks, and what is under the pointer. Pure.
import { LEAST_SECONDS } from '../dub/lines.js'

/** @import { Line } from '../dub/lines.js' */
/** from: seconds at the left edge. span: seconds from edge to edge. @typedef {{ from: number, span: number, width: number, duration: number }} View */
/** edge: null is the middle of the line. @typedef {{ line: Line, edge: 'start' | 'end' | null }} Hit */

export const RULER = 22
export const WAVE = 34
export const TRACK = 30
export const LEAST_SPAN = 4
/** Pixels around the border of a line in which it is taken. */
const GRIP = 6
/** A mark of the ruler every so many seconds, the first that leaves this room. */
const STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
const MARK_WIDTH = 90

/** @param {View} view @param {number} seconds */
export const xOf = ({ from, span, width }, seconds) => ((seconds - from) / span) * width
/** @param {View} view @param {number} x pixels */
export const secondsAt = ({ from, span, width, duration }, x) => Math.min(duration, Math.max(0, from + (x / width) * span))

/** Within the film. @param {number} from @param {number} span @param {number} duration */
export const startOf = (from, span, duration) => Math.max(0, Math.min(from, duration - span))

/** The view with another span, in which `at` stays where it is. @param {View} view @param {number} span @param {number} at seconds */
export function zoomed(view, span, at) {
  const next = Math.min(Math.max(LEAST_SPAN, span), Math.max(LEAST_SPAN, view.duration))
  const share = (at - view.from) / view.span
  const from = share >= 0 && share <= 1 ? at - share * next : at - next / 2
  return { ...view, span: next, from: startOf(from, next, view.duration) }
}

/** The view that has the moment: pages of a little less than its span. @param {View} view @param {number} at */
export function following(view, at) {
  if (at >= view.from && at <= view.from + view.span) return view
  return { ...view, from: startOf(at - view.span * 0.1, view.span, view.duration) }
}

/** Seconds of the marks of the ruler. @param {View} view @returns {number[]} */
export function marksOf({ from, span, width }) {
  const step = STEPS.find((one) => (one / span) * width >= MARK_WIDTH) ?? 7200
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.max(0, Math.floor((from + span) / step) - first + 1) }, (_, at) => (first + at) * step)
}

/** Lines that reach into the view. @param {readonly Line[]} lines @param {View} view */
export const visible = (lines, { from, span }) => lines.filter(({ start, end }) => end > from && start < from + span)

/** What is under the pointer. @param {readonly Line[]} lines @param {readonly string[]} speakers @param {View} view @param {number} x @param {number} y @returns {Hit | null} */
export function hitOf(lines, speakers, view, x, y) {
  const speaker = speakers[Math.floor((y - RULER - WAVE) / TRACK)]
  if (speaker === undefined || y < RULER + WAVE) return null
  const here = visible(lines, view).filter((line) => line.speaker === speaker)
  const edgesOf = (/** @type {Line} */ line) => [xOf(view, line.start), xOf(view, line.end)]
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

/** The times of a line whose border is at another moment. @param {Pick<Line, 'start' | 'end'>} line @param {'start' | 'end'} edge @param {number} at @param {number} duration */
export function movedEdge({ start, end }, edge, at, duration) {
  const round = (/** @type {number} */ seconds) => Number(seconds.toFixed(3))
  if (edge === 'start') return { start: round(Math.max(0, Math.min(at, end - LEAST_SECONDS))), end }
  return { start, end: round(Math.min(duration, Math.max(at, start + LEAST_SECONDS))) }
}
