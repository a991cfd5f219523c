// Backups before a migration, backups on request, and their restoration.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { newestVersion, openDatabase, readCopy, tryMigrations, versionAt } from '#control-plane/store/database.ts'
import { backupBeforeMigration, backupTo, listBackups, restoreBackup } from '#control-plane/store/files/backup.ts'
import { switchedDatabase } from '#control-plane/store/files/upgrade.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const put = (path: string, value: string) => {
  const db = openDatabase(path)
  db.prepare("insert into setting (key, value) values ('mark', ?) on conflict (key) do update set value = excluded.value").run(value)
  db.close()
}
const markIn = (path: string) => readCopy(path, (db) => db.prepare("select value from setting where key = 'mark'").pluck().get())
/** Makes the database look like one of an older version. The migrations are not run by these tests. */
const age = (path: string, version: number) => {
  const db = new Sqlite(path)
  db.pragma(`user_version = ${version}`)
  db.close()
}

test('a database is backed up before a migration, and three backups are kept', async (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  assert.equal(await backupBeforeMigration(path), null, 'there is no database')
  put(path, 'first')
  assert.equal(await backupBeforeMigration(path), null, 'there is nothing to migrate')
  const old = newestVersion() - 1
  age(path, old)
  for (let count = 1; count <= 5; count++) {
    const place = await backupBeforeMigration(path)
    assert.equal(place, `${path}.backup-${old}-${count}`)
    assert.equal(markIn(place!), 'first')
    assert.equal(statSync(place!).mode & 0o077, 0, 'only the owner can read it')
    utimesSync(place!, count, count)
  }
  assert.equal(listBackups(path).length, 3)
  assert.deepEqual(
    readdirSync(join(path, '..')).filter((name) => name.endsWith('.new')),
    [],
  )
})

test('a database in use or damaged is not backed up, and its open reports why', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.db')
  put(path, 'x')
  age(path, 1)
  const held = new Sqlite(path)
  held.pragma('locking_mode = exclusive')
  held.exec('begin exclusive')
  assert.equal(await backupBeforeMigration(path), null)
  held.close()
  const damaged = join(folder, 'damaged.db')
  writeFileSync(damaged, 'no database'.repeat(1000))
  assert.equal(await backupBeforeMigration(damaged), null)
  assert.throws(() => openDatabase(damaged), { code: 'STORAGE_FULL' })
})

test('a backup of a running studio is restored, and the replaced database is kept', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.db')
  const target = join(folder, 'copy.db')
  put(path, 'one')
  const running = openDatabase(path)
  running.prepare("update setting set value = 'two' where key = 'mark'").run()
  backupTo(path, target)
  assert.equal(markIn(target), 'two', 'what is only in the write-ahead log is part of the backup')
  assert.throws(() => backupTo(path, target), { code: 'CONFLICT' })
  await assert.rejects(restoreBackup(target, path), { code: 'CONFLICT' }, 'a studio is running')
  running.prepare("update setting set value = 'three' where key = 'mark'").run()
  running.close()

  const kept = await restoreBackup(target, path)
  assert.deepEqual([markIn(path), markIn(kept!)], ['two', 'three'])
  openDatabase(path).close()
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.new')),
    [],
  )
})

test('nothing but an intact database of a studio is restored', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.db')
  put(path, 'mine')
  const other = join(folder, 'other.db')
  await assert.rejects(restoreBackup(other, path), { code: 'NOT_FOUND' })
  for (const content of ['', 'no database'.repeat(1000)]) {
    writeFileSync(other, content)
    await assert.rejects(restoreBackup(other, path), { code: 'BAD_REQUEST' })
  }
  const foreign = new Sqlite(join(folder, 'foreign.db'))
  foreign.exec('create table x (y)')
  foreign.close()
  await assert.rejects(restoreBackup(join(folder, 'foreign.db'), path), { code: 'BAD_REQUEST' })
  const newer = join(folder, 'newer.db')
  copyFileSync(path, newer)
  age(newer, newestVersion() + 1)
  await assert.rejects(restoreBackup(newer, path), { code: 'UPGRADE_REQUIRED' })
  const cut = join(folder, 'cut.db')
  writeFileSync(cut, readFileSync(path).subarray(0, statSync(path).size / 2))
  await assert.rejects(restoreBackup(cut, path), { code: 'BAD_REQUEST' })
  assert.equal(markIn(path), 'mine')
  assert.ok(!existsSync(`${path}.restore.new`))
})

test('a damaged or missing database is replaced', async (t) => {
  const folder = temporaryFolder(t)
  const backup = join(folder, 'backup.db')
  put(backup, 'good')
  const path = join(folder, 'studio.db')
  const lost = join(folder, 'lost.db')
  put(lost, 'lost')
  const open = openDatabase(lost)
  open.prepare("update setting set value = 'more' where key = 'mark'").run()
  copyFileSync(`${lost}-wal`, `${path}-wal`)
  open.close()
  assert.equal(await restoreBackup(backup, path), null)
  assert.ok(!existsSync(`${path}-wal`), 'the log of a lost database is not applied')
  assert.equal(markIn(path), 'good')
  writeFileSync(path, 'no database'.repeat(1000))
  const kept = await restoreBackup(backup, path)
  assert.equal(markIn(path), 'good')
  assert.match(readFileSync(kept!, 'utf8'), /^no database/)
})

test('a restore is undone with the database that it replaced, and progress shows in the sizes of files', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.db')
  const data = switchedDatabase(folder)
  put(path, 'older')
  const still = data.progress()
  assert.equal(data.progress(), still)
  data.copy(join(folder, 'copy.db'))
  assert.equal(data.progress(), still, 'what is finished is no progress')
  put(path, 'newer')
  const noted: string[] = []
  await data.restore(join(folder, 'copy.db'), (kept) => void noted.push(kept, String(markIn(path))))
  assert.deepEqual(noted, ['studio.db.before-restore-1', 'newer'], 'noted before the database is replaced')
  assert.equal(markIn(path), 'older')
  // The version that did not start was killed: its log is there.
  writeFileSync(`${path}-wal`, 'log of another database')
  data.putBack('studio.db.before-restore-1')
  assert.equal(markIn(path), 'newer')
  assert.deepEqual(readdirSync(folder).sort(), ['copy.db', 'studio.db'])
  data.putBack('studio.db.before-restore-1')
  assert.throws(() => data.putBack('../studio.db'), /is not the name of a file/)
  const before = data.progress()
  const held = openDatabase(path)
  assert.throws(() => data.copy(join(folder, 'other.db')), { code: 'CONFLICT' })
  held.prepare("update setting set value = ? where key = 'mark'").run('x'.repeat(100_000))
  assert.notEqual(data.progress(), before)
  held.close()
})

test('the version of a database is read from its beginning and its log, however large it is', (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  put(path, 'x')
  const held = openDatabase(path)
  held.pragma('user_version = 999')
  assert.ok(statSync(`${path}-wal`).size > 0)
  assert.equal(versionAt(path), 999)
  held.close()
  truncateSync(path, 2 ** 40)
  assert.equal(versionAt(path), 999)
  assert.throws(() => tryMigrations(path), { code: 'UPGRADE_REQUIRED' })
})
