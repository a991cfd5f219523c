import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivity } from '#control-plane/features/machines/tasks/activity.service.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { recordOf } from '#test/support/doubles/record.ts'

const ended = (phase: 'succeeded' | 'failed' | 'cancelled') => ({
  record: { ...recordOf('t1', {}, { phase }), finishedAt: 1 },
  before: null,
  event: null,
})

test('ended tasks count in their minute, and quiet minutes keep the queue depth', () => {
  const clock = createFakeClock()
  let depth = 3
  const activity = createActivity({ clock, queued: () => depth })
  activity.committed([ended('succeeded'), ended('failed'), ended('cancelled'), { record: recordOf('t2'), before: null, event: null }])
  depth = 1
  activity.committed([ended('succeeded')])
  clock.advance(120_000)
  const [first, quiet, now, ...more] = activity.read().minutes
  assert.deepEqual([first!.done, first!.failed, first!.waiting], [2, 2, 3])
  assert.deepEqual([quiet!.done, quiet!.waiting, now!.waiting, more.length], [0, 1, 1, 0])
  assert.equal(now!.at - first!.at, 120)
})

test('only the last hour is kept, even after a long quiet time', () => {
  const clock = createFakeClock()
  const activity = createActivity({ clock, queued: () => 0 })
  activity.committed([ended('succeeded')])
  clock.advance(86_400_000)
  const { minutes } = activity.read()
  assert.equal(minutes.length, 60)
  assert.ok(minutes.every(({ done }) => done === 0))
})
