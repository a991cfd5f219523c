// Every number, date and time of the languages whose words are inflected or joined: nothing is left in figures, and no two sound alike.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normaliseText, tablesOf } from '#shared/text/normalise/normalise.ts'

const LANGUAGES = ['nl', 'pl', 'ru']
const MAX = 10 ** 15
const pad = (value: number) => String(value).padStart(2, '0')

for (const tag of LANGUAGES) {
  const { cardinal, ordinal } = tablesOf(tag)!

  test(`every integer below 1,000 has words of its own in ${tag}, and larger ones are made of them`, () => {
    const small = Array.from({ length: 1000 }, (_, value) => cardinal(value))
    assert.equal(new Set(small).size, 1000)
    const parts = fc.tuple(fc.integer({ min: 1, max: 999_999_999_999 }), fc.integer({ min: 1, max: 999 }))
    fc.assert(
      fc.property(parts, ([high, low]) => assert.equal(cardinal(high * 1000 + low), `${cardinal(high * 1000)} ${cardinal(low)}`)),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.boolean(), (number, isGrouped) => {
        const value = Math.abs(number) % MAX
        const digits = isGrouped ? new Intl.NumberFormat('fr').format(value) : String(value)
        // Four digits are a year.
        if (!isGrouped && digits.length === 4) return
        assert.equal(normaliseText(digits, tag), cardinal(value))
      }),
      { numRuns: 2_000 },
    )
  })

  test(`ordinals are distinct and without figures in ${tag}`, () => {
    const words = Array.from({ length: 10_000 }, (_, value) => ordinal(value))
    assert.equal(new Set(words).size, words.length)
    assert.doesNotMatch(words.join(' '), /\d|undefined| {2}/)
  })

  test(`every date of a century has words of its own in ${tag}, in figures as with the name of its month`, () => {
    const said = new Set<string>()
    let days = 0
    const names = [...tablesOf(tag)!.months].filter(([, month], index, all) => all.findIndex(([, each]) => each === month) === index)
    for (let time = Date.UTC(1951, 0, 1); time < Date.UTC(2051, 0, 1); time += 86_400_000) {
      const date = new Date(time)
      const [day, month, year] = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()]
      const words = normaliseText(`${pad(day)}.${pad(month)}.${year}`, tag)
      assert.doesNotMatch(words, /\d|undefined/)
      said.add(words)
      days++
      if (day % 9 === 1) {
        assert.equal(normaliseText(`${day} ${names[month - 1]![0]} ${year}`, tag), words)
        assert.equal(normaliseText(date.toISOString().slice(0, 10), tag), words)
      }
    }
    assert.equal(said.size, days)
  })

  test(`every time of a day has words of its own in ${tag}`, () => {
    const said = new Set<string>()
    for (let minute = 0; minute < 24 * 60; minute++) said.add(normaliseText(`${Math.trunc(minute / 60)}:${pad(minute % 60)}`, tag))
    assert.equal(said.size, 24 * 60)
    assert.doesNotMatch([...said].join(' '), /\d|undefined/)
  })
}
