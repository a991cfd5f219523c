// A whole backup or its restore that is killed at any step: there is no half archive under the final name and no half folder, and the next one
// leaves nothing of it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArchive } from '#control-plane/backup/chain.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { backupBeforeMigration } from '#control-plane/store/files/backup.ts'
import { isHalfRestored } from '#control-plane/store/files/half-restored.ts'
import { wayBack } from '#control-plane/store/files/way-back.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const PRELOAD = join(REPOSITORY, 'test/support/chaos/kills/killed-at-step.ts')
/** Steps between two kills of the suite; every step with `--long`. */
const EVERY = isLongRun ? 1 : 9
/** More than the last steps of a restore that is several renames. */
const RENAMES = 8

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
  await t.test('a restore behind a link, which is several renames', async () => {
    const [disk, into] = [join(place, 'disk'), join(place, 'link')]
    symlinkSync(disk, into)
    const restoredTo = async (step: number) => {
      rmSync(disk, { recursive: true, force: true })
      mkdirSync(disk)
      return await killedAt(step, ['restore', archive, '--into', into], folder)
    }
    let [last, beyond] = [0, 256]
    while (beyond - last > 1) {
      const middle = (last + beyond) >> 1
      if ((await restoredTo(middle)).isKilled) last = middle
      else beyond = middle
    }
    let halves = 0
    for (let step = isLongRun ? 1 : last - RENAMES; step <= last; step++) {
      await restoredTo(step)
      if (isHalfRestored(disk)) {
        halves++
        assert.throws(
          () => openDatabase(join(disk, 'studio.db')),
          (error) => /A restore into .* was not completed\. Empty the folder/.test(wayBack(error, join(disk, 'studio.db')) ?? ''),
        )
      } else if (existsSync(join(disk, 'studio.db'))) assert.equal(readdirSync(join(disk, 'outputs')).length, 20)
      else
        assert.deepEqual(
          readdirSync(disk).filter((name) => !name.includes('unfinished')),
          [],
        )
      if (halves !== 1) continue
      const { errors } = await killedAt(0, ['restore', archive, '--into', into], folder)
      assert.match(errors, /An earlier restore into .* was not completed\. Empty the folder/)
    }
    const { code, errors } = await restoredTo(beyond)
    assert.equal(code, 0, errors)
    assert.ok(halves >= 2, `${halves} half ones`)
  })
})
