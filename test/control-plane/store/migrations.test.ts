// Migrations that move what a database has from one table to another.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { createCaptionRows } from '#control-plane/features/dubbing/store/caption.store.ts'
import { createDubRows } from '#control-plane/features/dubbing/store/dub.store.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../control-plane/store/migrations')

/** A database as the program had it before this migration. */
function databaseBefore(path: string, migration: string): Sqlite.Database {
  const db = new Sqlite(path)
  db.unsafeMode()
  const steps = readdirSync(MIGRATIONS).sort()
  const before = steps.indexOf(migration)
  for (const name of steps.slice(0, before)) db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  db.pragma(`user_version = ${before}`)
  db.unsafeMode(false)
  return db
}

test('the subtitles of dubs leave their options and keep their languages', (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  const old = databaseBefore(path, '0084_dub_captions.sql')
  const cues = [{ start_us: 1, end_us: 2, text: 'it\u2019s "quoted"' }]
  const insert = old.prepare(
    `insert into dub (id, filename, input_type, source_digest, created_at, options) values (?, 'f', 'video', ?, 1, ?)`,
  )
  const options = { seg_order: ['a'], last_export_warning: 'late' }
  insert.run('both', 'a'.repeat(64), JSON.stringify({ ...options, youtube_subs: { en: cues, 'pt-BR': [] } }))
  insert.run('none', 'a'.repeat(64), JSON.stringify({ ...options, youtube_subs: null }))
  insert.run('older', 'a'.repeat(64), JSON.stringify(options))
  old.close()
  const db = openDatabase(path)
  t.after(() => db.close())
  const [captions, dubs] = [createCaptionRows({ db }), createDubRows({ db })]
  assert.deepEqual(
    ['both', 'none', 'older'].map((id) => captions.of(id)),
    [{ en: cues, 'pt-BR': [] }, null, null],
  )
  for (const id of ['both', 'none', 'older']) {
    const { seg_order, last_export_warning } = dubs.find(id)!.options
    assert.deepEqual({ seg_order, last_export_warning }, options)
  }
  const left = db.prepare<[], string>('select options from dub').pluck().all()
  assert.ok(left.every((text) => !text.includes('youtube_subs')))
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
})

test('earlier takes keep what their notice was about', (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  const old = databaseBefore(path, '0085_take_routing.sql')
  const insert = old.prepare(`insert into generation_history
    (id, seq, text, mode, language, instruct, profile_id, audio_path, duration_seconds, generation_time, seed, notice, created_at)
    values (?, ?, '', 'design', 'Auto', '', '', 'a.wav', 1, 1, 0, ?, 1)`)
  const notices = [
    '',
    'The seed changed nothing.',
    'Using the basic voice (Flite), because the model of the Voice Studio engine is not installed.',
  ]
  for (const [at, notice] of notices.entries()) insert.run(String(at), at + 1, notice)
  old.close()
  const db = openDatabase(path)
  t.after(() => db.close())
  const routings = db.prepare<[], string>('select routing from generation_history order by seq').pluck().all()
  assert.deepEqual(routings, ['', 'notice', 'stand_in'])
})
