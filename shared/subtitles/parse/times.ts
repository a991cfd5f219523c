// The line of a cue that holds its times. A scanner by hand, so that every line takes linear time. Pure.

export type CueTimes = { readonly startUs: number; readonly endUs: number }

/** Hours have at most this many digits, so that times are exact numbers. */
const MOST_HOUR_DIGITS = 6
const HOUR_US = 3_600_000_000
const MINUTE_US = 60_000_000

/**
 * `unreadable` for a line that is meant to hold times, but does not; null for any other line. Accepts `H:MM:SS,mmm`, `MM:SS.mmm`, one to
 * three digits of fraction, `->` for `-->`, and anything after the second time.
 */
export function timesOf(line: string): CueTimes | 'unreadable' | null {
  const from = skipBlanks(line, 0)
  if (!isDigit(line, from)) return null
  const start = timeAt(line, from)
  const arrow = start && arrowEnd(line, skipBlanks(line, start.end))
  const end = arrow ? timeAt(line, skipBlanks(line, arrow)) : null
  if (start && end && !isDigit(line, end.end)) return { startUs: start.us, endUs: end.us }
  const at = line.indexOf('-->')
  const colon = line.indexOf(':')
  return at > 0 && colon >= 0 && colon < at ? 'unreadable' : null
}

/** Digits, a colon, digits, perhaps once more, and perhaps a fraction. */
function timeAt(line: string, from: number): { readonly us: number; readonly end: number } | null {
  const fields: number[] = []
  let at = from
  for (;;) {
    const end = digitsEnd(line, at, fields.length === 0 ? MOST_HOUR_DIGITS : 2)
    if (end === at) return null
    fields.push(Number(line.slice(at, end)))
    at = end
    if (line[at] !== ':' || fields.length === 3) break
    at++
  }
  if (fields.length < 2) return null
  const [seconds = 0, minutes = 0, hours = 0] = fields.reverse()
  let us = hours * HOUR_US + minutes * MINUTE_US + seconds * 1e6
  if ((line[at] === ',' || line[at] === '.') && isDigit(line, at + 1)) {
    const end = digitsEnd(line, at + 1, 3)
    us += Number(line.slice(at + 1, end).padEnd(3, '0')) * 1_000
    at = end
    // Finer than milliseconds.
    while (isDigit(line, at)) at++
  }
  return { us, end: at }
}

function arrowEnd(line: string, from: number): number | null {
  let at = from
  while (line[at] === '-' && at < from + 3) at++
  return at > from && line[at] === '>' ? at + 1 : null
}

function skipBlanks(line: string, from: number): number {
  let at = from
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '\u00a0') at++
  return at
}

function digitsEnd(line: string, from: number, most: number): number {
  let at = from
  while (at < from + most && isDigit(line, at)) at++
  return at
}

const isDigit = (line: string, at: number): boolean => {
  const char = line[at]
  return char !== undefined && char >= '0' && char <= '9'
}
