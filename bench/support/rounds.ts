// Rounds that alternate between what is measured and its limit, so that a machine whose speed drifts treats both alike.

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!
}

/** Runs every column once a round, in turn, after one round that is not counted. */
export async function interleave<K extends string>(
  rounds: number,
  columns: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(columns) as K[]
  const seen = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = -1; round < rounds; round++)
    for (const name of names) {
      const value = await columns[name]()
      if (round >= 0) seen[name].push(value)
    }
  return seen
}

/** Median over the rounds of a/b, round by round, with the extremes. */
export function ratio(a: readonly number[], b: readonly number[]): { readonly median: number; readonly min: number; readonly max: number } {
  const each = a.map((value, index) => value / b[index]!)
  return { median: median(each), min: Math.min(...each), max: Math.max(...each) }
}

/** `count` calls with at most `width` under way; the milliseconds of each. */
export async function flood(count: number, width: number, call: () => Promise<unknown>): Promise<{ each: number[]; perSecond: number }> {
  const each: number[] = []
  let left = count
  const from = performance.now()
  const lane = async () => {
    while (left-- > 0) {
      const at = performance.now()
      await call()
      each.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return { each, perSecond: (count * 1000) / (performance.now() - from) }
}

const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))
export function row(what: string, ours: readonly number[], theirs: readonly number[] | null, unit: string, wish: string): void {
  const limit = theirs ? `  limit ${number(median(theirs)).padStart(7)} ${unit}` : ''
  const r = theirs ? ratio(ours, theirs) : null
  const ratioText = r ? `  ratio ${r.median.toFixed(2)} (${r.min.toFixed(2)}..${r.max.toFixed(2)})` : ''
  process.stdout.write(`${what.padEnd(46)} ${number(median(ours)).padStart(7)} ${unit}${limit}${ratioText}  ${wish}\n`)
}
export const title = (text: string): void => void process.stdout.write(`\n${text}\n`)
