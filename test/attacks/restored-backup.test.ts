// A database that names files elsewhere: a restore refuses it, and a studio that has it all the same neither reads nor removes them.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '#control-plane/store/database.ts'
import { studio } from '../support/world/cli.ts'
import { openWorld, temporaryFolder } from '../support/world/world.ts'

const NOW = 1_795_000_000_000
/** From a folder of the data folder: a file of the studio, one beside the folder of the takes, and a folder. */
const TARGETS = ['../victim.txt', '../authority/provenance.key', '../../', '..', '/etc/hostname', 'sub/../../victim.txt', '']

function plant(path: string): void {
  const db = openDatabase(path)
  const take =
    db.prepare(`insert into generation_history (id, seq, text, mode, language, instruct, profile_id, audio_path, duration_seconds,
    generation_time, seed, created_at, starred) values (?, ?, 'x', 'design', 'Auto', '', '', ?, 1, 1, 0, 1795000000, 1)`)
  for (const [at, target] of TARGETS.entries()) take.run(`evil${at}`, at + 1, target)
  db.exec(`
    insert into job (seq, id, type, params, meta, status, created_at, updated_at)
      values (1, '../victim', 'audiobook', '{}', '{}', 'pending', ${NOW}, ${NOW}),
        (2, 'ingest', 'dub_ingest', '{"dub": "../../..", "run": "/x"}', '{}', 'pending', ${NOW}, ${NOW});
    insert into longform_book (job_id, kind, title, manifest, total_chapters, created_at) values ('../victim', 'story', 'x', '../victim.txt', 1, ${NOW});
    insert into dub (id, filename, input_type, source_digest, created_at) values ('../../x', 'x', 'video', '../${'/'.repeat(48)}../victim.txt', ${NOW});
    insert into voice_profile (id, name, kind, language, instruct, ref_text, personality, description, ref_digest, ref_bytes, origin, created_at, updated_at)
      values ('0123abcd', 'x', 'clone', 'Auto', '', '', '', '', '../victim.txt', 5, 'own', ${NOW}, ${NOW});
  `)
  db.close()
}

test('a restore refuses it and leaves what is there', async (t) => {
  const [dataDir, place] = [temporaryFolder(t), temporaryFolder(t)]
  plant(join(place, 'evil.db'))
  openDatabase(join(dataDir, 'studio.db')).close()
  const { code, errors } = await studio(['restore', join(place, 'evil.db')], { env: { STUDIO_DATA_DIR: dataDir } })
  assert.equal(code, 1)
  assert.match(errors, /evil\.db cannot be restored: a value of \w+\.\w+ is not one that a studio writes\./)
  assert.deepEqual(readdirSync(dataDir), ['studio.db'])
  assert.deepEqual(readdirSync(place), ['evil.db'])
})

test('a studio that has it serves, and no file elsewhere is read or removed', async (t) => {
  const world = await openWorld(t, {
    withoutAgent: true,
    impatient: true,
    prepare(dataDir) {
      plant(join(dataDir, 'studio.db'))
      writeFileSync(join(dataDir, 'victim.txt'), 'mine')
      for (const ending of ['m4b', 'mp3', 'epub']) writeFileSync(join(dataDir, `victim.${ending}`), 'mine')
    },
  })
  const before = readdirSync(world.dataDir).sort()
  const isIntact = () => {
    assert.deepEqual(
      readdirSync(world.dataDir)
        .filter((name) => before.includes(name))
        .sort(),
      before,
    )
    assert.ok(existsSync(join(world.dataDir, 'authority', 'provenance.key')))
  }
  assert.equal((await world.get('/history')).json().length, 0, 'rows without a file are no takes')
  for (const at of TARGETS.keys()) assert.equal((await world.delete(`/history/evil${at}`)).status, 200)
  isIntact()
  for (const path of ['/history', '/profiles', '/dub/history', '/longform/jobs', '/audiobook/jobs', '/jobs', '/projects', '/gallery/clips'])
    assert.ok((await world.get(path)).status < 500, path)
  for (const [method, path] of [
    ['GET', '/profiles/0123abcd/audio'],
    ['DELETE', '/dub/history/..%2F..%2Fx'],
    ['DELETE', '/longform/jobs/..%2Fvictim'],
    ['POST', '/dub/cleanup'],
    ['DELETE', '/profiles/0123abcd'],
    ['DELETE', '/history'],
  ] as const) {
    const { body } = await world.send(method, path)
    assert.ok(!body.includes('mine'), path)
    isIntact()
  }
  await world.restart('SIGTERM')
  isIntact()
  assert.equal((await world.get('/health')).status, 200)
})
