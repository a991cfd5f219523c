import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSteadyNow } from '#shared/runtime/clock.ts'

const HOUR = 3_600_000

test('a jump forward of the wall clock makes nothing older, and one back does not make it newer than the clock says', () => {
  let now = 1_000 * HOUR
  let mono = 5
  const steadyNow = createSteadyNow({ now: () => now, mono: () => mono })
  const pass = (ms: number) => {
    now += ms
    mono += ms
  }
  assert.equal(steadyNow(), 1_000 * HOUR)
  pass(HOUR)
  assert.equal(steadyNow(), 1_001 * HOUR)
  now += 10_000 * HOUR
  assert.equal(steadyNow(), 1_001 * HOUR)
  pass(HOUR)
  assert.equal(steadyNow(), 1_002 * HOUR)
  now -= 10_500 * HOUR
  assert.equal(steadyNow(), 502 * HOUR)
  now += 500 * HOUR
  assert.equal(steadyNow(), 1_002 * HOUR)
})
