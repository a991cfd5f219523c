// Hostile repetitions through every pure function that reads the text of users. Four times the text may take about four times as long;
// a quadratic function takes sixteen times as long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs, ENTRANCES, REPEATED, repeated } from './text-entrances.ts'

const BYTES = 16 * 1024
/** The linear functions need less; a backtracking search of this text needs ten times as long. */
const SUSPICIOUS_MS = 16
const MOST_GROWTH = 9
const ATTEMPTS = 4

/** How many times longer four times the text takes, in one attempt. The shorter text runs `shortRuns` times, and the shortest one counts. */
function growthOnce(read: (text: string) => unknown, word: string, bytes = BYTES, shortRuns = 1): number {
  const [short, long] = [repeated(word, bytes), repeated(word, 4 * bytes)]
  const longMs = cpuMs(() => read(long))
  const shortMs = Math.min(...Array.from({ length: shortRuns }, () => cpuMs(() => read(short))))
  return longMs / Math.max(SUSPICIOUS_MS, shortMs)
}

/** The lowest of some attempts, because other processes add to a single one. */
function growth(read: (text: string) => unknown, word: string): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && lowest > MOST_GROWTH; attempt++) lowest = Math.min(lowest, growthOnce(read, word))
  return lowest
}

for (const [name, read] of Object.entries(ENTRANCES)) {
  test(`${name}: the time grows no faster than the text`, () => {
    for (const word of REPEATED) {
      const text = repeated(word, BYTES)
      if (cpuMs(() => read(text)) < SUSPICIOUS_MS) continue
      const factor = growth(read, word)
      assert.ok(factor <= MOST_GROWTH, `${JSON.stringify(word)}: ${factor.toFixed(1)} times for four times the text`)
    }
  })
}

// Other processes can lengthen the shorter text and so hide the growth: the shortest of its runs counts, and one of some attempts is enough.
test('a quadratic function is noticed', () => {
  const search = (text: string) => /\s+$/.test(`${text}x`)
  assert.ok(
    Array(ATTEMPTS)
      .fill(0)
      .some(() => growthOnce(search, ' ', BYTES / 2, 3) > MOST_GROWTH),
  )
})
