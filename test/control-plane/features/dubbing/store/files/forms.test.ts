import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { secondsOf, usOf } from '#control-plane/features/dubbing/store/dub.ts'

test('times of lines have three decimals, keep their order, and come back within half a millisecond', () => {
  const times = fc.integer({ min: 0, max: 36_000_000_000 })
  fc.assert(
    fc.property(times, times, (one, other) => {
      const [first, second] = [secondsOf(Math.min(one, other)), secondsOf(Math.max(one, other))]
      assert.ok(first <= second)
      assert.equal(Number(first.toFixed(3)), first)
      assert.ok(Math.abs(usOf(first) - Math.min(one, other)) <= 500)
    }),
  )
  assert.deepEqual([secondsOf(0), secondsOf(31_000_400), secondsOf(999_999)], [0, 31, 1])
})
