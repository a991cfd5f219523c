// Hostile repetitions through every pure function that reads the text of users. Four times the text may take about four times as long;
// a quadratic function takes sixteen times as long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs, ENTRANCES, REPEATED, repeated } from './text-entrances.ts'

const BYTES = 16 * 1024
/** The linear functions need less; a backtracking search of this text needs ten times as long. */
const SUSPICIOUS_MS = 16
const MOST_GROWTH = 9
const ATTEMPTS = 20

/**
 * How many times longer four times the text takes, of the shortest runs of each: other processes only lengthen them. More attempts follow while
 * the growth looks too high.
 */
function growth(read: (text: string) => unknown, word: string, bytes = BYTES, attempts = ATTEMPTS): number {
  const [short, long] = [repeated(word, bytes), repeated(word, 4 * bytes)]
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let factor = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && factor > MOST_GROWTH; attempt++) {
    longMs = Math.min(
      longMs,
      cpuMs(() => read(long)),
    )
    shortMs = Math.min(
      shortMs,
      cpuMs(() => read(short)),
    )
    factor = longMs / Math.max(SUSPICIOUS_MS, shortMs)
  }
  return factor
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

test('a quadratic function is noticed', () => {
  const search = (text: string) => /\s+$/.test(`${text}x`)
  // It is slow in each attempt.
  assert.ok(growth(search, ' ', BYTES / 2, 2) > MOST_GROWTH)
})
