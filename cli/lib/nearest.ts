/** The candidate with the smallest edit distance to `word`; the first of equals. Needs at least one candidate. */
export function nearest(word: string, candidates: readonly string[]): string {
  return [...candidates].sort((a, b) => distance(word, a) - distance(word, b))[0]!
}

/** The nearest candidate that typing errors explain: one edit for each three letters of `word`, which has four at least. Null if there is none. */
export function likelyWord(word: string, candidates: readonly string[]): string | null {
  const most = word.length < SHORTEST_WORD ? 0 : Math.floor(word.length / LETTERS_PER_EDIT)
  const possible = candidates.filter(({ length }) => Math.abs(length - word.length) <= most)
  if (most === 0 || possible.length === 0) return null
  const found = nearest(word, possible)
  return distance(word, found) <= most ? found : null
}
/** A sentence with the candidate that is two edits away, or a third of `word`; to append to a message. Empty without one. */
export function guess(word: string, candidates: readonly string[]): string {
  if (word.length > LONGEST_GUESSED || candidates.length === 0) return ''
  const found = nearest(word, candidates)
  return distance(word, found) <= Math.max(2, Math.floor(word.length / LETTERS_PER_EDIT)) ? ` Did you mean '${found}'?` : ''
}
const LONGEST_GUESSED = 100
const SHORTEST_WORD = 4
const LETTERS_PER_EDIT = 3

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
