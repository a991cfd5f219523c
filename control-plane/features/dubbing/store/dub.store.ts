// The rows of dubs.

import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { type Dub, type DubChange, DubOptions, type DubSummary, type InputType, type NewDub, StoredProbe } from './dub.ts'

type Row = {
  readonly id: string
  readonly filename: string
  readonly input_type: InputType
  readonly source_digest: string
  readonly probe: string | null
  readonly duration_us: number | null
  readonly sound_digest: string | null
  readonly speech_digest: string | null
  readonly vocals_digest: string | null
  readonly thumb_digest: string | null
  readonly source_lang: string
  readonly full_transcript: string
  readonly language: string
  readonly language_code: string
  readonly options: string
  readonly aborted: 0 | 1
  readonly created_at: number
}
/** Shorter options are parsed each time. */
const LARGE_CHARS = 16_384
const MAX_KEPT = 4
export type DubRows = ReturnType<typeof createDubRows>

/** Throws STORAGE_FULL from the functions that write. */
export function createDubRows({ db }: { readonly db: Database }) {
  const byId = db.prepare<[string], Row>('select * from dub where id = ?')
  type Viewed = { readonly viewer: ClientId | null; readonly limit: number }
  const LISTED = `duration_us is not null and ${seenBy('dub')} order by created_at desc, seq desc limit @limit`
  const newest = db.prepare<Viewed, Row>(`select * from dub where ${LISTED}`)
  // Without `options` and `probe`, which may be large.
  const summaries = db.prepare<Viewed, DubSummary>(`select id, filename, source_digest as sourceDigest, duration_us as durationUs, language,
    language_code as languageCode, created_at as createdAt from dub where ${LISTED}`)
  const listed = db.prepare<[], number>('select count(*) from dub where duration_us is not null').pluck()
  const ids = db.prepare<[], string>('select id from dub').pluck()
  const unread = db.prepare<[number], string>('select id from dub where duration_us is null and created_at < ?').pluck()
  const bySource = db.prepare<[string], string>('select id from dub where source_digest = ?').pluck()
  const remove = db.prepare<[string]>('delete from dub where id = ?')
  const insert = db.prepare(`insert into dub (id, filename, input_type, source_digest, created_at)
    values (@id, @filename, @inputType, @sourceDigest, @createdAt)`)
  const setOptions = db.prepare<[string, string]>('update dub set options = ? where id = ?')
  const noteExport = db.prepare<{ id: string; warning: string | null }>(`update dub
    set options = json_set(options, '$.last_export_warning', @warning)
    where id = @id and json_extract(options, '$.last_export_warning') is not @warning`)
  const write = <T>(run: () => T): T => storageChecked('The dub could not be stored', run)
  const replace = db.transaction((dub: NewDub) => {
    remove.run(dub.id)
    insert.run(dub)
  })
  const patch = db.transaction((id: string, change: Partial<DubOptions>) => {
    const row = byId.get(id)
    if (!row) return
    const options: DubOptions = { ...optionsOf(row.options), ...change }
    const text = JSON.stringify(options)
    setOptions.run(text, id)
    keep(text, options)
  })

  /** The options that were read last, by their JSON: those of a film with thousands of lines take a whole turn of the event loop. */
  const kept = new Map<string, DubOptions>()
  function keep(text: string, options: DubOptions): void {
    if (text.length < LARGE_CHARS) return
    kept.delete(text)
    kept.set(text, options)
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
  }
  function optionsOf(text: string): DubOptions {
    const options = kept.get(text) ?? DubOptions.parse(JSON.parse(text))
    keep(text, options)
    return options
  }
  const dubOf = (row: Row): Dub => ({ ...columnsAsDub(row), options: optionsOf(row.options) })

  return {
    /** Replaces a dub of the same id with its lines, texts, takes and tracks. Its files stay until the sweep. */
    create: (dub: NewDub): void => write(() => replace.immediate(dub)),
    find(id: string): Dub | null {
      const row = byId.get(id)
      return row ? dubOf(row) : null
    },
    /** Changes a dub. Does nothing for an unknown id: the dub was deleted meanwhile. */
    change(id: string, change: DubChange): void {
      const columns = Object.entries(columnsOf(change))
      if (columns.length === 0) return
      const list = columns.map(([name]) => `${name} = ?`).join(', ')
      write(() => db.prepare(`update dub set ${list} where id = ?`).run(...columns.map(([, value]) => value), id))
    },
    /** Merges into the options. */
    changeOptions: (id: string, change: Partial<DubOptions>): void => write(() => patch.immediate(id, change)),
    /** Sets the option `last_export_warning`. Each part of a file that is asked for does so: nothing is written where it stays. */
    noteExport: (id: string, warning: string | null): void => void write(() => noteExport.run({ id, warning })),
    /** Dubs whose sound is extracted, newest first. `viewer`: only dubs of this client; null for all. */
    newest: (limit: number, viewer: ClientId | null): Dub[] => newest.all({ viewer, limit }).map(dubOf),
    /** The same dubs, and only what lists show. */
    summaries: (limit: number, viewer: ClientId | null): DubSummary[] => summaries.all({ viewer, limit }),
    /** The number of dubs that the history may list. */
    count: (): number => listed.get()!,
    ids: (): string[] => ids.all(),
    /** Dubs from before this moment (epoch ms) whose sound is not extracted. */
    unreadBefore: (moment: number): string[] => unread.all(moment),
    bySource: (digest: string): string[] => bySource.all(digest),
    /** False for an unknown id. */
    remove: (id: string): boolean => write(() => remove.run(id).changes > 0),
  }
}

function columnsAsDub(row: Row): Omit<Dub, 'options'> {
  const { duration_us: durationUs, sound_digest: sound, speech_digest: speech } = row
  return {
    id: row.id,
    filename: row.filename,
    inputType: row.input_type,
    sourceDigest: row.source_digest,
    probe: row.probe === null ? null : StoredProbe.parse(JSON.parse(row.probe)),
    sound: durationUs === null ? null : { durationUs, sound: sound!, speech: speech! },
    vocals: row.vocals_digest,
    thumb: row.thumb_digest,
    sourceLang: row.source_lang,
    fullTranscript: row.full_transcript,
    language: row.language,
    languageCode: row.language_code,
    isAborted: row.aborted === 1,
    createdAt: row.created_at,
  }
}

const PLAIN = {
  filename: 'filename',
  vocals: 'vocals_digest',
  thumb: 'thumb_digest',
  sourceLang: 'source_lang',
  fullTranscript: 'full_transcript',
  language: 'language',
  languageCode: 'language_code',
} as const satisfies Partial<Record<keyof DubChange, keyof Row>>

function columnsOf({ probe, sound, isAborted, ...plain }: DubChange): Readonly<Record<string, string | number | null>> {
  const names = Object.keys(plain) as (keyof typeof PLAIN)[]
  return {
    ...Object.fromEntries(names.flatMap((name) => (plain[name] === undefined ? [] : [[PLAIN[name], plain[name]]]))),
    ...(probe !== undefined && { probe: probe && JSON.stringify(probe) }),
    ...(sound !== undefined && {
      duration_us: sound?.durationUs ?? null,
      sound_digest: sound?.sound ?? null,
      speech_digest: sound?.speech ?? null,
    }),
    ...(isAborted !== undefined && { aborted: isAborted ? 1 : 0 }),
  }
}
