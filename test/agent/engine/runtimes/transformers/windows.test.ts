import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { settleWindow } from '#agent/engine/runtimes/transformers/windows.ts'

const chunk = (start: number | null, end: number | null, text = 'x') => ({ timestamp: [start, end] as const, text })

test('the last sentence of a full window is left to the next one', () => {
  const { texts, next } = settleWindow([chunk(0, 12, ' one '), chunk(12, null, 'two')], 30, 30, false)
  assert.deepEqual(texts, [{ start: 30, end: 42, text: 'one' }])
  assert.equal(next, 42)
})

test('the last sentence is kept in the last window, if it is the only one, or if it starts early', () => {
  assert.deepEqual(settleWindow([chunk(0, null)], 0, 30, false), { texts: [{ start: 0, end: 30, text: 'x' }], next: 30 })
  assert.equal(settleWindow([chunk(0, 4), chunk(5, 30)], 0, 30, false).texts.length, 2)
  assert.equal(settleWindow([chunk(0, 12), chunk(12, 20)], 0, 20, true).texts.length, 2)
  assert.deepEqual(settleWindow([], 60, 30, false), { texts: [], next: 90 })
})

test('for any output, windows advance and sentences stay within the window', () => {
  const time = fc.option(fc.double({ min: -5, max: 40, noNaN: true }))
  const chunks = fc.array(fc.tuple(time, time, fc.constantFrom('', ' ', 'word')), { maxLength: 8 })
  fc.assert(
    fc.property(chunks, fc.double({ min: 0, max: 1_000, noNaN: true }), fc.boolean(), (raw, from, isLast) => {
      const { texts, next } = settleWindow(
        raw.map(([start, end, text]) => chunk(start, end, text)),
        from,
        30,
        isLast,
      )
      assert.ok(next >= from + 9.99 && next <= from + 30.001)
      let last = from
      for (const { start, end, text } of texts) {
        assert.ok(text === 'word' && start >= last - 1e-6 && end <= from + 30 + 1e-6)
        last = start
      }
    }),
  )
})
