import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isChargeable,
  isMassFailure,
  MASS_WINDOW_MS,
  reasonOf,
  restLeftMs,
  restMs,
  summaryOf,
} from '#control-plane/workers/breaker-policy.ts'
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'

const runs = { numRuns: 500, seed: 42 }
const CODES = Object.keys(FAILURES) as FailureCode[]

test('only what is the fault of the worker counts', () => {
  for (const code of ['ENGINE_CRASHED', 'WORKER_FAILED', 'ACCEPT_TIMEOUT', 'EXECUTION_TIMEOUT', 'DIGEST_MISMATCH', 'UNKNOWN'] as const)
    assert.ok(isChargeable(code), code)
  for (const code of ['CANCELLED', 'WORKER_DISCONNECTED', 'SERVER_RESTART', 'TASK_DEADLINE_EXCEEDED', 'WORKER_DRAINING'] as const)
    assert.ok(!isChargeable(code), code)
  for (const code of CODES)
    if (['capacity', 'capability', 'protocol', 'terminal'].includes(FAILURES[code].class)) assert.ok(!isChargeable(code), code)
})

test('each rest is twice the last one, from a minute to half an hour', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 5000].map((trips) => restMs(trips) / 1000),
    [60, 120, 240, 480, 960, 1800, 1800, 1800],
  )
})

test('the rest that is left is never negative and never more than the whole rest, after any jump of the wall clock', () => {
  const at = fc.integer({ min: 0, max: 2 ** 50 })
  fc.assert(
    fc.property(at, at, fc.integer({ min: 1, max: 40 }), (retryAt, now, trips) => {
      const left = restLeftMs(retryAt, trips, now)
      assert.ok(left >= 0 && left <= restMs(trips))
      if (retryAt - now >= 0 && retryAt - now <= restMs(trips)) assert.equal(left, retryAt - now)
    }),
    runs,
  )
})

test('half of at least three workers failing within a minute have one cause', () => {
  const failing = (...ages: number[]) => new Map(ages.map((age, index) => [`w${index}`, 1_000_000 - age]))
  const isMass = (known: number, ...ages: number[]) => isMassFailure(failing(...ages), known, 1_000_000)
  assert.equal(isMass(2, 0, 0), false, 'two workers are no crowd')
  assert.equal(isMass(3, 0), false)
  assert.equal(isMass(3, 0, MASS_WINDOW_MS - 1), true)
  assert.equal(isMass(3, 0, MASS_WINDOW_MS), false)
  assert.equal(isMass(4, 0, 0), true)
  assert.equal(isMass(5, 0, 0), false)
})

test('one more failing worker never makes a mass failure a lesser one, one more healthy worker never a greater one', () => {
  const ages = fc.array(fc.nat(2 * MASS_WINDOW_MS), { maxLength: 12 })
  fc.assert(
    fc.property(ages, fc.integer({ min: 3, max: 12 }), (list, known) => {
      const now = 10 ** 9
      const failedAt = new Map(list.map((age, index) => [`w${index}`, now - age]))
      const more = new Map([...failedAt, ['another', now]])
      if (isMassFailure(failedAt, known, now)) assert.ok(isMassFailure(more, known, now))
      if (isMassFailure(failedAt, known + 1, now)) assert.ok(isMassFailure(failedAt, known, now))
    }),
    runs,
  )
})

test('the reason of a worker is reduced to one short line of valid text', () => {
  assert.equal(reasonOf(' the\r\nengine\tdied\0 '), 'the engine died')
  assert.equal(reasonOf('\n'), 'no reason given')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const reason = reasonOf(text)
      assert.ok(reason.length > 0 && reason.length <= 200 && reason.isWellFormed())
      assert.ok(!/[\0-\x1f\x7f]/.test(reason))
    }),
    runs,
  )
  assert.equal(summaryOf('open', 'the engine died', 41_001), 'paused after 3 failures (the engine died), retrying in 42 s')
  assert.match(summaryOf('half_open', 'x', 0), /testing recovery/)
})
