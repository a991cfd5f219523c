// Values of the attributes of SSML in the units of the studio. Pure. Null stands for a value that is none of SSML.
import { LONGEST_PAUSE_MS } from '../script/pause.ts'

const TIME = /^\+?(\d{0,9}\.?\d{1,9})\s?(ms|s)$/i
const PERCENT = /^([+-]?)(\d{0,9}\.?\d{1,9})%$/
const PLAIN = /^\d{0,9}\.?\d{1,9}$/
const DECIBELS = /^([+-]?)(\d{0,9}\.?\d{1,9})\s?dB$/i

/** Milliseconds of a `break` of this strength. SSML leaves them to the program. */
const BREAKS: Readonly<Record<string, number>> = { none: 0, 'x-weak': 100, weak: 250, medium: 500, strong: 750, 'x-strong': 1200 }
/** Shares of the usual speed; "slow" and "fast" are those of the inline marks. */
const RATES: Readonly<Record<string, number>> = { 'x-slow': 0.6, slow: 0.85, medium: 1, default: 1, fast: 1.15, 'x-fast': 1.5 }
const EMPHASES: Readonly<Record<string, number>> = { strong: 0.87, moderate: 0.93, none: 1, reduced: 1.07 }
/** Decibels. */
const VOLUMES: Readonly<Record<string, number>> = { 'x-soft': -12, soft: -6, medium: 0, default: 0, loud: 3, 'x-loud': 6 }
/** Decibels of "silent", which no ear hears. */
const SILENT_DB = -90
const LOUDEST_DB = 12
const [SLOWEST, FASTEST] = [0.25, 4]

const named = (table: Readonly<Record<string, number>>, name: string): number | null => (Object.hasOwn(table, name) ? table[name]! : null)
const tidy = (value: string): string => value.trim().toLowerCase()

/** Milliseconds, at most those of the longest pause. */
export function breakMs(time: string | undefined, strength: string | undefined): number | null {
  if (time === undefined) return named(BREAKS, tidy(strength ?? 'medium'))
  const match = TIME.exec(time.trim())
  return match ? Math.min(LONGEST_PAUSE_MS, Number(match[1]) * (match[2]!.toLowerCase() === 's' ? 1000 : 1)) : null
}

/** Share of the speed around the element: 80% and 0.8 are a share, +10% and -10% a change. */
export function rateOf(value: string): number | null {
  const rate = named(RATES, tidy(value)) ?? shareOf(value.trim())
  return rate === null ? null : Math.min(FASTEST, Math.max(SLOWEST, rate))
}

function shareOf(value: string): number | null {
  if (PLAIN.test(value)) return Number(value)
  const [, sign, amount] = PERCENT.exec(value) ?? []
  if (amount === undefined) return null
  if (sign === '') return Number(amount) / 100
  return 1 + (sign === '-' ? -1 : 1) * (Number(amount) / 100)
}

export const emphasisRate = (level: string | undefined): number | null => named(EMPHASES, tidy(level ?? 'moderate'))

/** Decibels beside the usual volume: names, +6dB, a level from 0 to 100 of which 100 is usual, or a change such as -20%. */
export function volumeDb(value: string): number | null {
  const name = tidy(value)
  if (name === 'silent') return SILENT_DB
  const [, minus, decibels] = DECIBELS.exec(value.trim()) ?? []
  const share = PLAIN.test(value.trim()) ? Number(value) / 100 : shareOf(value.trim())
  const db =
    named(VOLUMES, name) ??
    (decibels !== undefined ? Number(decibels) * (minus === '-' ? -1 : 1) : share === null ? null : decibelsOf(share))
  return db === null ? null : Math.min(LOUDEST_DB, Math.max(SILENT_DB, db))
}
const decibelsOf = (share: number): number => (share <= 0 ? SILENT_DB : 20 * Math.log10(share))
