// The end of new work before the program ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNewWork } from '#control-plane/http/limits/new-work.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const NOTHING = { hold() {}, settled: async () => {} }

test('new work is refused with a time to come again, and the hand-over waits for the work that runs', () => {
  const clock = createFakeClock()
  let handed = 0
  const work = createNewWork(clock, { handOver: () => handed++, stop: assert.fail }, NOTHING)
  const [first, second] = [work.begin(), work.begin()]
  assert.deepEqual([work.refusal(), work.endsAt()], [null, null])
  assert.equal(work.finish(60_000, 'switch'), 2)
  assert.equal(work.endsAt(), clock.now() + 60_000)
  assert.equal(work.finish(60_000, 'switch'), 2, 'asked twice')
  assert.throws(() => work.begin(), { code: 'NOT_READY', retryAfterSeconds: 3, message: /is being updated/ })
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
  const endings = { handOver: () => handed++, stop: assert.fail }
  const busy = createNewWork(clock, endings, NOTHING)
  busy.begin()
  busy.finish(5_000, 'switch')
  clock.advance(4_999)
  assert.equal(handed, 0)
  clock.advance(1)
  assert.equal(handed, 1)
  const hurried = createNewWork(clock, endings, NOTHING)
  hurried.begin()
  hurried.finish(3_600_000, 'switch')
  hurried.finish(1_000, 'switch')
  clock.advance(1_000)
  assert.equal(handed, 2, 'the second request is in a hurry')
  clock.advance(3_600_000)
  assert.equal(handed, 2)
  handed = 1
  const idle = createNewWork(clock, endings, NOTHING)
  assert.equal(idle.finish(60_000, 'switch'), 0)
  assert.equal(handed, 1)
  clock.advance(0)
  assert.equal(handed, 2)
  assert.throws(() => createNewWork(clock, { ...endings, handOver: null }, NOTHING).finish(0, 'switch'), { code: 'CONFLICT' })
})

test('a stop waits for requests and running jobs, and a second request for it may be in a hurry', async () => {
  const clock = createFakeClock()
  const job = Promise.withResolvers<void>()
  const seen: string[] = []
  const other = { hold: () => seen.push('hold'), settled: () => job.promise }
  const work = createNewWork(clock, { handOver: null, stop: () => seen.push('stop') }, other)
  const request = work.begin()
  assert.equal(work.finish(3_600_000, 'stop'), 1)
  assert.throws(() => work.begin(), { code: 'NOT_READY', message: /is stopping/ })
  request()
  await Promise.resolve()
  assert.deepEqual(seen, ['hold'])
  job.resolve()
  await job.promise
  await Promise.resolve()
  assert.deepEqual(seen, ['hold', 'stop'])
  clock.advance(3_600_000)
  assert.equal(seen.length, 2)

  const hurried = createNewWork(
    clock,
    { handOver: null, stop: () => seen.push('now') },
    { hold() {}, settled: () => new Promise(() => {}) },
  )
  hurried.finish(3_600_000, 'stop')
  hurried.finish(0, 'stop')
  clock.advance(0)
  assert.equal(seen.at(-1), 'now')
})

test('an orderly stop ends live sessions at once, and waits for requests as long as its grace', async () => {
  const clock = createFakeClock()
  const work = createNewWork(clock, { handOver: null, stop: assert.fail }, NOTHING)
  const request = work.begin()
  let drained = 0
  const both = [5_000, 9_000].map((ms) => work.drain(ms).then(() => drained++))
  assert.equal(work.draining.aborted, true)
  assert.throws(() => work.begin(), { code: 'NOT_READY', retryAfterSeconds: 3 })
  clock.advance(5_000)
  await both[0]
  assert.equal(drained, 1)
  request()
  await both[1]
  assert.equal(drained, 2)
})
