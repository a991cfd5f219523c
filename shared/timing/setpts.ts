// The time map as an expression of ffmpeg: a balanced tree, so that thousands of pieces cost no time. Pure.
import type { TimeMap } from './time-map.ts'

const seconds = (us: number): string => {
  const digits = String(Math.abs(us)).padStart(7, '0')
  return `${us < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/**
 * The time in the export, in seconds, of a frame at `T` seconds of the film. It contains commas: write it between quotes. A filter
 * `setpts='(…)/TB'` needs `settb=AVTB` before it, because it cuts times to whole units of the time base, which can be a frame.
 */
export function setptsOf({ knots }: TimeMap): string {
  const tree = (from: number, to: number): string => {
    if (to - from === 1) {
      const { fromUs, toUs, slope } = knots[from]!
      return `${seconds(toUs)}+(T-${seconds(fromUs)})*${slope.toFixed(12)}`
    }
    const middle = (from + to) >> 1
    return `if(lt(T,${seconds(knots[middle]!.fromUs)}),${tree(from, middle)},${tree(middle, to)})`
  }
  return knots.some(({ slope }) => slope !== 1) ? tree(0, knots.length) : 'T'
}
