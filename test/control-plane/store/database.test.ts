import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '#control-plane/store/database.ts'
import { openStore } from '#control-plane/store/open.ts'
import { createSettings } from '#control-plane/store/setting.store.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { HELD, PHASES, TERMINAL } from '#shared/protocol/task.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { isStorageError } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code

test('the constraints name the phases of the table, no other', (t) => {
  const { db } = openLedger(t)
  const { sql } = db.prepare<[], { sql: string }>(`select sql from sqlite_master where name = 'task'`).get()!
  const phasesOf = (pattern: RegExp) => new Set([...(pattern.exec(sql)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, phase]) => phase))
  assert.deepEqual(phasesOf(/when finished_at is not null then (.*)/), TERMINAL)
  assert.deepEqual(phasesOf(/when worker_id is not null then (.*)/), HELD)
  assert.deepEqual(
    [...phasesOf(/else (.*)/)],
    PHASES.filter((phase) => !TERMINAL.has(phase) && !HELD.has(phase)),
  )
})

test('no check of a task or an attempt builds a temporary table for each row', (t) => {
  const { db } = openLedger(t)
  const written = ['task', 'attempt', 'task_event_batch'].flatMap((table) => {
    const columns = db.pragma(`table_info(${table})`) as { name: string; pk: number }[]
    const set = (key: boolean) => columns.filter(({ pk }) => pk > 0 === key).map(({ name }) => `${name} = 1`)
    return [
      `insert into ${table} values (${columns.map(() => '1')})`,
      `update ${table} set ${set(false).join(', ')} where ${set(true).join(' and ')}`,
    ]
  })
  for (const sql of written) {
    const opcodes = db
      .prepare<[], { opcode: string }>(`explain ${sql}`)
      .all()
      .map(({ opcode }) => opcode)
    assert.ok(opcodes.includes('MakeRecord'))
    assert.ok(!opcodes.includes('OpenEphemeral'), sql)
  }
})

test('the schema is protected after a migration', (t) => {
  const db = openDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  assert.throws(() => db.exec('update sqlite_schema set sql = null'), /may not be modified/)
})

const BAD_ROWS: Readonly<Record<string, string>> = {
  'an unknown phase': `phase = 'resting'`,
  'held without a worker': `phase = 'running'`,
  'a worker without an attempt': `phase = 'offered', worker_id = 'w0'`,
  'queued but owned': `worker_id = 'w0', attempt_id = 'a'`,
  'unknown without what was interrupted': `phase = 'unknown', worker_id = 'w0', attempt_id = 'a'`,
  'interrupted but not unknown': `interrupted = 'running'`,
  'ended without a moment': `phase = 'cancelled'`,
  'a moment without an end': 'finished_at = 5',
  'succeeded without a result': `phase = 'succeeded', finished_at = 5`,
  'a result without success': `result_digest = 'd'`,
  'failed without a reason': `phase = 'failed', finished_at = 5`,
  'timed out without a reason': `phase = 'timed_out', finished_at = 5`,
  'more attempts than allowed': 'attempt = 4',
  'fewer attempts than none': 'attempt = -1',
  'an unknown reason to stop': `stopping = 'boredom'`,
  'a third priority': 'priority = 2',
  'a number that is text': `size = 'long'`,
  'the number of another task': 'seq = 2',
  'the key of another task': `idempotency_key = 'taken'`,
}

test('hand-written rows that contradict the table are refused', (t) => {
  const { db, ledger } = openLedger(t)
  ledger.submit('t1', specOf(), '')
  ledger.submit('t2', specOf({ idempotencyKey: 'taken' }), '')
  ledger.flush()
  for (const [what, change] of Object.entries(BAD_ROWS))
    assert.throws(() => db.exec(`update task set ${change} where id = 't1'`), { code: /^SQLITE_CONSTRAINT/ }, what)
  db.exec(`update task set phase = 'running', worker_id = 'w0', attempt_id = 'a', attempt = 3 where id = 't1'`)
})

