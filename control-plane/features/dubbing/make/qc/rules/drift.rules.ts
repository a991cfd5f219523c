// Measures the distance of a spoken line from the request: its words and its time. Pure.
import { composed } from '#shared/text/unicode/compose.ts'

const MAX_CHARS = 1_000
const MARGIN_US = 300_000

export type PlannedLine = { readonly id: string; readonly startUs: number; readonly lengthUs: number }
export type CheckedSpan = { readonly fromUs: number; readonly toUs: number }
type Measured = { readonly startUs: number; readonly endUs: number }

/** Letters and digits of every script, in one case. */
const letters = (text: string): string[] => [
  ...composed(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
    .slice(0, MAX_CHARS),
]

/** Changed characters for each character of `wanted`, 0 to 1. Spaces, case and punctuation do not count. */
export function characterError(wanted: string, recognized: string): number {
  const [one, other] = [letters(wanted), letters(recognized)]
  if (one.length === 0) return other.length === 0 ? 0 : 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of one.entries()) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to++)
      next.push(Math.min(next[to]! + 1, row[to + 1]! + 1, row[to]! + (letter === other[to] ? 0 : 1)))
    row = next
  }
  return Math.min(1, row[other.length]! / one.length)
}

/** The span to recognise for each line: slightly longer than the line, without overlapping its neighbours. */
export function spansOf(lines: readonly PlannedLine[], totalUs: number): Map<string, CheckedSpan> {
  const ordered = lines.toSorted((one, other) => one.startUs - other.startUs)
  return new Map(
    ordered.map(({ id, startUs, lengthUs }, at) => {
      const [before, after] = [ordered[at - 1], ordered[at + 1]]
      const endUs = startUs + lengthUs
      const fromUs = Math.max(0, startUs - MARGIN_US, Math.min(startUs, before ? before.startUs + before.lengthUs : 0))
      return [id, { fromUs, toUs: Math.min(totalUs, endUs + MARGIN_US, Math.max(endUs, after?.startUs ?? totalUs)) }]
    }),
  )
}

/** Seconds between where speech is and where it was planned, the larger of both ends. */
export const lateSeconds = ({ startUs, lengthUs }: PlannedLine, measured: Measured): number =>
  Math.max(Math.abs(measured.startUs - startUs), Math.abs(measured.endUs - startUs - lengthUs)) / 1e6

/** The larger of the error of the words and the error of the time in seconds, each at most 1. Null: it was not checked, or cannot be. */
export const driftOf = (characters: number | null, late: number | null): number =>
  Math.round(Math.max(characters ?? 0, Math.min(1, late ?? 0)) * 1000) / 1000
