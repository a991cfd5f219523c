// Times and sizes as text.
import { decimal } from '#messages/language.ts'
import { strings } from '#messages/shared.ts'

/** Epoch seconds as "4 min ago"; the caller redraws it. */
export function ago(at: number | null | undefined) {
  if (at === null || at === undefined) return strings.never
  const past = Math.max(0, Date.now() / 1000 - at)
  if (past < 1) return strings.now
  if (past < 60) return strings.secondsAgo(Math.floor(past))
  if (past < 3600) return strings.minutesAgo(Math.floor(past / 60))
  return past < 86_400 ? strings.hoursAgo(Math.floor(past / 3600)) : exact(at).slice(0, 10)
}

/** 2026-11-26 20:16, in local time: without Intl, whose first use takes 10 ms. `at`: epoch seconds */
export function exact(at: number) {
  const date = new Date(at * 1000)
  return new Date(at * 1000 - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ')
}

/** At least 0.1, and 3 instead of 3.0. */
function tenths(seconds: number) {
  const count = Math.max(1, Math.round(seconds * 10))
  return decimal(count / 10, count % 10 === 0 ? 0 : 1)
}

/** 0.4 s, 12 s, 2 min, 1 h 12 min. */
export function duration(seconds: number) {
  if (seconds < 9.95) return strings.seconds(tenths(seconds))
  if (seconds < 90) return strings.seconds(String(Math.round(seconds)))
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? strings.minutes(minutes) : strings.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60)
}

/** A place in sound or film: 1:02, 1:02:03, and with decimals 1:02.5. `digits`: most decimals; one is shown at least, unless it is 0 */
export function clock(seconds: number, digits: number = 0) {
  const unit = 10 ** digits
  const units = Math.max(0, digits > 0 ? Math.round(seconds * unit) : Math.floor(seconds))
  const whole = Math.floor(units / unit)
  const two = (count: number) => String(count % 60).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)]
  const fraction = digits > 0 ? String((units % unit) / unit).slice(1) || '.0' : ''
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole)}${fraction}`
}

/** The length of sound: 0.4 s, 12 s, 2:43, 1:12:05. */
export function soundLength(seconds: number) {
  const whole = Math.round(seconds)
  return whole < 60 ? duration(seconds) : clock(whole)
}

const LAST_SECONDS = 10
/** Estimated time that is left, in steps of five seconds: an estimate of tenths would be false precision. */
export const remaining = (seconds: number) => (seconds < LAST_SECONDS ? strings.fewSeconds : duration(Math.ceil(seconds / 5) * 5))

/** Time left of a countdown, to the second below an hour. */
export function timeLeft(seconds: number) {
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return strings.seconds(String(seconds))
  return minutes < 60 ? strings.minutesAndSeconds(minutes, seconds % 60) : strings.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60)
}

/** Decimal units: 3.3 GB. */
export function bytes(size: number) {
  const step = Math.min(strings.byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3))
  const value = size / 1000 ** step
  return `${decimal(value, step > 1 && value < 9.95 ? 1 : 0)} ${strings.byteUnits[step]}`
}

/** `share`: 0 to 1 */
export const percent = (share: number) => strings.percent(String(Math.round(share * 100)))

/** Isolates the direction of text that people typed, for places without an element of their own (an option, a notice). */
export const isolated = (text: string) => `\u2068${text}\u2069`

export const short = (text: string, limit: number = 60) => (text.length > limit ? `${text.slice(0, limit)}…` : text)
