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

/** How many times longer four times the text takes. The lowest of some attempts, because other processes add to a single one. */
function growth(read: (text: string) => unknown, word: string, bytes = BYTES): number {
  const [short, long] = [repeated(word, bytes), repeated(word, 4 * bytes)]
  let lowest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && lowest > MOST_GROWTH; attempt++)
    lowest = Math.min(
      lowest,
      cpuMs(() => read(long)) /
        Math.max(
          SUSPICIOUS_MS,
          cpuMs(() => read(short)),
        ),
    )
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

test('a quadratic function is noticed', () => {
  assert.ok(growth((text) => /\s+$/.test(`${text}x`), ' ', BYTES / 2) > MOST_GROWTH)
})
