import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivity } from '#control-plane/features/machines/tasks/activity.service.ts'
import { createActivityStore } from '#control-plane/features/machines/tasks/activity.store.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { recordOf } from '#test/support/doubles/record.ts'

const none = { add() {}, since: () => [] }

const ended = (phase: 'succeeded' | 'failed' | 'cancelled') => ({
  record: { ...recordOf('t1', {}, { phase }), finishedAt: 1 },
  before: null,
  event: null,
})

test('ended tasks count in their minute, and quiet minutes keep the queue depth', () => {
  const clock = createFakeClock()
  let depth = 3
  const activity = createActivity({ clock, queued: () => depth, store: none, log })
  activity.committed([ended('succeeded'), ended('failed'), ended('cancelled'), { record: recordOf('t2'), before: null, event: null }])
  depth = 1
  activity.committed([ended('succeeded')])
  clock.advance(120_000)
  const [first, quiet, now, ...more] = activity.read(null).minutes
  assert.deepEqual([first!.done, first!.failed, first!.waiting], [2, 2, 3])
  assert.deepEqual([quiet!.done, quiet!.waiting, now!.waiting, more.length], [0, 1, 1, 0])
  assert.equal(now!.at - first!.at, 120)
})

test('only the last hour is kept, even after a long quiet time', () => {
  const clock = createFakeClock()
  const activity = createActivity({ clock, queued: () => 0, store: none, log })
  activity.committed([ended('succeeded')])
  clock.advance(86_400_000)
  const { minutes } = activity.read(null)
  assert.equal(minutes.length, 60)
  assert.ok(minutes.every(({ done }) => done === 0))
})

test('quarters of an hour are kept for a month, over a restart, and shown in spans without a gap', () => {
  const clock = createFakeClock()
  const store = createActivityStore({ db: openDatabase(':memory:') })
  const open = () => createActivity({ clock, queued: () => 2, store, log })
  const before = open()
  before.committed([ended('succeeded'), ended('failed')])
  before.flush()
  const after = open()
  after.committed([ended('succeeded')])
  clock.advance(3 * 3600_000)
  after.committed([ended('succeeded')])
  for (const [days, spans, seconds] of [
    [1, 96, 900],
    [7, 84, 7200],
    [30, 90, 28_800],
  ] as const) {
    const read = after.read(days)
    assert.deepEqual([read.spans!.length, read.span_seconds], [spans, seconds], `${days} days`)
    assert.equal(
      read.spans!.reduce((sum, { done }) => sum + done, 0),
      3,
    )
    assert.equal(
      read.spans!.reduce((sum, { failed }) => sum + failed, 0),
      1,
    )
    assert.ok(read.spans!.every(({ at }, place, all) => place === 0 || at - all[place - 1]!.at === seconds))
  }
  clock.advance(32 * 86_400_000)
  after.committed([])
  clock.advance(900_000)
  after.committed([])
  assert.ok(store.since(0).length <= 2, 'those of a month ago are gone')
})

test('a full disk costs counts and no commit', () => {
  const clock = createFakeClock()
  const add = () => {
    throw new Error('the disk is full')
  }
  const activity = createActivity({ clock, queued: () => 0, store: { ...none, add }, log })
  activity.committed([ended('succeeded')])
  clock.advance(900_000)
  activity.committed([ended('succeeded')])
  assert.equal(activity.read(1).spans!.at(-1)!.done, 1)
})
