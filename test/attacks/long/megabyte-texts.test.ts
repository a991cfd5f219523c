// The longest text of every hostile repetition through every pure function that reads the text of users.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs, ENTRANCES, LINES_AND_MARKS, PAIRS, WORDS } from '#test/fuzz/texts/text-entrances.ts'

/** Linear functions need up to 3 s for a megabyte of the worst of these; a quadratic one needs hours. */
const MAX_MS_A_MEGABYTE = 10_000
const MIN_MS = 2_000
const MEGABYTE = 1024 ** 2
/** The words, and every fifth pair of marks: the fuzz test reads all of them at a smaller size. */
const SOME = [...WORDS, ...PAIRS].filter((_, index) => index < WORDS.length || index % 5 === 0)

for (const [name, { read, chars }] of Object.entries(ENTRANCES)) {
  test(`${name}: ${chars} characters of any repetition are read within the bound`, () => {
    const most = Math.max(MIN_MS, (chars / MEGABYTE) * MAX_MS_A_MEGABYTE)
    for (const word of SOME) {
      // All other words are tried with all of a megabyte: eight of them say no more, and take an hour.
      const length = LINES_AND_MARKS.includes(word) ? chars : Math.min(chars, MEGABYTE)
      const text = word.repeat(Math.ceil(length / word.length)).slice(0, length)
      const ms = cpuMs(() => read(text))
      assert.ok(ms <= most, `${JSON.stringify(word)}: ${Math.round(ms)} ms`)
    }
  })
}
