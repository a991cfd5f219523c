// Times of TTML: `00:00:01.5`, `00:00:01:12` with pictures, `1.5s`, `30f`, `15000000t`. Pure.

/** Pictures and ticks in a second. */
export type TtmlClock = { readonly frames: number; readonly ticks: number }

const USUAL_FRAMES = 30
const MAX_TICKS = 1e12
const CLOCK = /^(\d{1,6}):(\d{2}):(\d{2})(?:\.(\d{1,20})|:(\d{1,4})(?:\.\d{1,4})?)?$/
const OFFSET = /^(\d{1,15}(?:\.\d{1,20})?)(h|m|s|ms|f|t)$/

/** `parameter`: an attribute of the root element by its local name. */
export function clockOf(parameter: (name: string) => string | undefined): TtmlClock {
  const whole = within(parameter('frameRate'), 1, 1000)
  const [up, down] = (parameter('frameRateMultiplier') ?? '').trim().split(/[\s:]/, 2)
  const share = (within(up, 1, 1e6) ?? 1) / (within(down, 1, 1e6) ?? 1)
  const frames = (whole ?? USUAL_FRAMES) * share
  return { frames, ticks: within(parameter('tickRate'), 1, MAX_TICKS) ?? (whole === null ? 1 : frames) }
}

/** Microseconds; null for no time, or one in another form. */
export function timeIn(text: string | undefined, { frames, ticks }: TtmlClock): number | null {
  const given = text?.trim() ?? ''
  const clock = CLOCK.exec(given)
  if (clock) {
    const [, hours, minutes, seconds, fraction, picture] = clock
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    return Math.round((whole + (fraction ? Number(`0.${fraction}`) : Number(picture ?? 0) / frames)) * 1e6)
  }
  const [, amount, unit] = OFFSET.exec(given) ?? []
  if (amount === undefined || unit === undefined) return null
  const seconds = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frames, t: 1 / ticks }[unit]!
  const us = Math.round(Number(amount) * seconds * 1e6)
  return Number.isSafeInteger(us) ? us : null
}

function within(text: string | undefined, least: number, most: number): number | null {
  const value = /^\s{0,9}\d{1,13}\s{0,9}$/.test(text ?? '') ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : null
}
