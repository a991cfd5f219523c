// The items of the batch, from when they were added until they are deleted.
import { z } from 'zod'
import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'

const Names = z.array(z.string())
const Outputs = z.record(z.string(), z.string())
const MAX_WARNINGS = 50

type Row = {
  readonly id: string
  readonly filename: string
  readonly source_digest: string
  readonly langs: string
  readonly voice_id: string | null
  readonly preserve_bg: 0 | 1
  readonly held: 0 | 1
  readonly created_at: number
  readonly started_at: number | null
  readonly status: BatchEnd | null
  readonly finished_at: number | null
  readonly error: string | null
  readonly outputs: string
  readonly warnings: string
}
export type BatchEnd = 'done' | 'failed' | 'cancelled'
export type NewBatchItem = {
  readonly id: string
  readonly filename: string
  /** SHA-256. */
  readonly sourceDigest: string
  readonly langs: readonly string[]
  /** Null: the voices of the speakers. */
  readonly voiceId: string | null
  readonly preserveBg: boolean
  /** It waits for a person to start it. */
  readonly held?: boolean
  /** Epoch milliseconds, like the other moments. */
  readonly createdAt: number
}
export type BatchChoices = Pick<NewBatchItem, 'langs' | 'voiceId' | 'preserveBg'>
export type BatchItem = NewBatchItem & {
  readonly held: boolean
  readonly startedAt: number | null
  /** Null before the job has ended. */
  readonly end: { readonly status: BatchEnd; readonly finishedAt: number; readonly error: string | null } | null
  /** Names of files of the store by language. */
  readonly outputs: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}
export type BatchRows = ReturnType<typeof createBatchRows>

/** Throws STORAGE_FULL from the functions that write. An unknown id changes nothing: the item was deleted meanwhile. */
export function createBatchRows({ db }: { readonly db: Database }) {
  const insert = db.prepare(`insert into dub_batch (id, filename, source_digest, langs, voice_id, preserve_bg, held, created_at)
    values (@id, @filename, @sourceDigest, @langs, @voiceId, @preserveBg, @held, @createdAt)`)
  const choose = db.prepare(
    `update dub_batch set langs = @langs, voice_id = @voiceId, preserve_bg = @preserveBg where id = @id and held = 1`,
  )
  const release = db.prepare<[string]>('update dub_batch set held = 0 where id = ?')
  const held = db.prepare<[string], number>('select 1 from dub_batch where id = ? and held = 1').pluck()
  const byId = db.prepare<[string], Row>('select * from dub_batch where id = ?')
  const newest = db.prepare<{ viewer: ClientId | null }, Row>(`select * from dub_batch where ${seenBy('dub')} order by seq desc`)
  const count = db.prepare<[], number>('select count(*) from dub_batch').pluck()
  const open = db.prepare<[], string>('select id from dub_batch where status is null order by seq').pluck()
  const start = db.prepare<[number, string]>('update dub_batch set started_at = coalesce(started_at, ?) where id = ?')
  const end = db.prepare<[string, number, string | null, string]>(
    'update dub_batch set status = ?, finished_at = ?, error = ? where id = ? and status is null',
  )
  const addOutput = db.prepare<[string, string, string]>(
    'update dub_batch set outputs = json_patch(outputs, json_object(?, ?)) where id = ?',
  )
  const warn = db.prepare<{ id: string; text: string; most: number }>(`update dub_batch set warnings = json_insert(warnings, '$[#]', @text)
    where id = @id and json_array_length(warnings) < @most
    and not exists (select 1 from json_each(warnings) where value = @text)`)
  const remove = db.prepare<[string]>('delete from dub_batch where id = ?')
  const write = <T>(run: () => T): T => storageChecked('The batch could not be stored', run)

  return {
    add: (item: NewBatchItem): void =>
      void write(() =>
        insert.run({ ...item, langs: JSON.stringify(item.langs), preserveBg: item.preserveBg ? 1 : 0, held: item.held ? 1 : 0 }),
      ),
    /** Other choices for a film that is not started. */
    choose: (id: string, { langs, voiceId, preserveBg }: BatchChoices): void =>
      void write(() => choose.run({ id, langs: JSON.stringify(langs), voiceId, preserveBg: preserveBg ? 1 : 0 })),
    /** It is started. */
    released: (id: string): void => void write(() => release.run(id)),
    isHeld: (id: string): boolean => held.get(id) !== undefined,
    find: (id: string): BatchItem | null => itemOf(byId.get(id)),
    /** Newest first. `viewer`: only films of this client; null for all. */
    list: (viewer: ClientId | null): BatchItem[] => newest.all({ viewer }).map((row) => itemOf(row)!),
    count: (): number => count.get()!,
    /** Items whose end is not stored, oldest first. */
    open: (): string[] => open.all(),
    started: (id: string, now: number): void => void write(() => start.run(now, id)),
    /** The first end stays. */
    ended: (id: string, status: BatchEnd, finishedAt: number, error: string | null): void =>
      void write(() => end.run(status, finishedAt, error, id)),
    addOutput: (id: string, language: string, file: string): void => void write(() => addOutput.run(language, file, id)),
    /** Each sentence once, and 50 at most. */
    warn: (id: string, text: string): void => void write(() => warn.run({ id, text, most: MAX_WARNINGS })),
    remove: (id: string): boolean => write(() => remove.run(id).changes > 0),
  }
}

function itemOf(row: Row | undefined): BatchItem | null {
  if (!row) return null
  const { status, finished_at: finishedAt, error } = row
  return {
    id: row.id,
    filename: row.filename,
    sourceDigest: row.source_digest,
    langs: Names.parse(JSON.parse(row.langs)),
    voiceId: row.voice_id,
    preserveBg: row.preserve_bg === 1,
    held: row.held === 1,
    createdAt: row.created_at,
    startedAt: row.started_at,
    end: status === null ? null : { status, finishedAt: finishedAt!, error },
    outputs: Outputs.parse(JSON.parse(row.outputs)),
    warnings: Names.parse(JSON.parse(row.warnings)),
  }
}
