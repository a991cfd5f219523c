import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { composed } from '#shared/text/unicode/compose.ts'
import { cpuMs } from '#test/fuzz/texts/text-entrances.ts'

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

test('it is the normalisation form of every text without a run of more than 30 marks', () => {
  const unit = fc.constantFrom(
    'a',
    'é',
    'e\u0301',
    '\u0323\u0307',
    '\u1100\u1161\u11a8',
    'ﬁ',
    '𝒜',
    '字',
    '\ud800',
    ' ',
    '\u0344',
    '<\u0338',
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.constantFrom(...FORMS), (units, form) => {
      const text = units.join('x')
      assert.equal(composed(text, form), text.normalize(form))
    }),
    { seed: 42 },
  )
  for (const form of FORMS) assert.equal(composed('\u0301'.repeat(30), form), '\u0301'.repeat(30))
})

test('no run of marks makes it slow, and no mark is lost', () => {
  for (const run of ['\u0323\u0307\u0315\u0300', '\u0301', '\u0344', '\u0f71\u0f72\u0f74', '\u0360\u0345\u035c\u0315'])
    for (const form of FORMS) {
      const text = run.repeat(Math.ceil(200_000 / run.length))
      let made = ''
      const ms = cpuMs(() => {
        made = composed(text, form)
      })
      assert.ok(ms < 1_000, `${JSON.stringify(run)} ${form}: ${Math.round(ms)} ms`)
      assert.ok(made.replaceAll('\u034f', '').length >= text.length / 2)
    }
})
