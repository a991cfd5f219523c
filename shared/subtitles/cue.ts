// A subtitle, and its times as text. Pure.

export type Cue = {
  /** Microseconds from the start of the film. */
  readonly startUs: number
  readonly endUs: number
  /** Lines are separated by a line feed. */
  readonly text: string
}

const [HOUR, MINUTE, SECOND] = [3_600_000_000, 60_000_000, 1_000_000]
const MOST_TIME = 24
const MOST_SETTINGS = 400
const TIME = /^(?:(\d{1,5}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,6}))?$/

/** Microseconds; null for what is no time. Hours and the fraction may be missing. */
export function parseTime(text: string): number | null {
  if (text.length > MOST_TIME) return null
  const found = TIME.exec(text)
  if (!found) return null
  const [hours, minutes, seconds] = [found[1] ?? '0', found[2], found[3]].map(Number) as [number, number, number]
  if (minutes > 59 || seconds > 59) return null
  return hours * HOUR + minutes * MINUTE + seconds * SECOND + Number((found[4] ?? '').padEnd(6, '0'))
}

/** The line of times of a cue: `unreadable` for one with wrong times, null for any other line. Linear. */
export function parseTimes(line: string): { readonly startUs: number; readonly endUs: number } | 'unreadable' | null {
  const arrow = line.indexOf('->')
  if (arrow < 0 || arrow > 2 * MOST_TIME + 2) return null
  const before = line.slice(0, line[arrow - 1] === '-' ? arrow - 1 : arrow).trim()
  const [after = ''] = line
    .slice(arrow + 2, arrow + 2 + MOST_SETTINGS)
    .trim()
    .split(/\s/, 1)
  const [startUs, endUs] = [parseTime(before), parseTime(after)]
  if (startUs !== null && endUs !== null) return { startUs, endUs }
  return looksLikeTime(before) && looksLikeTime(after) ? 'unreadable' : null
}

/** `-1:00:00,5` and `00:61:00,000` do, words do not. */
const looksLikeTime = (text: string): boolean => text.length <= MOST_TIME && /\d/.test(text) && /:/.test(text) && !/\s/.test(text)

/** With hours and three digits of fraction. */
export function formatTime(us: number, point: ',' | '.'): string {
  const ms = Math.round(us / 1000)
  const part = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0')
  return `${part(ms / 3_600_000)}:${part((ms / 60_000) % 60)}:${part((ms / 1000) % 60)}${point}${part(ms % 1000, 3)}`
}
