// Changes of jobs in the batch of all stores.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newJob } from '#control-plane/jobs/job.ts'
import { durableEvents } from '#control-plane/jobs/reads.ts'
import type { JobChange, JobRecord } from '#control-plane/jobs/record.ts'
import { createJobStore } from '#control-plane/jobs/store/job.store.ts'
import { createJobLists } from '#control-plane/jobs/store/list.store.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { Journal } from '#control-plane/store/journal.ts'
import { createSettings } from '#control-plane/store/setting.store.ts'
import { openSqliteJournal } from '#control-plane/store/sqlite/journal.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

function open() {
  const db = openDatabase(':memory:')
  const syncs: (() => void)[] = []
  const { state, journal } = openSqliteJournal({ db, sync: (done) => syncs.push(() => done(null)) })
  let batches = 0
  const commit: Journal['commit'] = (...batch) => {
    batches++
    journal.commit(...batch)
  }
  const clock = createFakeClock()
  const commits = createGroupCommit({ journal: { ...journal, commit }, log, clock })
  const parts = { state, journal, commits, clock }
  return {
    db,
    batches: () => batches,
    /** Everything that was written becomes durable. */
    sync: () => syncs.shift()!(),
    store: createJobStore(parts),
    lists: createJobLists(parts),
    settings: createSettings(parts),
  }
}
const recordOf = (id: string, seq: number): JobRecord => ({
  seq,
  type: 'test',
  projectId: null,
  source: 'studio',
  params: '{}',
  meta: '{}',
  job: newJob(id),
  lastSeq: 0,
  step: null,
  createdAt: 1,
  updatedAt: 1,
  finishedAt: null,
})
const changeOf = (record: JobRecord, events: JobChange['events'] = []): JobChange => ({
  record,
  events,
  steps: [],
  result: null,
  discard: false,
  isFresh: false,
})
const NOTE = { kind: 'event', payload: 'note' } as const

test('changes of several jobs and of another store share one batch, and resolve when it is durable', async () => {
  const { store, settings, lists, batches, sync } = open()
  let durable = 0
  const changes = [store.write(changeOf(recordOf('a', 1))), store.write(changeOf(recordOf('b', 2), [NOTE])), settings.set('x', '1')]
  for (const change of changes) void change.then(() => durable++)
  await nextTurn()
  await nextTurn()
  assert.deepEqual([batches(), durable], [1, 0])
  assert.equal((await lists.get('a'))?.seq, 1, 'written')
  sync()
  await Promise.all(changes)
  assert.deepEqual([batches(), durable], [1, 3])
})

test('a batch that fails takes the changes of all stores back', async () => {
  const { db, store, settings, lists, sync } = open()
  db.pragma('query_only = on')
  const changes = [store.write(changeOf(recordOf('a', 1))), settings.set('x', '1')]
  for (const change of changes) await assert.rejects(change, { code: 'STORAGE_FULL' })
  assert.deepEqual([await lists.get('a'), settings.get('x')], [null, null])
  db.pragma('query_only = off')
  const again = store.write(changeOf(recordOf('a', 1)))
  await nextTurn()
  await nextTurn()
  sync()
  assert.deepEqual((await again).job, newJob('a'))
})

test('an event is shown when it is durable', async () => {
  const { store, lists, sync } = open()
  let record = recordOf('a', 1)
  const events = durableEvents({ lists, live: new Map([['a', { record: () => record }]]) })
  const writing = store.write(changeOf(record, [NOTE, NOTE])).then((next) => {
    record = next
  })
  await nextTurn()
  await nextTurn()
  const seqs = async (read: typeof events) => (await read('a', 0, 10)).map(({ seq }) => seq)
  assert.deepEqual([await seqs(lists.events), await seqs(events)], [[1, 2], []])
  sync()
  await writing
  assert.deepEqual(await seqs(events), [1, 2])
})
