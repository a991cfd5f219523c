// The figures of GET /metrics, read from its text, so that the page shows what a dashboard elsewhere shows. Pure.

export type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }

const LINE = /^(studio_[a-z_]+)(?:\{([^}]*)\})? (\S+)$/
/** Lines of a studio of a later version may be more; the rest is not read. */
const MOST_LINES = 20_000

/** Names and values of closed sets, without commas or quotes. */
const labelsOf = (text: string) =>
  Object.fromEntries(text.split(',').map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 2, -1)]))

export function samplesOf(text: string): Sample[] {
  return text
    .split('\n', MOST_LINES)
    .map((line) => LINE.exec(line))
    .filter((found) => found !== null)
    .map(([, name = '', labels = '', value = '']) => ({
      name,
      labels: labelsOf(labels),
      value: Number(value),
    }))
}

type Wanted = Readonly<Record<string, string | readonly string[]>>
const has = ({ labels }: Sample, wanted: Wanted) =>
  Object.entries(wanted).every(([label, one]) => (Array.isArray(one) ? one.includes(labels[label]) : labels[label] === one))

/** The sum of all samples with these labels. */
export const totalOf = (samples: readonly Sample[], name: string, wanted: Wanted = {}): number =>
  samples.reduce((sum, one) => (one.name === name && has(one, wanted) ? sum + one.value : sum), 0)

/** A quantile of a histogram, between the limits of its classes as Prometheus computes it; null without a measurement. */
export function quantileOf(samples: readonly Sample[], name: string, share: number, wanted: Wanted = {}): number | null {
  const classes: Map<number, number> = new Map()
  for (const one of samples) {
    if (one.name !== `${name}_bucket` || !has(one, wanted)) continue
    const upTo = one.labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(one.labels['le'])
    classes.set(upTo, (classes.get(upTo) ?? 0) + one.value)
  }
  const limits = [...classes].sort(([one], [other]) => one - other)
  const all = limits.at(-1)?.[1] ?? 0
  if (all === 0) return null
  const rank = all * share
  let below = { limit: 0, count: 0 }
  for (const [limit, count] of limits) {
    if (count >= rank) {
      // Nothing is known above the last limit.
      if (limit === Number.POSITIVE_INFINITY) return below.limit
      return below.limit + ((limit - below.limit) * (rank - below.count)) / Math.max(1, count - below.count)
    }
    below = { limit, count }
  }
  return below.limit
}

/** Routes whose answer is sound that is made while it is sent. */
export const SOUND_ROUTES = ['speech.speak', 'speech.generate', 'speech.followTakeAudio'] as const
