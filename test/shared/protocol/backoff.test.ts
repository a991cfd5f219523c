import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoff, waitAsAsked } from '#shared/protocol/backoff.ts'

test('the upper bound doubles until the cap, and every wait below it is possible', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 50, 5_000].map((attempt) => backoff(attempt, 0.5, 100, 600)),
    [50, 100, 200, 300, 300, 300],
  )
  assert.equal(backoff(3, 0, 100, 600), 0)
  assert.ok(backoff(3, 0.999999, 100, 600) < 600)
})

test('a wait that was asked for is never shorter, and spread over as long again or two seconds', () => {
  assert.deepEqual(
    [1, 7, 300].flatMap((seconds) => [0, 0.5].map((random) => waitAsAsked(seconds, random))),
    [1_000, 1_500, 7_000, 8_000, 300_000, 301_000],
  )
  assert.ok(waitAsAsked(7, 0.999999) < 9_000)
})
