import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { readAudit, verifyAudit } from '#control-plane/audit/audit-log.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

const UNLOCKED = 'drop trigger audit_is_final; drop trigger audit_is_kept; drop trigger audit_is_in_order;'

test('every decision about a machine is an entry, in order, and the chain can be verified while the studio runs', async (t) => {
  const { folder, workers, audit, clock, commits } = openLedger(t)
  const path = join(folder, 'studio.db')
  const from = (await readAudit(path)).length
  workers.add({ id: 'new', name: 'New', pin: 'a'.repeat(64), endpoint: '' })
  workers.grant('new')
  clock.advance(5)
  workers.withdraw('new')
  workers.renewed('new', 1, 'n')
  workers.quarantine('new', 'copied')
  workers.quarantine('new', 'again')
  workers.release('new')
  workers.release('new')
  workers.revoke('new')
  audit.record('remote-on', 'studio')
  commits.flush()
  const entries = (await readAudit(path)).slice(from)
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['enrol', 'consent', 'withdraw', 'renew', 'quarantine', 'release', 'revoke', 'remote-on'],
  )
  assert.equal(entries[2]!.at, entries[1]!.at + 5)
  assert.deepEqual(JSON.parse(entries[4]!.detail), { reason: 'copied' })
  assert.deepEqual(
    (await readAudit(path, 2)).map(({ kind }) => kind),
    ['revoke', 'remote-on'],
  )
  const { brokenAt, count, head } = await verifyAudit(path)
  assert.deepEqual([brokenAt, count, head], [null, from + 8, `${from + 8}:${entries.at(-1)!.digest}`])
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.copy')),
    [],
  )
})

test('an entry whose batch was not written is not part of the chain', async (t) => {
  const { folder, db, audit, commits } = openLedger(t)
  const path = join(folder, 'studio.db')
  const before = await verifyAudit(path)
  db.pragma('query_only = on')
  audit.record('enrol', 'lost')
  audit.record('consent', 'lost')
  commits.flush()
  db.pragma('query_only = off')
  assert.deepEqual(await verifyAudit(path), before)
  audit.record('enrol', 'kept')
  commits.flush()
  assert.deepEqual([(await verifyAudit(path)).brokenAt, (await verifyAudit(path)).count], [null, before.count + 1])
})

test('the table itself refuses to be rewritten', (t) => {
  const { db } = openLedger(t)
  for (const sql of [
    `update audit set kind = 'x' where seq = 1`,
    'delete from audit',
    'delete from audit where seq = (select max(seq) from audit)',
    `insert or replace into audit select seq, at, 'x', subject, detail, previous, digest from audit where seq = 1`,
    `insert into audit select seq + 100, at, kind, subject, detail, previous, digest from audit where seq = 1`,
  ])
    assert.throws(() => db.exec(sql), /append-only/, sql)
})

test('after any change to a copy, the first entry that does not fit is named', async (t) => {
  const open = openLedger(t)
  const path = join(open.folder, 'studio.db')
  const whole = await verifyAudit(path)
  assert.ok(whole.count >= 6)
  open.db.pragma('wal_checkpoint(truncate)')
  const tampered = (sql: string, noted: string | null = null) => {
    const copy = join(open.folder, 'tampered.db')
    copyFileSync(path, copy)
    const db = new Sqlite(copy)
    db.exec(UNLOCKED + sql)
    db.close()
    return verifyAudit(copy, noted)
  }
  assert.deepEqual(await tampered(''), whole)
  for (const column of ['kind', 'subject', 'detail'])
    assert.equal((await tampered(`update audit set ${column} = ${column} || ' ' where seq = 3`)).brokenAt, 3, column)
  assert.equal((await tampered('update audit set at = at + 1 where seq = 4')).brokenAt, 4)
  assert.equal((await tampered(`update audit set digest = '${'0'.repeat(64)}' where seq = 2`)).brokenAt, 2)
  assert.equal((await tampered('delete from audit where seq = 2')).brokenAt, 3)
  assert.equal((await tampered('delete from audit where seq = 1')).brokenAt, 2)
  const cut = await tampered(`delete from audit where seq = ${whole.count}`)
  assert.deepEqual([cut.brokenAt, cut.count], [whole.count, whole.count - 1])
  assert.equal((await tampered('delete from audit')).brokenAt, 1)
  assert.equal((await tampered(`delete from setting where key = 'audit_head'`)).brokenAt, whole.count + 1)

  // A log that was shortened together with its kept head fits itself; only a head noted elsewhere tells.
  const shorter = `delete from audit where seq = ${whole.count};
    update setting set value = (select seq || ':' || digest from audit order by seq desc limit 1) where key = 'audit_head'`
  assert.equal((await tampered(shorter)).brokenAt, null)
  assert.equal((await tampered(shorter, whole.head)).brokenAt, whole.count)
  assert.equal((await verifyAudit(path, whole.head)).brokenAt, null)
  assert.notEqual((await verifyAudit(path, `2:${'a'.repeat(64)}`)).brokenAt, null)
})

test('a missing database is a failure', async (t) => {
  const { folder } = openLedger(t)
  await assert.rejects(verifyAudit(join(folder, 'other.db')), (error) => error instanceof Failure && error.code === 'NOT_FOUND')
})
