// The journal of errors, the record of a run and the crash log, on real files.
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { appendCrash, createCrashLog } from '#control-plane/observe/crash-log.ts'
import { createErrorJournal } from '#control-plane/observe/error-journal.ts'
import { createRunRecord } from '#control-plane/observe/run-record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const scrub = (text: string) => text.replaceAll('canary', '<secret>')

test('errors are counted by kind, classified by their cause, scrubbed, and kept across a restart', async (t) => {
  const path = join(temporaryFolder(t), 'errors.jsonl')
  const clock = createFakeClock()
  const open = () => createErrorJournal({ path, scrub, clock, log })
  const journal = open()
  const full = Object.assign(new Error('canary: no space at byte 17'), { code: 'ENOSPC' })
  journal.record(new Failure('UNKNOWN', 'It failed.', { cause: full }), 'POST /a')
  for (let each = 0; each < 3; each++) journal.record(new Error(`attempt ${each} of canary failed`), 'POST /b')
  journal.record('a text', 'GET /c')
  journal.record(new Failure('INSUFFICIENT_MEMORY', 'Too large.'), 'POST /d')
  journal.record(new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) }), 'POST /e')
  const kinds = (from = journal) => from.recent(50).map(({ route, error_class, count }) => [route, error_class, count])
  assert.deepEqual(kinds(), [
    ['POST /e', 'NETWORK_ERROR', 1],
    ['POST /d', 'GPU_OOM', 1],
    ['GET /c', 'UNKNOWN', 1],
    ['POST /b', 'UNKNOWN', 3],
    ['POST /a', 'DISK_FULL', 1],
  ])
  assert.ok(journal.recent(50).every(({ fingerprint, trace }) => /^[0-9a-f]{16}$/.test(fingerprint) && trace.length <= 4_000))
  // Before the counts are stored: a kill keeps each kind.
  assert.deepEqual(
    kinds(open()).map(([route]) => route),
    ['POST /e', 'POST /d', 'GET /c', 'POST /b', 'POST /a'],
  )
  await journal.stop()
  assert.deepEqual(kinds(open()), kinds())
  assert.ok(!readFileSync(path, 'utf8').includes('canary'))

  appendFileSync(path, 'not JSON\n{"fingerprint":1}\n[]\n{"half":')
  const again = open()
  assert.deepEqual(kinds(again), kinds())
  for (let kind = 0; kind < 120; kind++) again.record(new Error('x'), `POST /${'x'.repeat(kind)}`)
  assert.equal(again.recent(50).length, 50)
  assert.equal(again.recent(1)[0]!.route.length, 125)
  await again.stop()
  assert.equal(readFileSync(path, 'utf8').trim().split('\n').length, 50)
  rmSync(path)
  mkdirSync(path)
  const blocked = open()
  blocked.record(new Error('y'), 'POST /y')
  assert.equal(blocked.recent(5).length, 1, 'a journal that cannot be stored still works')
  await blocked.stop()
})

test('a run that leaves its file behind is recorded, once, with its last activity', async (t) => {
  const folder = temporaryFolder(t)
  const clock = createFakeClock()
  const open = (version = '1') => createRunRecord({ folder, version, scrub, logTail: async () => ['the canary line\n'], clock, log })
  const first = open()
  await first.start()
  first.note('speech.speak', 'POST /v1/audio/speech')
  clock.advance(5_000)
  first.note('jobs.start', 'POST /jobs')
  clock.advance(60_000)
  assert.deepEqual(first.newest(), { record: null, acknowledged: true })
  // No stop: the process was killed.
  clock.advance(100_000)
  const second = open()
  await second.start()
  const { record, acknowledged } = second.newest()
  assert.equal(acknowledged, false)
  assert.deepEqual([record!.last_activity!.kind, record!.log_tail], ['jobs.start', ['the <secret> line\n']])
  assert.ok(record!.uptime_hint_s! >= 60 && record!.ended_between[0] < record!.ended_between[1])
  second.acknowledge()
  assert.equal(second.newest().acknowledged, true)
  await second.stop()

  const third = open()
  await third.start()
  assert.deepEqual(third.newest(), { record, acknowledged: true }, 'a clean stop leaves no new record')
  await third.stop()
  assert.deepEqual(open('2').newest(), { record: null, acknowledged: true }, 'records of another version are ignored')

  for (const content of ['', '{"started_at":', '[]', '\0'.repeat(2_048)]) {
    clock.advance(1_000)
    writeFileSync(join(folder, 'run.json'), content)
    const next = open()
    await next.start()
    const { record: unknown } = next.newest()
    assert.deepEqual([unknown!.started_at, unknown!.last_activity, next.newest().acknowledged], [null, null, false], content)
    await next.stop()
  }
  assert.equal(readdirSync(folder).filter((name) => name.startsWith('crash-') && name !== 'crash-seen.json').length, 3)
})

test('the crash log is unseen until its present content is acknowledged', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'logs/crash.log')
  const crashes = createCrashLog({ path, seenPath: join(folder, 'seen.json') })
  assert.equal(crashes.isUnseen(), false)
  appendCrash(path, new Error('one'), { now: () => 0 })
  assert.equal(crashes.isUnseen(), true)
  assert.equal(crashes.acknowledge(), readFileSync(path).length)
  assert.equal(crashes.isUnseen(), false)
  appendCrash(path, 'two', { now: () => 0 })
  assert.equal(crashes.isUnseen(), true)
  crashes.acknowledge()
  writeFileSync(path, readFileSync(path, 'latin1').replace('one', 'two'))
  utimesSync(path, 1, 1)
  assert.equal(crashes.isUnseen(), true, 'other content of the same length')
  crashes.clear()
  assert.equal(crashes.isUnseen(), false)
  appendCrash(join(folder, 'seen.json/x'), 'never throws', { now: () => 0 })
})
