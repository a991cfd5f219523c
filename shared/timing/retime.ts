// The time map as an expression of ffmpeg: a balanced tree, so that thousands of pieces cost no time. Pure.
import type { TimeMap } from './time-map.ts'

const seconds = (us: number): string => {
  const digits = String(Math.abs(us)).padStart(7, '0')
  return `${us < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/**
 * The time in the export, in seconds, of a frame at `T` seconds: an expression of ffmpeg, or null where no frame moves. It contains commas. A
 * filter `setpts` needs `settb=AVTB` before it: it cuts times to whole units of the time base, which can be a frame.
 */
export function retimeOf({ knots }: TimeMap): string | null {
  if (knots.every(({ slope }) => slope === 1)) return null
  const tree = (from: number, to: number): string => {
    if (to - from === 1) {
      const { fromUs, toUs, slope } = knots[from]!
      return `${seconds(toUs)}+(T-${seconds(fromUs)})*${slope.toFixed(12)}`
    }
    const middle = (from + to) >> 1
    return `if(lt(T,${seconds(knots[middle]!.fromUs)}),${tree(from, middle)},${tree(middle, to)})`
  }
  return tree(0, knots.length)
}
