// Growth of a function's time with its text. A text takes about as long as its sixteen parts; with a quadratic function it takes sixteen
// times as long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs, ENTRANCES, repeated } from './text-entrances.ts'

export const BYTES = 16 * 1024
/** The linear functions need less; a backtracking search of this text needs ten times as long. */
const SUSPICIOUS_MS = 16
const PARTS = 16
/** Linear functions reach 2.2: more objects survive a young collection. */
export const MAX_GROWTH = 3.25
const ATTEMPTS = 20

/**
 * Ratio of the time of a text to that of its parts, of the shortest runs of each: other processes only lengthen them. More attempts follow
 * while the growth looks too high.
 */
export function growth(read: (text: string) => unknown, word: string, bytes = 4 * BYTES, attempts = ATTEMPTS): number {
  const [part, whole] = [repeated(word, bytes / PARTS), repeated(word, bytes)]
  let [partsMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let factor = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && factor > MAX_GROWTH; attempt++) {
    wholeMs = Math.min(
      wholeMs,
      cpuMs(() => read(whole)),
    )
    partsMs = Math.min(
      partsMs,
      cpuMs(() => {
        for (let at = 0; at < PARTS; at++) read(part)
      }),
    )
    factor = wholeMs / Math.max(SUSPICIOUS_MS, partsMs)
  }
  return factor
}

/** True if the growth of a text is worth its measurement: both runs are slow. A first run may be, because V8 compiles or collects in it. */
export const isSlow = (read: (text: string) => unknown, text: string) =>
  cpuMs(() => read(text)) >= SUSPICIOUS_MS && cpuMs(() => read(text)) >= SUSPICIOUS_MS

/** The words, repeated, through every pure function that reads the text of users. */
export function growsWithTheText(words: readonly string[]): void {
  for (const [name, { read, chars }] of Object.entries(ENTRANCES)) {
    test(`${name}: the time grows no faster than the text`, () => {
      for (const word of words) {
        // A function of short texts is measured with texts of that length.
        const most = Math.min(BYTES, chars)
        if (!isSlow(read, repeated(word, most))) continue
        const factor = growth(read, word, Math.min(4 * most, chars))
        assert.ok(factor <= MAX_GROWTH, `${JSON.stringify(word)}: ${factor.toFixed(1)} times as long as its ${PARTS} parts`)
      }
    })
  }
}
