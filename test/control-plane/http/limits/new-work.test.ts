// The end of new work before an update.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNewWork } from '#control-plane/http/limits/new-work.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('new work is refused with a time to come again, and the hand-over waits for the work that runs', () => {
  const clock = createFakeClock()
  let handed = 0
  const work = createNewWork(clock, () => handed++)
  const [first, second] = [work.begin(), work.begin()]
  assert.equal(work.refusal(), null)
  assert.equal(work.finish(60_000), 2)
  assert.equal(work.finish(60_000), 2, 'asked twice')
  assert.throws(() => work.begin(), { code: 'NOT_READY', retryAfterSeconds: 3 })
  first()
  first()
  assert.equal(handed, 0)
  second()
  assert.equal(handed, 1)
  clock.advance(120_000)
  assert.equal(handed, 1)
})

test('work that takes too long does not hold the update up, and an idle studio hands over after its answer', () => {
  const clock = createFakeClock()
  let handed = 0
  const busy = createNewWork(clock, () => handed++)
  busy.begin()
  busy.finish(5_000)
  clock.advance(4_999)
  assert.equal(handed, 0)
  clock.advance(1)
  assert.equal(handed, 1)
  const hurried = createNewWork(clock, () => handed++)
  hurried.begin()
  hurried.finish(3_600_000)
  hurried.finish(1_000)
  clock.advance(1_000)
  assert.equal(handed, 2, 'the second request is in a hurry')
  clock.advance(3_600_000)
  assert.equal(handed, 2)
  handed = 1
  const idle = createNewWork(clock, () => handed++)
  assert.equal(idle.finish(60_000), 0)
  assert.equal(handed, 1)
  clock.advance(0)
  assert.equal(handed, 2)
  assert.throws(() => createNewWork(clock, null).finish(0), { code: 'CONFLICT' })
})
