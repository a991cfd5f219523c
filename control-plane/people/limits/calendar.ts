// Days and months in the time zone of the studio. Pure: the zone is an argument.
import type { Period } from './limits.ts'

const HOUR_MS = 3_600_000
/** No local day is longer: clocks go back by one hour, and an island may leave out or repeat a day. */
const LONGEST_DAY_MS = 49 * HOUR_MS
const LONGEST_MONTH_MS = 33 * 24 * HOUR_MS

export type Calendar = ReturnType<typeof createCalendar>

/** `zone`: an IANA name. Throws RangeError for another one. */
export function createCalendar(zone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  })
  let known: { readonly from: number; readonly period: Period } | null = null

  function dayOf(at: number): string {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return `${parts.get('year')!.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`
  }

  /** The first moment after `at` at which `isLater` holds, which holds at `until`. */
  function firstAfter(at: number, until: number, isLater: (at: number) => boolean): number {
    let [before, after] = [at, until]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (isLater(middle)) after = middle
      else before = middle
    }
    return after
  }

  return {
    zone,
    dayOf,
    /** Epoch ms. */
    periodOf(at: number): Period {
      if (known && at >= known.from && at < known.period.nextDayAt) return known.period
      const day = dayOf(at)
      const month = monthOf(day)
      const period = {
        day,
        month,
        nextDayAt: firstAfter(at, at + LONGEST_DAY_MS, (later) => dayOf(later) > day),
        nextMonthAt: firstAfter(at, at + LONGEST_MONTH_MS, (later) => monthOf(dayOf(later)) > month),
      }
      known = { from: at, period }
      return period
    },
    /** A moment as people read it, such as "1 December 2026 at 00:00". */
    momentOf(at: number): string {
      const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]))
      const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
      return `${get('day')} ${get('month')} ${get('year')} at ${get('hour')}:${get('minute')}`
    },
  }
}

/** The month of a day. */
export const monthOf = (day: string): string => day.slice(0, 7)

/** The time zone of this process. */
export const zoneOfStudio = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
