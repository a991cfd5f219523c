// The rows of files of dubs, and which dubs need them.
import { type Database, storageChecked } from '#control-plane/store/database.ts'

/** Kinds whose results can be made again from the uploaded film: they go first when the disk space for dubs is used up. */
export const RECOMPUTABLE = ['sound', 'speech', 'scenes', 'onsets', 'peaks', 'levels', 'check', 'mix', 'preview', 'export'] as const
export type FileKind =
  | (typeof RECOMPUTABLE)[number]
  | 'source'
  | 'vocals'
  | 'vocals_part'
  | 'thumb'
  | 'clip'
  | 'take'
  | 'track'
  | 'plan'
  | 'request'
export type DubFile = {
  readonly digest: string
  readonly kind: FileKind
  /** 0 for a result without a file. */
  readonly bytes: number
  /** JSON: facts about the content. */
  readonly detail: string
  /** The run that made it. */
  readonly maker: string
  /** Epoch milliseconds. */
  readonly used_at: number
}
export type FileRows = ReturnType<typeof createFileRows>
/** Each transaction waits for the disk, and a generation marks thousands of lines. */
const MARKS_A_WRITE = 200

/** Throws STORAGE_FULL from the functions that write. */
export function createFileRows({ db }: { readonly db: Database }) {
  const insert = db.prepare(`insert into dub_file (digest, kind, bytes, detail, maker, used_at)
    values (@digest, @kind, @bytes, @detail, @maker, @used_at) on conflict (digest) do update set
    kind = excluded.kind, bytes = excluded.bytes, detail = excluded.detail, maker = excluded.maker, used_at = excluded.used_at`)
  const byDigest = db.prepare<[string], DubFile>('select * from dub_file where digest = ?')
  const touch = db.prepare<[number, string]>('update dub_file set used_at = ? where digest = ?')
  const use = db.prepare<[string, string]>('insert or ignore into dub_use (dub_id, digest) select id, ? from dub where id = ?')
  const unuse = db.prepare<[string, string]>('delete from dub_use where dub_id = ? and digest = ?')
  const withRecordings = db
    .prepare<[string], string>(`select digest from dub_file where kind in ('take', 'track') and exists (
      select 1 from json_each(detail, '$.recordings') where value in (select value from json_each(?)))`)
    .pluck()
  const usersOf = db
    .prepare<[string], string>('select distinct dub_id from dub_use where digest in (select value from json_each(?))')
    .pluck()
  const exportsOf = db
    .prepare<[string], string>(`select distinct digest from dub_use join dub_file using (digest)
    where kind in ('mix', 'preview', 'export') and dub_id in (select value from json_each(?))`)
    .pluck()
  const users = db
    .prepare<{ id: string }, string>(`select distinct other.dub_id from dub_use own join dub_use other using (digest)
    where own.dub_id = @id and other.dub_id <> @id order by other.dub_id`)
    .pluck()
  const used = db.prepare<[string], string>('select digest from dub_use where dub_id = ?').pluck()
  const ofKind = db
    .prepare<[FileKind, string], string>('select digest from dub_file where kind = ? and digest in (select value from json_each(?))')
    .pluck()
  const unused = db.prepare<[number], DubFile>(
    'select * from dub_file where used_at < ? and digest not in (select digest from dub_use) order by used_at',
  )
  const evictable = db.prepare<[string, number], DubFile>(`select * from dub_file
    where kind in (select value from json_each(?)) and bytes > 0 and used_at < ? order by used_at, digest`)
  const isUsed = db.prepare<[string], number>('select exists (select 1 from dub_use where digest = ?)').pluck()
  const bytes = db.prepare<[], number>('select coalesce(sum(bytes), 0) from dub_file').pluck()
  const bytesOf = db
    .prepare<[string], number>('select coalesce(sum(bytes), 0) from dub_use join dub_file using (digest) where dub_id = ?')
    .pluck()
  const remove = db.prepare<[string]>('delete from dub_file where digest = ?')
  const addAll = db.transaction((file: DubFile, dubId: string | null, also: () => void) => {
    insert.run(file)
    if (dubId !== null) use.run(file.digest, dubId)
    also()
  })
  const write = <T>(run: () => T): T => storageChecked('A file of a dub could not be stored', run)
  /** Times of use that are not stored yet. Those that a crash loses only make a file look older to the sweep. */
  const marks = new Map<string, number>()
  const storeAll = db.transaction(() => {
    for (const [digest, now] of marks) touch.run(now, digest)
  })
  function storeMarks(): void {
    if (marks.size === 0) return
    write(storeAll)
    marks.clear()
  }

  return {
    /** `dubId`: the dub that needs it; null for none. Both rows are stored together, with what `also` writes. */
    add(file: DubFile, dubId: string | null = null, also = () => {}): void {
      write(() => addAll(file, dubId, also))
      marks.delete(file.digest)
    },
    find(digest: string): DubFile | null {
      const file = byDigest.get(digest)
      return file ? { ...file, used_at: marks.get(digest) ?? file.used_at } : null
    },
    /** Stored together with others, at the latest before a list by time is read. */
    touch(digest: string, now: number): void {
      marks.set(digest, now)
      if (marks.size >= MARKS_A_WRITE) storeMarks()
    },
    /** Records that the dub needs the file. Does nothing for a dub that was deleted. */
    use: (dubId: string, digest: string): void => void write(() => use.run(digest, dubId)),
    /** The dub no longer needs the file. */
    unuse: (dubId: string, digest: string): void => void write(() => unuse.run(dubId, digest)),
    /** Spoken lines and tracks with the voices of these recordings (SHA-256). */
    withRecordings: (recordings: readonly string[]): string[] => withRecordings.all(JSON.stringify(recordings)),
    /** Dubs that need one of the files. */
    usersOf: (digests: readonly string[]): string[] => usersOf.all(JSON.stringify(digests)),
    /** Mixes and exports of these dubs. */
    exportsOf: (dubIds: readonly string[]): string[] => exportsOf.all(JSON.stringify(dubIds)),
    usedBy: (dubId: string): string[] => used.all(dubId),
    /** Returns those of the files that are of this kind. */
    ofKind: (digests: readonly string[], kind: FileKind): string[] => ofKind.all(kind, JSON.stringify(digests)),
    /** Other dubs that need a file of this one. */
    sharersOf: (dubId: string): string[] => users.all({ id: dubId }),
    isUsed: (digest: string): boolean => isUsed.get(digest) === 1,
    /** Files from before this moment that no dub needs. */
    unusedBefore(moment: number): DubFile[] {
      storeMarks()
      return unused.all(moment)
    },
    /** Files that can be made again, least recently used first. */
    evictable(before: number): DubFile[] {
      storeMarks()
      return evictable.all(JSON.stringify(RECOMPUTABLE), before)
    },
    bytes: (): number => bytes.get()!,
    /** Bytes of all files that the dub needs. */
    bytesOf: (dubId: string): number => bytesOf.get(dubId)!,
    remove: (digest: string): void => void write(() => remove.run(digest)),
  }
}
