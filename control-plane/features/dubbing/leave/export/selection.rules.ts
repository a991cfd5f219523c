// Selects the tracks of an export, and the one that plays first. Pure.
import { Failure } from '#shared/protocol/failure.ts'

export const ORIGINAL = 'original'
const MAX_CODES = 64

export type TrackSelection = {
  /** Language codes and `original`; the first one is the default. */
  readonly codes: readonly string[]
  readonly first: string
}
type Choice = { readonly include: string; readonly defaultTrack: string }

/** Unknown codes are left out. Throws BAD_REQUEST without tracks, and when nothing remains. */
export function selectTracks(known: readonly string[], { include, defaultTrack }: Choice): TrackSelection {
  if (known.length === 0) throw new Failure('BAD_REQUEST', 'This dub has no voice track yet. Generate one first.')
  const wanted = include
    .split(',', MAX_CODES)
    .map((code) => code.trim())
    .filter((code) => code !== '')
  const all = [...known, ORIGINAL]
  const selected = wanted.length === 0 ? all : all.filter((code) => wanted.includes(code))
  if (selected.length === 0)
    throw new Failure('BAD_REQUEST', `None of the tracks in include_tracks exists. This dub has ${all.slice(0, MAX_CODES).join(', ')}.`)
  const first = selected.includes(defaultTrack) ? defaultTrack : selected[0]!
  return { codes: [first, ...selected.filter((code) => code !== first)], first }
}

/** The track whose time line an export has; null for that of the film. */
export function timingTrack({ codes, first }: TrackSelection): string | null {
  if (first !== ORIGINAL) return first
  const dubbed = codes.filter((code) => code !== ORIGINAL)
  return dubbed.length === 1 ? dubbed[0]! : null
}

/** The track for sound alone: the default one, and a dubbed one rather than the original. */
export const soundTrack = ({ codes, first }: TrackSelection): string =>
  first === ORIGINAL ? (codes.find((code) => code !== ORIGINAL) ?? ORIGINAL) : first

const [MIN_KBPS, USUAL_KBPS, MAX_KBPS] = [64, 192, 320]

/** kbit/s of a text such as `192k`, within 64 and 320; 192 for anything else. */
export function exportKbps(text: string): number {
  const found = /^(\d{1,6})\s?k?$/i.exec(text.trim())
  return found ? Math.max(MIN_KBPS, Math.min(MAX_KBPS, Number(found[1]))) : USUAL_KBPS
}
