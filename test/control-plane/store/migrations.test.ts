// Databases of earlier versions: what the first release reads, and what it refuses.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Sqlite, { type Database } from 'better-sqlite3'
import { newestVersion, oldestVersion, openDatabase } from '#control-plane/store/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../control-plane/store/migrations')
const FIRST_RELEASE = join(import.meta.dirname, 'data/version-30.sql')

/** Path of a database as the last version before the first release wrote it. */
function earlier(t: TestContext, change = ''): string {
  const path = join(temporaryFolder(t), 'studio.db')
  const db = new Sqlite(path)
  db.pragma('foreign_keys = off')
  db.exec(readFileSync(FIRST_RELEASE, 'utf8') + change)
  db.close()
  return path
}
const tablesOf = (db: Database) =>
  db.prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name").pluck().all()
const rowsOf = (db: Database, table: string, columns = '*') => db.prepare(`select ${columns} from ${table} order by 1`).all()

test('the files of migrations are called after versions in a row', () => {
  const versions = readdirSync(MIGRATIONS).map((name) => Number(/^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1]))
  assert.deepEqual(
    versions.toSorted((a, b) => a - b),
    Array.from({ length: versions.length }, (_, at) => oldestVersion() + at),
  )
  assert.equal(newestVersion(), oldestVersion() + versions.length - 1)
})

test('a database of version 30 opens with everything kept', (t) => {
  const path = earlier(t)
  const before = new Sqlite(path)
  const tables = tablesOf(before)
  const kept = tables.map((table) => ({
    table,
    columns: (before.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name).join(', '),
    rows: rowsOf(before, table),
  }))
  before.close()
  assert.ok(kept.filter(({ rows }) => rows.length > 0).length >= 20, 'the database has rows')
  const db = openDatabase(path)
  t.after(() => db.close())
  for (const { table, columns, rows } of kept) assert.deepEqual(rowsOf(db, table, columns), rows, table)
  assert.equal(db.pragma('user_version', { simple: true }), newestVersion())
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(db.pragma('foreign_key_check'), [])
})

test('it has the tables of a new database', (t) => {
  const [old, fresh] = [openDatabase(earlier(t)), openDatabase(':memory:')]
  t.after(() => void [old, fresh].map((db) => db.close()))
  const shapeOf = (db: Database) =>
    tablesOf(db).map((table) => [table, db.pragma(`table_xinfo(${table})`), db.pragma(`index_list(${table})`)])
  const indexes = (db: Database) => db.prepare("select name, tbl_name from sqlite_schema where type = 'index' order by name").all()
  assert.deepEqual(
    shapeOf(old).map(([table, columns]) => [table, columns]),
    shapeOf(fresh).map(([table, columns]) => [table, columns]),
  )
  assert.deepEqual(indexes(old), indexes(fresh))
})

test('an older database is refused with instructions, and is not changed', (t) => {
  const path = earlier(t, '\npragma user_version = 29;')
  assert.throws(() => openDatabase(path), {
    code: 'UPGRADE_REQUIRED',
    message: /before the first release.*Start the newest version 0\.5 with it once/,
  })
  const db = new Sqlite(path, { readonly: true })
  t.after(() => db.close())
  assert.equal(db.pragma('user_version', { simple: true }), 29)
})
