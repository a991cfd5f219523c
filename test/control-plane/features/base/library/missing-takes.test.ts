// Takes whose files are missing: single ones go, and the list stays while a disk or a part of a backup may be missing.
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHistory } from '#control-plane/features/base/library/history.store.ts'
import { createMissingTakes } from '#control-plane/features/base/library/takes/missing.store.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

function open(t: TestContext, takes: number, begin: 'auto' | 'keep' = 'auto') {
  const folder = temporaryFolder(t)
  const db = openDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const audioFolder = join(folder, 'outputs')
  mkdirSync(audioFolder)
  let mono = 0
  const clock = { ...systemClock, mono: () => mono }
  const state: { choice: 'auto' | 'keep' | 'remove' } = { choice: begin }
  const setting = {
    choice: () => state.choice,
    async settle() {
      state.choice = 'auto'
    },
  }
  const missing = createMissingTakes({ db, audioFolder, setting, clock })
  const makers = createMakers({ db, clock })
  const history = createHistory({ db, makers, clock, random, audioFolder, binFolder: join(folder, 'bin'), cap: () => 0, missing })
  t.after(() => history.bin.stop())
  const fields = { text: '', mode: 'design', language: 'Auto', instruct: '', profile_id: '', duration_seconds: 1, generation_time: 1 }
  const more = { seed: 0, engine: 'tone', voice: '', notice: '', routing: '' as const }
  for (let at = 0; at < takes; at++) {
    writeFileSync(join(audioFolder, `${at}.wav`), 'RIFF')
    history.add({ id: String(at), audio_path: `${at}.wav`, ...fields, ...more })
  }
  return {
    state,
    audioFolder,
    kept: missing.kept,
    list: () => history.list(null),
    lose: (count: number, from = 0) => {
      for (let at = from; at < from + count; at++) rmSync(join(audioFolder, `${at}.wav`))
    },
    /** The folder is read again. */
    wait: () => {
      mono += 60_000
    },
    /** A row as another program may write it. */
    spoil: (id: string, name: string) => db.prepare('update generation_history set audio_path = ? where id = ?').run(name, id),
  }
}

test('a few missing files remove their rows, as the specification says', (t) => {
  const { list, lose, kept } = open(t, 6)
  lose(3)
  assert.equal(list().length, 3)
  assert.equal(kept(), 0)
})

test('more than a tenth stays in the list, until the files are back or the owner removes them', (t) => {
  const { list, lose, kept, state, wait, spoil, audioFolder } = open(t, 40)
  lose(5)
  const rows = list()
  assert.equal(rows.length, 40)
  assert.deepEqual(
    rows.filter((row) => row.size_bytes === 0).map(({ id }) => id),
    ['4', '3', '2', '1', '0'],
  )
  assert.equal(kept(), 5)
  for (const at of [0, 1]) writeFileSync(join(audioFolder, `${at}.wav`), 'RIFF')
  wait()
  spoil('30', '../victim')
  assert.equal(list().length, 36, 'three are a few, and a name of no file is none')
  assert.equal(kept(), 0)
  lose(8, 10)
  assert.equal(list().length, 36)
  state.choice = 'remove'
  assert.equal(list().length, 28)
  assert.equal(state.choice, 'auto', 'once')
})

test('an absent and an empty folder remove nothing', (t) => {
  const { list, lose, kept, audioFolder, wait } = open(t, 2)
  renameSync(audioFolder, `${audioFolder}.away`)
  assert.equal(list().length, 2)
  assert.equal(kept(), 2)
  mkdirSync(audioFolder)
  writeFileSync(join(audioFolder, '.keep'), '')
  wait()
  assert.equal(list().length, 2)
  rmSync(audioFolder, { recursive: true })
  renameSync(`${audioFolder}.away`, audioFolder)
  wait()
  assert.deepEqual([list().length, kept()], [2, 0])
  lose(1)
  assert.equal(list().length, 1)
})

test('after a restore nothing is removed until all files are there', (t) => {
  const { list, lose, kept, state, audioFolder, wait } = open(t, 20, 'keep')
  lose(1)
  assert.equal(kept(), 1, 'from the start on, before a list is read')
  assert.equal(list().length, 20)
  writeFileSync(join(audioFolder, '0.wav'), 'RIFF')
  wait()
  assert.deepEqual([kept(), state.choice], [0, 'auto'])
  lose(1)
  assert.equal(list().length, 19)
})
