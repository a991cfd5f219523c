// Checks a database that another studio may have written, or a program that is none. Its tables must be those that this program makes, and
// their values must be within the limits that the stores rely on: a row names files, and a time is shown as a date.
import type { Database } from 'better-sqlite3'
import { emptyDatabase } from '../database.ts'

/** Form of a text column. */
type Form = 'digest' | 'name' | 'digests' | 'inputs'
const MAX_TEXT_BYTES = 16 * 1024 * 1024
/** The end of the year 9999 in epoch milliseconds. */
const LAST_MOMENT = 253_402_300_799_999
const MOMENT = /^(?:at|.*_at)$/

/**
 * Every column whose text becomes the name of a file. `digest`: 64 hex digits. `name`: a file in a folder. `digests`: a JSON object with digests
 * as values. `inputs`: the JSON list of the inputs of a task. An empty text and null are no name.
 */
export const FILE_COLUMNS: Readonly<Record<string, Form>> = {
  'community_pin.digest': 'digest',
  'dub.id': 'name',
  'dub.source_digest': 'digest',
  'dub.sound_digest': 'digest',
  'dub.speech_digest': 'digest',
  'dub.thumb_digest': 'digest',
  'dub.vocals_digest': 'digest',
  'dub_batch.id': 'name',
  'dub_batch.outputs': 'digests',
  'dub_batch.source_digest': 'digest',
  'dub_file.digest': 'digest',
  'dub_take.digest': 'digest',
  'dub_track.digest': 'digest',
  'dub_track.plan_file': 'digest',
  'dub_use.digest': 'digest',
  'gallery_clip.audio_digest': 'digest',
  'gallery_clip.id': 'name',
  'gallery_clip.original_digest': 'digest',
  'generation_history.audio_path': 'name',
  'generation_history.id': 'name',
  'job.id': 'name',
  'longform_book.cover': 'name',
  'longform_book.job_id': 'name',
  'longform_book.manifest': 'digest',
  'longform_book.output': 'name',
  'longform_chapter.digest': 'digest',
  'longform_pin.key': 'digest',
  'longform_segment.key': 'digest',
  'preview.digest': 'digest',
  'preview_download.digest': 'digest',
  'step_result.digest': 'digest',
  'take_sound.digest': 'digest',
  'task.id': 'name',
  'task.inputs': 'inputs',
  'task.result_digest': 'digest',
  'voice_profile.id': 'name',
  'voice_profile.image_digest': 'digest',
  'voice_profile.locked_digest': 'digest',
  'voice_profile.original_digest': 'digest',
  'voice_profile.ref_digest': 'digest',
  'voice_statement.audio_digest': 'digest',
  'voice_withdrawal.recording': 'digest',
}

/** Conditions in SQL for a value that is not of the form. */
const notDigest = (value: string) => `length(${value}) <> 64 or ${value} glob '*[^0-9a-f]*'`
const UNFIT: Readonly<Record<Form, (column: string) => string>> = {
  digest: notDigest,
  name: (column) =>
    `${column} in ('.', '..') or length(${column}) > 255 or instr(${column}, '/') or instr(${column}, char(92)) or instr(${column}, char(0))`,
  digests: (column) =>
    `not json_valid(${column}) or json_type(${column}) <> 'object' or exists (select 1 from json_each(${column}) where type <> 'text' or ${notDigest('value')})`,
  inputs: (column) =>
    `not json_valid(${column}) or json_type(${column}) <> 'array' or exists (select 1 from json_each(${column}) where type <> 'object' or ${notDigest("coalesce(value ->> '$.sha256', '')")})`,
}

/** Throws an Error that completes the sentence "The file cannot be restored:". `version`: of the database, at most the newest. */
export function checkForeign(db: Database, version: number): void {
  // Functions in the schema of the file must not run while it is read.
  db.pragma('trusted_schema = off')
  db.pragma('cell_size_check = on')
  // Before any table is read: a view or a trigger is a program.
  if (schemaIn(db) !== schemaOf(version)) throw new Error(`its tables are not those of a studio of version ${version}`)
  // Also compares every row with the constraints of its table.
  if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new Error('its pages are damaged')
  if ((db.pragma('foreign_key_check') as unknown[]).length > 0) throw new Error('its rows contradict each other')
  const tables = db.prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").pluck().all()
  for (const table of tables)
    for (const { name, type } of db.pragma(`table_info(${table})`) as { name: string; type: string }[]) {
      const unfit = unfitValues(`${table}.${name}`, name, type)
      if (unfit === null) continue
      const found = db.prepare(`select 1 from ${table} where ${name} is not null and (${unfit}) limit 1`).get()
      if (found !== undefined) throw new Error(`a value of ${table}.${name} is not one that a studio writes`)
    }
}

function unfitValues(path: string, column: string, type: string): string | null {
  const form = FILE_COLUMNS[path]
  if (form !== undefined) return `${column} <> '' and (${UNFIT[form](column)})`
  if (MOMENT.test(column)) return `not (${column} between 0 and ${LAST_MOMENT})`
  if (type === 'INTEGER') return `not (${column} between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER})`
  if (type === 'REAL') return `not (${column} between -1e15 and 1e15)`
  return `length(cast(${column} as blob)) > ${MAX_TEXT_BYTES}`
}

function schemaOf(version: number): string {
  const db = emptyDatabase(version)
  try {
    return schemaIn(db)
  } finally {
    db.close()
  }
}

/** Everything that the file declares, in one text. */
function schemaIn(db: Database): string {
  const rows = db
    .prepare<[], { name: string; sql: string | null }>(
      "select name, sql from sqlite_schema where name not like 'sqlite_%' order by type, name",
    )
    .all()
  return rows.map(({ name, sql }) => `${name}: ${(sql ?? '').replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1')}`).join('\n')
}
