// A whole backup or its restore that is killed at any step: there is no half archive under the final name and no half folder, and the next one
// leaves nothing of it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArchive } from '#control-plane/backup/chain.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { backupBeforeMigration } from '#control-plane/store/files/backup.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const PRELOAD = join(REPOSITORY, 'test/support/chaos/kills/killed-at-step.ts')
/** Steps between two kills of the suite; every step with `--long`. */
const EVERY = isLongRun ? 1 : 9

async function killedAt(step: number, args: readonly string[], dataDir: string) {
  const env = { STUDIO_DATA_DIR: dataDir, VOICE_STUDIO_TEST_KILL_AT: String(step) }
  const { code, errors } = await runToEnd(process.execPath, ['--import', PRELOAD, join(REPOSITORY, 'cli/main.ts'), ...args], { env })
  return { isKilled: code === null, code, errors }
}
const rest = (folder: string) => readdirSync(folder).filter((name) => name.includes('unfinished'))

test('killed at any step', { timeout: 900_000 }, async (t) => {
  const [folder, place] = [temporaryFolder(t), temporaryFolder(t)]
  openDatabase(join(folder, 'studio.db')).close()
  mkdirSync(join(folder, 'outputs'))
  for (let at = 0; at < 20; at++) writeFileSync(join(folder, 'outputs', `${at}.wav`), `take ${at}`)
  const archive = join(place, 'a.zip')
  const backup = ['backup', archive, '--without-secrets']

  await t.test('a backup', async () => {
    let kills = 0
    for (let step = 1; ; step += EVERY) {
      rmSync(archive, { force: true })
      const { isKilled, code, errors } = await killedAt(step, backup, folder)
      if (existsSync(archive)) (await openArchive(archive)).zip.close()
      if (!isKilled) {
        assert.equal(code, 0, errors)
        break
      }
      kills++
    }
    assert.ok(kills > 1, `${kills} kills`)
    // The next backup removes what the killed ones left, beside the archive and in the data folder; so does the next start.
    assert.deepEqual(readdirSync(place), ['a.zip'])
    await backupBeforeMigration(join(folder, 'studio.db'))
    assert.deepEqual(rest(folder), [])
  })

  await t.test('a restore', async () => {
    const into = join(place, 'new')
    let kills = 0
    for (let step = 1; ; step += EVERY) {
      const { isKilled, code, errors } = await killedAt(step, ['restore', archive, '--into', into], folder)
      if (existsSync(into))
        for (let at = 0; at < 20; at++) assert.equal(readFileSync(join(into, 'outputs', `${at}.wav`), 'utf8'), `take ${at}`)
      if (!isKilled) {
        assert.equal(code, 0, errors)
        break
      }
      rmSync(into, { recursive: true, force: true })
      kills++
    }
    assert.ok(kills > 1, `${kills} kills`)
    assert.deepEqual(readdirSync(place).sort(), ['a.zip', 'new'])
  })
})
