import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Database, openDatabase } from '#control-plane/store/database.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { openLedger, resultOf, specOf } from '#test/support/doubles/ledger.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type Column = { readonly name: string; readonly type: string; readonly notnull: 0 | 1 }
const tablesOf = (db: Database): string[] =>
  db.prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'").pluck().all()
const columnsOf = (db: Database, table: string): Column[] => db.pragma(`table_info(${table})`) as Column[]

function failureOf(run: () => unknown): Failure {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    return error
  }
  assert.fail('it was stored')
}

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  INTEGER: [1.5, 1e300, Number.POSITIVE_INFINITY, 'text', undefined, {}, true],
  REAL: ['text', undefined],
  TEXT: [Buffer.from('x'), undefined, Symbol('x')],
  BLOB: [1.5, 'text'],
}

test('every column of every table refuses a value of another type with INTERNAL, which names the place', (t) => {
  const db = openDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  let checked = 0
  for (const table of tablesOf(db))
    for (const { name, type } of columnsOf(db, table)) {
      const byName = db.prepare(`insert into ${table} (${name}) values (@${name})`)
      for (const value of WRONG[type]!) {
        const { code, message } = failureOf(() => byName.run({ [name]: value }))
        assert.equal(code, 'INTERNAL', `${table}.${name}`)
        // A value that SQLite can store as it is meets the other constraints of the row first, in any order.
        assert.match(message, new RegExp(`\\b${table}\\b`), `${table}.${name} ${String(value)}: ${message}`)
        // SQLite does not name the column of a row number.
        if ((typeof value === 'number' && !message.includes('datatype mismatch')) || value === undefined)
          assert.match(message, /\b\w+\.\w+: /, message)
        checked++
      }
    }
  assert.ok(checked > 700, `${checked} values were checked`)
})

test('a refusal names the column of a fraction, a missing value, a duplicate, a check and a trigger', (t) => {
  const { db, ledger } = openLedger(t)
  ledger.submit('t1', specOf({ idempotencyKey: 'k' }), '')
  ledger.submit('t2', specOf(), '')
  ledger.flush()
  const update = (change: string) => failureOf(() => db.prepare(`update task set ${change} where id = 't2'`).run()).message
  assert.match(update('deadline_at = 1.5'), /could not store a row: task\.deadline_at: cannot store REAL value/)
  assert.match(update('params = null'), /task\.params: NOT NULL/)
  assert.match(update("idempotency_key = 'k'"), /task\.idempotency_key: UNIQUE/)
  assert.match(update('priority = 7'), /: task: CHECK constraint failed: priority/)
  const audit = db.prepare('delete from audit')
  db.prepare(
    "insert into audit (seq, at, kind, subject, detail, previous, digest) select coalesce(max(seq), 0) + 1, 1, '', '', '', '', '' from audit",
  ).run()
  assert.match(failureOf(() => audit.run()).message, /: audit: the audit log is append-only/)
})

test('a task with a fraction is refused alone; tasks of the same turn are stored', async (t) => {
  const { ledger } = openLedger(t)
  ledger.submit('good', specOf(), '')
  for (const spec of [{ deadlineAt: 1.5 }, { deadlineAt: Number.NaN }, { size: 0.1 }, { size: Number.POSITIVE_INFINITY }])
    assert.match(failureOf(() => ledger.submit('bad', specOf(spec), '')).message, /task\.(deadline_at|size): .* is not a whole number/)
  await ledger.settled()
  assert.equal((await ledger.find('good'))?.task.phase, 'queued')
  assert.equal(await ledger.find('bad'), null)
})

test('a task whose change the database refuses fails; it is not tried again, and the process goes on', async (t) => {
  const open = openLedger(t)
  const { ledger, db } = open
  ledger.submit('t1', specOf(), '')
  ledger.submit('t2', specOf(), '')
  ledger.flush()
  // The memory of the studio believes in a consent that the database does not have.
  db.exec("update consent set withdrawn_at = 1 where worker_id = 'w0'")
  ledger.apply('t1', { kind: 'offer', workerId: 'w0', attemptId: 'a1' })
  ledger.apply('t2', { kind: 'offer', workerId: 'w1', attemptId: 'a2' })
  await assert.rejects(ledger.settled(), { code: 'INTERNAL', message: /attempt: no live consent/ })
  await ledger.settled()
  const [bad, good] = [await ledger.find('t1'), await ledger.find('t2')]
  assert.deepEqual([bad?.task.phase, bad?.task.failure?.code], ['failed', 'INTERNAL'])
  assert.equal(good?.task.phase, 'queued', 'as before its batch')
  open.reopen()
  assert.deepEqual(
    [...open.ledger.live()].map(({ task }) => task.id),
    ['t2'],
  )
})

test('a result that the database refuses fails its task', async (t) => {
  const { ledger } = openLedger(t)
  ledger.submit('t1', specOf(), '')
  ledger.apply('t1', { kind: 'offer', workerId: 'w0', attemptId: 'a1' })
  ledger.apply('t1', { kind: 'accept', epoch: 1 })
  ledger.apply('t1', { kind: 'start', epoch: 1 })
  ledger.flush()
  ledger.apply('t1', { kind: 'complete', epoch: 1 }, { ...resultOf(), size: 2.5 })
  await assert.rejects(ledger.settled(), { code: 'INTERNAL', message: /task\.result_size/ })
  await ledger.settled()
  const record = await ledger.find('t1')
  assert.deepEqual([record?.task.phase, record?.task.failure?.code], ['failed', 'INTERNAL'])
})

test('a task whose failure is refused too leaves memory instead of being tried without end', async (t) => {
  const { ledger, db } = openLedger(t)
  ledger.submit('t1', specOf(), '')
  ledger.flush()
  db.exec("create trigger no before update on task begin select raise(abort, 'never'); end")
  ledger.apply('t1', { kind: 'cancel' })
  await assert.rejects(ledger.settled(), { code: 'INTERNAL', message: /task: never/ })
  await assert.rejects(ledger.settled(), { code: 'INTERNAL' })
  await ledger.settled()
  assert.equal(ledger.peek('t1'), null)
})
