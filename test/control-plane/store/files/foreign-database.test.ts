// A backup that another program wrote: what it may contain, and what is refused before it replaces the database.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Sqlite, { type Database } from 'better-sqlite3'
import { emptyDatabase, newestVersion, oldestVersion, openDatabase } from '#control-plane/store/database.ts'
import { restoreBackup } from '#control-plane/store/files/backup.ts'
import { FILE_COLUMNS } from '#control-plane/store/files/foreign-database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const DIGEST = 'a'.repeat(64)
const NOW = 1_795_000_000_000

/** One row in the tables whose texts name files, as the studio writes them. */
const ROWS = `
  insert into generation_history (id, seq, text, mode, language, instruct, profile_id, audio_path, duration_seconds, generation_time, seed, created_at)
    values ('t1', 1, 'x', 'design', 'Auto', '', '', 't1.wav', 1, 1, 0, 1795000000.5);
  insert into job (seq, id, type, params, meta, status, created_at, updated_at) values (1, 'j1', 'audiobook', '{}', '{}', 'pending', ${NOW}, ${NOW});
  insert into longform_book (job_id, kind, title, manifest, total_chapters, output, created_at) values ('j1', 'audiobook', 'x', '${DIGEST}', 1, 'audiobook_j1.m4b', ${NOW});
  insert into longform_segment (key, bytes, sample_rate, samples, doubtful, used_at) values ('${DIGEST}', 1, 24000, 1, 0, ${NOW});
  insert into step_result (key, kind, json, digest, bytes, cost_ms, used_at) values ('k', 'x', '{}', '${DIGEST}', 1, 1, ${NOW});
  insert into dub (id, filename, input_type, source_digest, created_at) values ('film', '../a film/..', 'video', '${DIGEST}', ${NOW});
  insert into dub_file (digest, kind, bytes, detail, maker, used_at) values ('${DIGEST}', 'take', 1, '{}', 'r', ${NOW});
  insert into dub_use (dub_id, digest) values ('film', '${DIGEST}');
  insert into dub_take (dub_id, language, segment_id, take_no, key, digest, natural_us, sample_rate, created_at)
    values ('film', 'es', 's', 0, 'k', '${DIGEST}', 1, 24000, ${NOW});
  insert into dub_track (dub_id, language_code, language, digest, duration_us, timing_strategy, plan, take_keys, created_at, plan_file)
    values ('film', 'es', 'Spanish', '${DIGEST}', 1, 'concise', '{}', '[]', ${NOW}, '${DIGEST}');
  insert into dub_batch (id, filename, source_digest, langs, preserve_bg, created_at, outputs)
    values ('b1', 'x', '${DIGEST}', '["es"]', 0, ${NOW}, '{"es": "${DIGEST}"}');
  insert into export_history (seq, id, filename, destination_path, mode, created_at) values (1, 'e1', 'a/b', '/srv/Movies/../a.mp4', 'file', 1795000000);
  insert into studio_projects (id, name, video_path, audio_path, duration, created_at, updated_at, state_json)
    values ('p1', 'x', '/srv/film.mp4', null, 1, 1795000000, 1795000000, '{}');
`

const empty = new Map<number, Buffer>()
function bytesOf(version: number): Buffer {
  const known = empty.get(version)
  if (known) return known
  const db = emptyDatabase(version)
  const bytes = db.serialize()
  db.close()
  empty.set(version, bytes)
  return bytes
}

function backupWith(t: TestContext, change: (db: Database) => void, version = newestVersion()): { backup: string; path: string } {
  const folder = temporaryFolder(t)
  const backup = join(folder, 'backup.db')
  writeFileSync(backup, bytesOf(version))
  const db = new Sqlite(backup)
  db.unsafeMode()
  change(db)
  db.close()
  return { backup, path: join(folder, 'studio.db') }
}
async function refusal(t: TestContext, change: (db: Database) => void): Promise<string> {
  const { backup, path } = backupWith(t, change)
  const before = readFileSync(backup)
  const { message } = await restoreBackup(backup, path).then(
    () => assert.fail('it was restored'),
    (error: Error & { code: string }) => {
      assert.equal(error.code, 'BAD_REQUEST')
      return error
    },
  )
  assert.ok(!existsSync(path), 'nothing is in place')
  assert.deepEqual(readdirSync(join(path, '..')), ['backup.db'], 'nothing is left')
  assert.deepEqual(readFileSync(backup), before, 'the backup is only read')
  return message
}
const withRows = (change: string) => (db: Database) => void db.exec(`${ROWS}; pragma foreign_keys = off; ${change}`)

test('rows as the studio writes them are restored, titles and places of clients included', async (t) => {
  const { backup, path } = backupWith(t, withRows(''))
  assert.equal(await restoreBackup(backup, path), null)
  const db = openDatabase(path)
  assert.equal(db.prepare('select filename from dub').pluck().get(), '../a film/..')
  db.close()
  assert.deepEqual(readdirSync(join(path, '..')).sort(), ['backup.db', 'studio.db'])
})

