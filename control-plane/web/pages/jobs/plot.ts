// Places of the lines and labels of the chart, in shares of its width and height. Pure.

/** at: epoch seconds */
export type Minute = { at: number; done: number; failed: number; waiting: number }
/** place: from the left, or from the bottom */
export type Label = { value: number; place: number }

/** Seconds that are shown at least, so that the first minutes of a studio are not stretched over the chart. */
const LEAST = 900
const FEW_SECONDS = 1800
/** Seconds between labels of longer times: six hours, a day, five days. */
const LONG: readonly (readonly [most: number, step: number])[] = [
  [3600, LEAST],
  [86_400, 21_600],
  [7 * 86_400, 86_400],
  [Number.POSITIVE_INFINITY, 5 * 86_400],
]
/** The highest value that is shown is at least this. */
const LEAST_HIGH = 4
const STEPS = 4

/** The smallest of 1, 2, 5, 10, 20 … with which `STEPS` labels reach the value. */
function stepOf(most: number) {
  const power = 10 ** Math.floor(Math.log10(most / STEPS))
  return power * ([1, 2, 5].find((one) => one * power * STEPS >= most) ?? 10)
}
/** The multiples of `step` in a range. */
const labels = (first: number, last: number, step: number): Label[] =>
  Array.from({ length: Math.floor(last / step) - Math.ceil(first / step) + 1 }, (_, index) => {
    const value = (Math.ceil(first / step) + index) * step
    return { value, place: (value - first) / (last - first) }
  })

/** `minutes`: two at least, the oldest first */
export function plotOf(minutes: readonly Minute[]) {
  const last = minutes[minutes.length - 1]?.at ?? 0
  const first = Math.min(minutes[0]?.at ?? 0, last - LEAST)
  const ended = minutes.map(({ done, failed }) => done + failed)
  const waited = minutes.map(({ waiting }) => waiting)
  const most = Math.max(LEAST_HIGH, ...ended, ...waited)
  const step = stepOf(most)
  const high = Math.ceil(most / step) * step
  /** Points of an SVG line. Its 0 is at the top. */
  const line = (values: readonly number[]) =>
    values
      .map((value, index) => `${(((minutes[index]?.at ?? 0) - first) / (last - first)).toFixed(4)},${(1 - value / high).toFixed(4)}`)
      .join(' ')
  return {
    ended: line(ended),
    waited: line(waited),
    times: labels(first, last, last - first > FEW_SECONDS ? LONG.find(([most]) => last - first <= most)![1] : LEAST / 3),
    values: labels(0, high, step),
  }
}
