// The line of a cue that holds its times. A scanner by hand, so that every line takes linear time. Pure.

export type CueTimes = { readonly startUs: number; readonly endUs: number }

/** Hours have at most this many digits, so that times are exact numbers. */
const MAX_HOUR_DIGITS = 6
const MAX_DASHES = 6
const HOUR_US = 3_600_000_000
const MINUTE_US = 60_000_000
/** Signs of other scripts, hyphens and dashes that programs write in place of the digits and signs of times. */
const FOREIGN = /[\u00ad\u0660-\u0669\u066b\u06f0-\u06f9\u2010-\u2015\u2212\u2236\ufe55\ufe58\ufe63\uff0c-\uff0e\uff10-\uff1a\uff1e]/g
const ESCAPED_ARROW = '&gt;'
/** An arrow as `arrowEnd` reads it, before signs are replaced. */
const ARROWS = /(?:[-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d][ \t\u00a0]?){1,6}(?:>|\uff1e|&gt;)/g

/**
 * `unreadable` for a line that is meant to hold times, but does not; null for any other line. Accepts `H:MM:SS,mmm`, `MM:SS.mmm`, one to three digits
 * of fraction, blanks beside the signs, `->` and other dashes for `-->`, full-width and Arabic digits, and anything after the second time.
 */
export function timesOf(given: string): CueTimes | 'unreadable' | null {
  // Most lines of a file have no times.
  const first = given[skipBlanks(given, 0)]
  if (first === undefined || !isDigit(plain(first), 0)) return null
  const line = plain(given)
  const start = timeAt(line, skipBlanks(line, 0))
  const arrow = start && arrowEnd(line, skipBlanks(line, start.end))
  const end = arrow ? timeAt(line, skipBlanks(line, arrow)) : null
  if (start && end && !isDigit(line, end.end)) return { startUs: start.us, endUs: end.us }
  const at = line.search(/--[ \t\u00a0]?(?:>|&gt;)/)
  const colon = line.indexOf(':')
  return at > 0 && colon >= 0 && colon < at ? 'unreadable' : null
}

/** The line with another arrow, so that `timesOf` does not find times in it. */
export const withoutTimes = (line: string): string => (timesOf(line) === null ? line : line.replace(ARROWS, '→'))

const plain = (text: string): string =>
  text.replace(FOREIGN, (character) => {
    const code = character.codePointAt(0)!
    if (code >= 0xff10 && code <= 0xff19) return String(code - 0xff10)
    if (code >= 0x660 && code <= 0x669) return String(code - 0x660)
    if (code >= 0x6f0 && code <= 0x6f9) return String(code - 0x6f0)
    if (code === 0xff1e) return '>'
    if (code === 0xff0e) return '.'
    if (code === 0xff0c || code === 0x66b) return ','
    if (code === 0xff1a || code === 0xfe55 || code === 0x2236) return ':'
    // A long dash stands for two.
    return (code >= 0x2013 && code <= 0x2015) || code === 0xfe58 ? '--' : '-'
  })

/** Digits, a colon, digits, perhaps once more, and perhaps a fraction. */
function timeAt(line: string, from: number): { readonly us: number; readonly end: number } | null {
  if (!isDigit(line, from)) return null
  const fields: number[] = []
  let at = from
  for (let next: number | null = from; next !== null; next = fields.length < 3 ? afterSign(line, at, ':') : null) {
    at = digitsEnd(line, next, fields.length === 0 ? MAX_HOUR_DIGITS : 2)
    fields.push(Number(line.slice(next, at)))
  }
  if (fields.length < 2) return null
  const [seconds = 0, minutes = 0, hours = 0] = fields.reverse()
  let us = hours * HOUR_US + minutes * MINUTE_US + seconds * 1e6
  const fraction = afterSign(line, at, ',') ?? afterSign(line, at, '.')
  if (fraction !== null) {
    at = digitsEnd(line, fraction, 3)
    us += Number(line.slice(fraction, at).padEnd(3, '0')) * 1_000
    // Finer than milliseconds.
    while (isDigit(line, at)) at++
  }
  return { us, end: at }
}

/** Position of the digit after this sign, with blanks around the sign; null if there is none. */
function afterSign(line: string, from: number, sign: string): number | null {
  const at = skipBlanks(line, from)
  const digit = line[at] === sign ? skipBlanks(line, at + 1) : at
  return line[at] === sign && isDigit(line, digit) ? digit : null
}

function arrowEnd(line: string, from: number): number | null {
  let at = from
  for (let dashes = 0; line[at] === '-' && dashes < MAX_DASHES; dashes++) at = skipBlanks(line, at + 1)
  if (at === from) return null
  if (line.startsWith(ESCAPED_ARROW, at)) return at + ESCAPED_ARROW.length
  return line[at] === '>' ? at + 1 : null
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
