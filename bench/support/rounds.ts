// Rounds that alternate between the subject and its baseline, so that a drift of the machine's speed affects both equally.

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!
}

/** Runs every column once a round, one after the other, after one warm-up round. */
export async function interleave<K extends string>(
  rounds: number,
  columns: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(columns) as K[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = -1; round < rounds; round++)
    for (const name of names) {
      const value = await columns[name]()
      if (round >= 0) values[name].push(value)
    }
  return values
}

/** Median and extremes of a/b, computed for each round. */
export function ratio(a: readonly number[], b: readonly number[]): { readonly median: number; readonly min: number; readonly max: number } {
  const each = a.map((value, index) => value / b[index]!)
  return { median: median(each), min: Math.min(...each), max: Math.max(...each) }
}

/** Makes `count` calls, at most `width` at a time. `each` has the milliseconds of each call. */
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
/** Prints one line: median, baseline, ratio, and the `goal` for the ratio. */
export function row(label: string, ours: readonly number[], theirs: readonly number[] | null, unit: string, goal: string): void {
  const limit = theirs ? `  limit ${number(median(theirs)).padStart(7)} ${unit}` : ''
  const r = theirs ? ratio(ours, theirs) : null
  const ratioText = r ? `  ratio ${r.median.toFixed(2)} (${r.min.toFixed(2)}..${r.max.toFixed(2)})` : ''
  process.stdout.write(`${label.padEnd(46)} ${number(median(ours)).padStart(7)} ${unit}${limit}${ratioText}  ${goal}\n`)
}
export const title = (text: string): void => void process.stdout.write(`\n${text}\n`)
