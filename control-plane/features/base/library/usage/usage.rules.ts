// Adds up the figures of takes. Pure.

/** The takes of one mode and language in a part of the history. Moments are epoch seconds. */
export type TakeGroup = {
  readonly mode: string
  readonly language: string
  readonly takes: number
  readonly starred: number
  readonly audio_seconds: number
  readonly compute_seconds: number
  readonly first_at: number
  readonly last_at: number
}
/** `quarters`: quarters of an hour since the epoch in which a take was made. Every time zone begins its days at one of them. */
export type TakePart = { readonly groups: readonly TakeGroup[]; readonly quarters: readonly number[] }

export const QUARTER_SECONDS = 900
const MAX_LANGUAGES = 12

/** `dayOf`: the local day of a moment in epoch milliseconds, as a text. */
export function createTotals(dayOf: (ms: number) => string) {
  const days = new Set<string>()
  const modes = new Map<string, number>()
  const languages = new Map<string, number>()
  const sum = { takes: 0, starred: 0, audio_seconds: 0, compute_seconds: 0 }
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  return {
    add({ groups, quarters }: TakePart): void {
      for (const quarter of quarters) days.add(dayOf(quarter * QUARTER_SECONDS * 1000))
      for (const group of groups) {
        for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += group[key]
        first = Math.min(first, group.first_at)
        last = Math.max(last, group.last_at)
        count(modes, group.mode, group.takes)
        count(languages, group.language, group.takes)
      }
    },
    figures: () => ({
      ...sum,
      audio_seconds: rounded(sum.audio_seconds),
      compute_seconds: rounded(sum.compute_seconds),
      active_days: days.size,
      first_at: sum.takes > 0 ? first : null,
      last_at: sum.takes > 0 ? last : null,
      by_mode: ranked(modes),
      by_language: ranked(languages).slice(0, MAX_LANGUAGES),
    }),
  }
}

function count(counts: Map<string, number>, text: string, takes: number): void {
  const name = text.trim() || 'unknown'
  counts.set(name, (counts.get(name) ?? 0) + takes)
}

const ranked = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, takes]) => ({ name, count: takes })).sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))

const rounded = (seconds: number): number => Math.round(seconds * 100) / 100