test('a row that names a file elsewhere is refused, in each table', async (t) => {
  const up = `../${'/'.repeat(61)}`
  for (const [column, change] of [
    ['generation_history.audio_path', "update generation_history set audio_path = '../../victim.txt'"],
    ['generation_history.audio_path', "update generation_history set audio_path = '/etc/passwd'"],
    ['generation_history.audio_path', "update generation_history set audio_path = '..'"],
    ['generation_history.audio_path', String.raw`update generation_history set audio_path = '..\..\victim.txt'`],
    ['generation_history.id', "update generation_history set id = '../x'"],
    ['job.id', "update job set id = '../../x'"],
    ['longform_book.output', "update longform_book set output = 'a/../../x.m4b'"],
    ['longform_book.manifest', "update longform_book set manifest = '../studio.db'"],
    ['longform_book.job_id', "update longform_book set job_id = '../x'"],
    ['longform_segment.key', "update longform_segment set key = '../../x'"],
    ['step_result.digest', "update step_result set digest = '../studio.db'"],
    ['dub.id', "update dub set id = '../../work'; delete from dub_use; delete from dub_take; delete from dub_track"],
    ['dub.source_digest', `update dub set source_digest = '${up}'`],
    ['dub_file.digest', `update dub_file set digest = '${up}'; delete from dub_use`],
    ['dub_take.digest', `update dub_take set digest = '${up}'`],
    ['dub_track.digest', `update dub_track set digest = '${up}'`],
    ['dub_track.plan_file', `update dub_track set plan_file = '${up}'`],
    ['dub_track.plan_file', `update dub_track set plan_file = '${DIGEST.toUpperCase()}'`],
    ['dub_batch.outputs', `update dub_batch set outputs = '{"es": "../x"}'`],
    ['dub_batch.outputs', `update dub_batch set outputs = '{"es": 7}'`],
  ] as const) {
    assert.ok(Object.hasOwn(FILE_COLUMNS, column), column)
    const message = await refusal(t, withRows(change))
    assert.match(message, new RegExp(`a value of ${column.replace('.', '\\.')} is not one that a studio writes\\.$`), change)
  }
})

test('times without a date and numbers beyond those of the programs are refused', async (t) => {
  for (const [column, change] of [
    ['job.created_at', `update job set created_at = ${Number.MAX_SAFE_INTEGER}`],
    ['job.updated_at', 'update job set updated_at = -1'],
    ['generation_history.created_at', 'update generation_history set created_at = 1e300'],
    ['generation_history.seed', 'update generation_history set seed = 9007199254740993'],
    ['generation_history.duration_seconds', 'update generation_history set duration_seconds = 9e999'],
    ['generation_history.text', 'update generation_history set text = cast(zeroblob(17000000) as text)'],
  ] as const)
    assert.match(await refusal(t, withRows(change)), new RegExp(column.replace('.', '\\.')), change)
})

test('programs in the file, other tables and rows against their constraints are refused', async (t) => {
  for (const change of [
    'create trigger evil after insert on setting begin delete from consent; end',
    'create view setting_view as select * from setting',
    'create table other (x)',
    'drop index job_live',
    'drop trigger audit_is_final',
    'alter table setting add column x text',
    "update sqlite_schema set sql = replace(sql, 'check (length(digest) = 64)', '') where name = 'dub_file'",
  ]) {
    const altered = (db: Database) => {
      db.pragma('writable_schema = on')
      db.exec(change)
    }
    assert.match(await refusal(t, altered), /its tables are not those of a studio of version \d+\.$/, change)
  }
  const unchecked = (change: string) => (db: Database) => {
    db.exec(ROWS)
    db.pragma('ignore_check_constraints = on')
    db.pragma('foreign_keys = off')
    db.exec(change)
  }
  assert.match(await refusal(t, unchecked("update dub set input_type = 'hologram'")), /its pages are damaged/)
  assert.match(await refusal(t, unchecked("insert into dub_use values ('none', 'none')")), /its rows contradict each other/)
})

test('a backup of every earlier version is restored', async (t) => {
  for (let version = oldestVersion(); version <= newestVersion(); version++) {
    const { backup, path } = backupWith(t, () => {}, version)
    await restoreBackup(backup, path)
    openDatabase(path).close() // migrates it
  }
})

/** Columns whose names sound like a file, and are none. */
const NO_FILES: Readonly<Record<string, string>> = {
  'audit.digest': 'of the entry',
  'dub.filename': 'title',
  'dub_batch.filename': 'title',
  'export_history.destination_path': 'shown only; the file is the owner’s',
  'export_history.filename': 'shown only',
  'join_token.secret_digest': 'of the secret',
  'person_key.digest': 'of the key',
  'studio_projects.audio_path': 'of the client; never opened',
  'studio_projects.video_path': 'of the client; never opened',
  'task.body_digest': 'of the request',
  'task.model_digest': 'compared only',
  'voice_statement.ref_digest': 'compared only',
}

test('every column that may name a file is declared, and no other', () => {
  const db = emptyDatabase(newestVersion())
  const tables = db.prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").pluck().all()
  const all = tables.flatMap((table) => (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => `${table}.${name}`))
  db.close()
  const looksLikeFile = /(?:path|file|filename|digest|output|outputs|manifest)$/
  for (const column of all)
    if (looksLikeFile.test(column)) assert.ok(Object.hasOwn(FILE_COLUMNS, column) || Object.hasOwn(NO_FILES, column), column)
  for (const column of [...Object.keys(FILE_COLUMNS), ...Object.keys(NO_FILES)]) assert.ok(all.includes(column), `${column} exists`)
})
