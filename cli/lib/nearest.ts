/** The candidate with the smallest edit distance to `word`; the first of equals. Needs at least one candidate. */
export function nearest(word: string, candidates: readonly string[]): string {
  return [...candidates].sort((a, b) => distance(word, a) - distance(word, b))[0]!
}

/** The `count` nearest items, each by the nearest of its names, without regard to case. */
export function nearestOf<T>(word: string, items: readonly T[], namesOf: (item: T) => readonly string[], count: number): T[] {
  const wanted = word.toLowerCase()
  return items
    .map((item) => ({ item, far: Math.min(...namesOf(item).map((name) => distance(wanted, name.toLowerCase()))) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ item }) => item)
}

// Levenshtein distance, one row of the table at a time.
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[to.length]!
}