test('an offer needs a worker that is enrolled, switched on and approved at that moment', (t) => {
  const { db, ledger, workers, commits } = openLedger(t)
  ledger.submit('t1', specOf(), '')
  ledger.flush()
  let epoch = 0
  const offer = (workerId: string) =>
    db
      .prepare(
        `insert into attempt (task_seq, task_id, epoch, attempt_id, worker_id, number, state, created_at) values (1, 't1', ?, ?, ?, 1, 'assigned', 0)`,
      )
      .run(++epoch, `a${epoch}`, workerId)
  offer('w0')
  workers.withdraw('w0')
  commits.flush()
  assert.throws(() => offer('w0'), /no live consent/)
  workers.grant('w0')
  commits.flush()
  workers.patch('w0', { enabled: false })
  commits.flush()
  assert.throws(() => offer('w0'), /no live consent/)
  workers.patch('w0', { enabled: true })
  commits.flush()
  offer('w0')
  workers.revoke('w1')
  commits.flush()
  assert.throws(() => offer('w1'), /no live consent/)
  assert.throws(() => offer('stranger'), /no live consent/)
  db.exec(`update attempt set state = 'committed' where epoch = 1`)
  assert.throws(() => db.exec(`update attempt set state = 'committed' where attempt_id <> 'a1'`), /UNIQUE/, 'one commit for a task')
})

test('a private input is offered to the agent of this machine only', (t) => {
  const { db, ledger, workers, commits } = openLedger(t)
  db.exec(`insert into worker (id, name, pin, created_at) values ('local', 'here', 'p', 0)`)
  db.exec(`insert into consent (id, worker_id, granted_at) values ('c', 'local', 0)`)
  const voice = { name: 'reference', size: 1, sha256: 'a'.repeat(64) }
  ledger.submit('t1', specOf({ inputs: [voice] }), '')
  ledger.submit(
    't2',
    specOf({
      inputs: [
        { ...voice, name: 'audio' },
        { ...voice, private: true },
      ],
    }),
    '',
  )
  ledger.flush()
  const offer = (task: 1 | 2, workerId: string) =>
    db
      .prepare(
        `insert into attempt (task_seq, task_id, epoch, attempt_id, worker_id, number, state, created_at) values (?, ?, 1, ?, ?, 1, 'assigned', 0)`,
      )
      .run(task, `t${task}`, `a${task}`, workerId)
  assert.equal(workers.get('w0')!.enabled, true)
  commits.flush()
  offer(1, 'w0')
  assert.throws(() => offer(2, 'w0'), /stays on this machine/)
  offer(2, 'local')
})

test('a database in use, a newer one and an invalid one have different failures', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.db')
  openDatabase(path).close()
  const again = openDatabase(path)
  again.pragma('user_version = 9999')
  again.close()
  assert.throws(() => openDatabase(path), fails('UPGRADE_REQUIRED'))
  writeFileSync(join(folder, 'text.db'), 'this is a letter, not a database; '.repeat(100))
  assert.throws(() => openDatabase(join(folder, 'text.db')), fails('STORAGE_FULL'))
  mkdirSync(join(folder, 'folder.db'))
  assert.throws(() => openDatabase(join(folder, 'folder.db')), fails('STORAGE_FULL'))
})

test('the pragmas make every commit wait for the disk', (t) => {
  const { db } = openLedger(t)
  const value = (name: string) => db.pragma(name, { simple: true })
  assert.deepEqual([value('journal_mode'), value('synchronous'), value('foreign_keys')], ['wal', 2, 1])
})

test('only faults of the storage count as such', () => {
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'])
    assert.ok(isStorageError(new Sqlite.SqliteError('x', code)), code)
  for (const other of [new Sqlite.SqliteError('x', 'SQLITE_CONSTRAINT_CHECK'), new Error('SQLITE_FULL'), null, 'SQLITE_FULL'])
    assert.equal(isStorageError(other), false)
})

test('a setting survives a restart', async (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  const first = await openStore({ kind: 'sqlite', path }, { log, clock })
  const settings = createSettings(first)
  assert.equal(settings.get('a'), null)
  await Promise.all([settings.set('a', '1'), settings.set('a', '2')])
  await first.close()
  const second = await openStore({ kind: 'sqlite', path }, { log, clock })
  t.after(() => second.close())
  assert.equal(createSettings(second).get('a'), '2')
})
