import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuckets } from '#shared/link/port/bucket.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'

test('a burst is allowed, then the steady rate, per address', () => {
  let now = 0
  const clock: Clock = { ...systemClock, mono: () => now }
  const { take } = createBuckets({ burst: 3, perMinute: 20, clock })
  const taken = (key: string, times: number) => Array.from({ length: times }, () => take(key)).filter(Boolean).length
  assert.equal(taken('a', 10), 3)
  assert.equal(taken('b', 10), 3)
  now += 2_900
  assert.equal(taken('a', 10), 0)
  now += 200
  assert.equal(taken('a', 10), 1)
  now += 3_600_000
  assert.equal(taken('a', 10), 3)
})

test('a flood from many addresses neither fills the memory nor locks out later callers', () => {
  let now = 0
  const clock: Clock = { ...systemClock, mono: () => now }
  const { take } = createBuckets({ burst: 1, perMinute: 60, clock })
  for (let n = 0; n < 10_000; n++) assert.equal(take(`address ${n}`), true)
  assert.equal(take('one more'), false)
  now += 1_000
  assert.equal(take('one more'), true)
})
