// One megabyte of every hostile repetition through every pure function that reads the text of users.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs, ENTRANCES, PAIRS, repeated, WORDS } from '#test/fuzz/text-entrances.ts'

const BYTES = 1024 * 1024
/** Linear functions need up to 3 s for the worst of these; a quadratic one needs hours. */
const MOST_MS = 10_000
/** The words, and every fifth pair of marks: the fuzz test reads all of them at a smaller size. */
const SOME = [...WORDS, ...PAIRS].filter((_, index) => index < 20 || index % 5 === 0)

for (const [name, read] of Object.entries(ENTRANCES)) {
  test(`${name}: a megabyte of any repetition is read within the bound`, () => {
    for (const word of SOME) {
      const text = repeated(word, BYTES)
      const ms = cpuMs(() => read(text))
      assert.ok(ms <= MOST_MS, `${JSON.stringify(word)}: ${Math.round(ms)} ms`)
    }
  })
}
