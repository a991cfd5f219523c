// A backup or a restore that is killed at any step: the old database or the new one is in place, never neither, and the next one leaves nothing
// of it.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '#control-plane/store/database.ts'
import { backupBeforeMigration, restoreBackup } from '#control-plane/store/files/backup.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const PRELOAD = join(REPOSITORY, 'test/support/chaos/kills/killed-at-step.ts')
/** Steps between two kills of the suite; every step with `--long`. */
const EVERY = isLongRun ? 1 : 3

function put(path: string, value: string): void {
  const db = openDatabase(path)
  db.prepare("insert into setting (key, value) values ('mark', ?) on conflict (key) do update set value = excluded.value").run(value)
  db.close()
}
function markIn(path: string): unknown {
  const db = new Sqlite(path, { readonly: true })
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    return db.prepare("select value from setting where key = 'mark'").pluck().get()
  } finally {
    db.close()
  }
}
async function killedAt(step: number, args: readonly string[], dataDir: string) {
  const env = { STUDIO_DATA_DIR: dataDir, VOICE_STUDIO_TEST_KILL_AT: String(step) }
  const { code, errors } = await runToEnd(process.execPath, ['--import', PRELOAD, join(REPOSITORY, 'cli/main.ts'), ...args], { env })
  return { isKilled: code === null, code, errors }
}
const named = (folder: string, ...names: readonly string[]) => assert.deepEqual(readdirSync(folder).sort(), names.toSorted())

test('a restore that is killed at any step leaves the old database or the new one', { timeout: 900_000 }, async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.db')
  const backup = join(temporaryFolder(t), 'backup.db')
  put(backup, 'new')
  const seen = new Set<unknown>()
  let kills = 0
  for (let step = 1; ; step += EVERY) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    put(path, 'old')
    const { isKilled, code, errors } = await killedAt(step, ['restore', backup], folder)
    if (!isKilled) {
      assert.equal(code, 0, errors)
      assert.equal(markIn(path), 'new')
      named(folder, 'studio.db', 'studio.db.before-restore-1')
      assert.ok(kills > 3, `${kills} kills`)
      break
    }
    kills++
    const mark = markIn(path)
    assert.ok(mark === 'old' || mark === 'new', `step ${step}: ${mark}`)
    seen.add(mark)
    // The next start tidies up, and a second restore works.
    await backupBeforeMigration(path)
    assert.ok(!readdirSync(folder).some((name) => name.includes('unfinished')), `step ${step}: ${readdirSync(folder)}`)
    const kept = await restoreBackup(backup, path)
    assert.equal(markIn(path), 'new')
    assert.equal(markIn(kept!), mark, `step ${step}: what was in place is kept`)
    const copies = readdirSync(folder).filter((name) => name !== 'studio.db')
    assert.ok(copies.length <= 2 && copies.every((name) => name.startsWith('studio.db.before-restore-')), `step ${step}: ${copies}`)
    for (const name of copies) assert.ok(['old', 'new'].includes(String(markIn(join(folder, name)))), 'each is a copy of its own')
    named(join(backup, '..'), 'backup.db')
  }
  assert.ok(seen.has('old'))
  if (isLongRun) assert.ok(seen.has('new'), 'some kills come after the new one is in place')
})

test('a backup that is killed at any step leaves the whole file or none, and the next one leaves nothing of it', {
  timeout: 900_000,
}, async (t) => {
  const [folder, place] = [temporaryFolder(t), temporaryFolder(t)]
  put(join(folder, 'studio.db'), 'mine')
  const target = join(place, 'copy.db')
  for (let step = 1; ; step += EVERY) {
    rmSync(target, { force: true })
    const { isKilled } = await killedAt(step, ['backup', '--database', target], folder)
    if (existsSync(target)) assert.equal(markIn(target), 'mine')
    rmSync(target, { force: true })
    if (!isKilled) break
    const whole = await killedAt(0, ['backup', '--database', target], folder)
    assert.equal(whole.code, 0, whole.errors)
    named(place, 'copy.db')
    named(folder, 'studio.db')
  }
})
