// Times of sound and film as people type them, in the form in which `clock` of format.ts writes them. Pure.

type Times = { readonly start: number; readonly end: number }
/** Texts of the fields that were typed in. */
export type TypedTimes = { readonly start?: string; readonly end?: string }
/** number: not a time. order: too little between start and end. past: after the end of the film */
export type TimeRefusal = 'number' | 'order' | 'past'

const PART = /^\d{1,6}$/
/** A comma is the decimal point of many languages. */
const SECONDS = /^\d{0,6}(?:[.,]\d{0,6})?$/
/** Zeros of the digits of Arabic, Persian and Hindi; the other nine follow each. Those of Japanese and Chinese are forms of the usual ones. */
const ZEROS = [0x660, 0x6f0, 0x966]
const usualDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) =>
      String(digit.charCodeAt(0) - ZEROS.findLast((zero) => zero <= digit.charCodeAt(0))!),
    )
    .replace('\u066b', '.')

/** Seconds of 1:02:03.4, 1:02.5 or 62.5, to the millisecond, also in digits of other languages; null for another text. Only the first part may be 60 or more. */
export function secondsOfClock(text: string): number | null {
  const parts = usualDigits(text).trim().split(':')
  const tail = parts.at(-1) ?? ''
  const heads = parts.slice(0, -1)
  if (parts.length > 3 || !SECONDS.test(tail) || !/\d/.test(tail) || !heads.every((part) => PART.test(part))) return null
  const values = [...heads.map(Number), Number(tail.replace(',', '.'))]
  if (values.slice(1).some((value) => value >= 60)) return null
  return Number(values.reduce((sum, value) => sum * 60 + value, 0).toFixed(3))
}

/**
 * Start and end from what was typed in their fields, or why they are none. A text that is what the field showed is no change: times are more exact
 * than they are shown. `least`: seconds between them. `most`: seconds of the film
 */
export function typedTimes(
  now: Times,
  typed: TypedTimes,
  { shown, least, most }: { shown: (seconds: number) => string; least: number; most: number },
): Times | TimeRefusal {
  const read = (name: 'start' | 'end') => {
    const text = typed[name]
    return text === undefined || text === shown(now[name]) ? now[name] : secondsOfClock(text)
  }
  const [start, end] = [read('start'), read('end')]
  if (start === null || end === null) return 'number'
  if (Math.max(start === now.start ? 0 : start, end === now.end ? 0 : end) > most) return 'past'
  return end - start < least - 1e-6 ? 'order' : { start, end }
}
