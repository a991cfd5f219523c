// A database that cannot be used: the start names the newest backup and the command, which works as it is printed.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { newestVersion, openDatabase } from '#control-plane/store/database.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { studio } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const starting = (t: TestContext, dataDir: string) =>
  startProgram(t, ['--import', './test/support/starting/without-agent.ts', 'control-plane/main.ts'], {
    STUDIO_DATA_DIR: dataDir,
    STUDIO_PORT: '0',
  })

async function refusal(t: TestContext, dataDir: string): Promise<string> {
  const program = starting(t, dataDir)
  assert.equal(await program.ended, 1, program.output())
  return (
    program
      .output()
      .split('\n')
      .find((line) => line.startsWith('studio: ')) ?? program.output()
  )
}
async function starts(t: TestContext, dataDir: string): Promise<void> {
  const program = starting(t, dataDir)
  await program.says(/listens on http/)
  await program.end('SIGTERM')
}
/** Runs the command of the message. */
async function follow(message: string, dataDir: string): Promise<void> {
  const file = /\.\/studio restore (\S+)/.exec(message)?.[1] ?? ''
  const { code, errors } = await studio(['restore', file], { env: { STUDIO_DATA_DIR: dataDir } })
  assert.equal(code, 0, errors)
}
/** Adds a backup as the start before a migration makes it, of an earlier version or of this one. */
function filled(dataDir: string): string {
  const path = join(dataDir, 'studio.db')
  const db = openDatabase(path)
  const insert = db.prepare('insert into setting (key, value) values (?, ?)')
  for (let at = 0; at < 500; at++) insert.run(`none.${at}`, JSON.stringify('x'.repeat(500)))
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  copyFileSync(path, `${path}.backup-${newestVersion()}-1`)
  return path
}

test('a damaged page: the start names the newest backup, and the command repairs it', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = filled(dataDir)
  const page = 4096
  const file = openSync(path, 'r+')
  for (let at = page; at < readFileSync(path).length; at += page) writeSync(file, Buffer.alloc(200, 0xa5), 0, 200, at)
  const message = await refusal(t, dataDir)
  assert.match(
    message,
    new RegExp(`The database ${path} is damaged \\(.*\\)\\. To use its newest backup, run \\./studio restore ${path}\\.backup-\\d+-1 `),
  )
  await follow(message, dataDir)
  await starts(t, dataDir)
})

test('no database at all, without a backup: the start says so', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = filled(dataDir)
  writeSync(openSync(path, 'r+'), Buffer.from('no database at all'), 0, 18, 0)
  const backup = `${path}.backup-${newestVersion()}-1`
  writeSync(openSync(backup, 'r+'), Buffer.from('neither'), 0, 7, 0)
  const { code, errors } = await studio(['restore', backup], { env: { STUDIO_DATA_DIR: dataDir } })
  assert.deepEqual([code, /cannot be restored/.test(errors)], [1, true])
  const message = await refusal(t, dataDir)
  assert.match(message, /is damaged \(file is not a database\)/)
})

test('data of a newer studio: the start names the way back and leaves nothing beside the backup', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = filled(dataDir)
  const newer = new Sqlite(path)
  newer.pragma(`user_version = ${newestVersion() + 1}`)
  newer.close()
  const before = readdirSync(dataDir).sort()
  const message = await refusal(t, dataDir)
  assert.match(message, /This data directory was written by a newer studio\. Update this one\. To go back instead, run \.\/studio restore /)
  const databases = () =>
    readdirSync(dataDir)
      .filter((name) => name.startsWith('studio.db'))
      .sort()
  assert.deepEqual(databases(), before, 'no log of the refused database')
  await follow(message, dataDir)
  assert.deepEqual(databases(), [...before, 'studio.db.before-restore-1'].toSorted(), 'no log of the backup')
  await starts(t, dataDir)
})

test('a read-only data folder is called read-only', { skip: mayMount ? false : 'mounting is not permitted' }, async (t) => {
  const dataDir = smallDisk(t, 'size=20m')
  filled(dataDir)
  await starts(t, dataDir)
  execFileSync('mount', ['-o', 'remount,ro', dataDir])
  assert.match(await refusal(t, dataDir), /read-only/)
})

test('data of a studio before the first release: the start says which version brings it up to date', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = filled(dataDir)
  const older = new Sqlite(path)
  older.pragma('user_version = 29')
  older.close()
  copyFileSync(path, `${path}.backup-29-1`)
  const message = await refusal(t, dataDir)
  assert.match(message, /before the first release.*Start the newest version 0\.5 with it once, which brings it up to date\./)
  assert.doesNotMatch(message, /backup-29/, 'a backup that this version does not read is not proposed')
  const { errors } = await studio(['restore', `${path}.backup-29-1`], { env: { STUDIO_DATA_DIR: dataDir } })
  assert.match(errors, /The backup was written by a studio before the first release/)
  rmSync(`${path}.backup-${newestVersion()}-1`)
  assert.match(
    await refusal(t, dataDir),
    /\. This version can restore none of the backups of studio\.db beside it\. If you have one elsewhere, /,
  )
  rmSync(`${path}.backup-29-1`)
  assert.match(await refusal(t, dataDir), /\. There is no backup of studio\.db beside it\. If you have one elsewhere, put it in place/)
})

test('a studio starts with data of version 30, and answers with what it had', async (t) => {
  const prepare = (dataDir: string) => {
    const db = new Sqlite(join(dataDir, 'studio.db'))
    db.pragma('foreign_keys = off')
    db.exec(readFileSync(join(import.meta.dirname, '../../control-plane/store/data/version-30.sql'), 'utf8'))
    db.close()
    // A take without its sound is not listed.
    mkdirSync(join(dataDir, 'outputs'), { mode: 0o700 })
    writeFileSync(join(dataDir, 'outputs/e55795c9.wav'), 'RIFF')
  }
  const world = await openWorld(t, { prepare })
  const named = async (path: string, field: string) => (await world.get(path)).json().map((row: Record<string, unknown>) => row[field])
  assert.deepEqual(await named('/history', 'text'), ['A take of version five'])
  assert.deepEqual(await named('/projects', 'name'), ['Five', 'Five'])
  assert.deepEqual(await named('/profiles', 'name'), ['Ada'])
  assert.deepEqual(await named('/pronunciation', 'replacement'), ['ess queue light'])
  assert.deepEqual(await named('/dub/history', 'id'), ['five'])
  assert.deepEqual(await named('/glossary/five', 'target'), ['Ton'])
  assert.equal((await world.get('/api/settings/history-retention')).json().cap, 77)
})
