// Divides a text into the pictures of a subtitle, and each into balanced lines. Pure.

import type { LineLimits } from './width.ts'
import { type DisplayWord, joinWords, lineWidth } from './words.ts'

/** Cost of each picture more than necessary. */
const PICTURE_COST = 60
/** A break between pictures is worse than the same one between lines. */
const PICTURE_BREAK = 5
/** Cost of lines whose widths differ by a whole line. */
const IMBALANCE_COST = 20
/** The lower line is the longer one. */
const TOP_HEAVY_COST = 3

type Wrapped = { readonly breakAfter: number | null; readonly cost: number }

/** The words of each picture: as few pictures as good breaks allow. At least one word each. */
export function pictures(words: readonly DisplayWord[], limits: LineLimits): DisplayWord[][] {
  // By number of words from the start: the least cost, and where the last picture begins.
  const least: number[] = [0]
  const origin: number[] = [0]
  for (let end = 1; end <= words.length; end++) {
    least[end] = Number.POSITIVE_INFINITY
    let width = 0
    for (let start = end - 1; start >= 0; start--) {
      width += words[start]!.width + (start < end - 1 ? words[start]!.space : 0)
      if (width > limits.line * limits.lines && start < end - 1) break
      const wrapped = wrap(words, start, end, limits)
      if (wrapped === null) continue
      const cost = least[start]! + PICTURE_COST + words[end - 1]!.cost * PICTURE_BREAK + wrapped.cost
      if (cost < least[end]!) {
        least[end] = cost
        origin[end] = start
      }
    }
  }
  const found: DisplayWord[][] = []
  for (let end = words.length; end > 0; end = origin[end]!) found.push(words.slice(origin[end]!, end))
  return found.reverse()
}

/** One or two lines for the words of a picture. */
export function linesOfPicture(words: readonly DisplayWord[], limits: LineLimits): string[] {
  const breakAfter = wrap(words, 0, words.length, limits)?.breakAfter ?? null
  return breakAfter === null ? [joinWords(words)] : [joinWords(words.slice(0, breakAfter)), joinWords(words.slice(breakAfter))]
}

/** Null when the words do not fit. Words fit a line when they are alone. */
function wrap(words: readonly DisplayWord[], start: number, end: number, { line, lines }: LineLimits): Wrapped | null {
  const whole = lineWidth(words.slice(start, end))
  if (whole <= line || end - start === 1) return { breakAfter: null, cost: 0 }
  if (lines < 2) return null
  let best: Wrapped | null = null
  let upper = 0
  for (let at = start; at < end - 1; at++) {
    upper += words[at]!.width
    const lower = whole - upper - words[at]!.space
    if (upper > line) break
    if (lower <= line) {
      const cost = words[at]!.cost + (Math.abs(upper - lower) / line) * IMBALANCE_COST + (upper > lower ? TOP_HEAVY_COST : 0)
      if (best === null || cost < best.cost) best = { breakAfter: at + 1 - start, cost }
    }
    upper += words[at]!.space
  }
  return best
}
