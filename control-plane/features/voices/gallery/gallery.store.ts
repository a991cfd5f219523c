// The table of clips.

import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { notHiddenFrom } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { composed } from '#shared/text/unicode/compose.ts'

export type StoredClip = {
  readonly id: string
  readonly name: string
  readonly character: string
  readonly category: string
  readonly description: string
  readonly source_type: 'youtube' | 'upload'
  readonly source_url: string | null
  readonly audio_digest: string
  readonly audio_bytes: number
  readonly original_digest: string
  readonly original_bytes: number
  readonly original_name: string
  /** Null if the original is not played by browsers. */
  readonly original_type: string | null
  /** Seconds. */
  readonly duration: number
  readonly thumbnail: string | null
  /** JSON. */
  readonly tags: string
  readonly is_favorite: 0 | 1
  readonly stays_here: 0 | 1
  /** Epoch milliseconds. */
  readonly created_at: number
}
/** `viewer`: the client whose hidden clips are left out; null for none */
export type ClipQuery = {
  readonly category: string | null
  readonly search: string | null
  readonly limit: number
  readonly viewer: ClientId | null
}
export type GalleryStore = ReturnType<typeof createGalleryStore>

const COLUMNS = [
  'id',
  'name',
  'character',
  'category',
  'description',
  'source_type',
  'source_url',
  'audio_digest',
  'audio_bytes',
  'original_digest',
  'original_bytes',
  'original_name',
  'original_type',
  'duration',
  'thumbnail',
  'tags',
  'is_favorite',
  'stays_here',
  'created_at',
] as const satisfies readonly (keyof StoredClip)[]
const LIST = COLUMNS.join(', ')

/** Throws STORAGE_FULL from the functions that write. */
export function createGalleryStore({ db }: { readonly db: Database }) {
  const insert = db.prepare(`insert into gallery_clip (${LIST}, words) values (${COLUMNS.map((name) => `@${name}`).join(', ')}, @words)`)
  const byId = db.prepare<[string], StoredClip>(`select ${LIST} from gallery_clip where id = ?`)
  const update = db.prepare(`update gallery_clip set name = @name, tags = @tags, is_favorite = @is_favorite, description = @description,
    words = @words where id = @id`)
  const remove = db.prepare('delete from gallery_clip where id = ?')
  const count = db.prepare<[], number>('select count(*) from gallery_clip').pluck()
  const bytes = db.prepare<[], number>('select coalesce(sum(audio_bytes + original_bytes), 0) from gallery_clip').pluck()
  const named = db
    .prepare<[string], string>(
      `select value from json_each(?) as asked where exists (select 1 from gallery_clip where audio_digest = asked.value)
        or exists (select 1 from gallery_clip where original_digest = asked.value)`,
    )
    .pluck()
  const lists = new Map<string, (query: ClipQuery) => StoredClip[]>()
  for (const key of CLIP_LISTS) lists.set(key, db.transaction(listOf(key)))

  function listOf(key: string): (query: ClipQuery) => StoredClip[] {
    const list = db.prepare<[Record<string, unknown>], StoredClip>(listSql(key))
    return ({ category, search, limit, viewer }) => list.all({ category, pattern: patternOf(search ?? ''), limit, viewer })
  }
  const changes = (run: () => { changes: number }) => storageChecked('The clip could not be stored', run).changes
  const removeAll = db.transaction((ids: readonly string[]) => ids.reduce((sum, id) => sum + remove.run(id).changes, 0))

  return {
    /** Newest first. */
    list: (query: ClipQuery): StoredClip[] =>
      lists.get((['category', 'search', 'viewer'] as const).filter((filter) => query[filter] !== null).join(' '))!(query),
    find: (id: string): StoredClip | null => byId.get(id) ?? null,
    count: (): number => count.get()!,
    /** Bytes of all recordings. Reads every row. */
    bytes: (): number => bytes.get()!,
    add: (clip: StoredClip): void => void changes(() => insert.run({ ...clip, words: wordsOf(clip) })),
    /** False if the clip does not exist. */
    replace: (clip: StoredClip): boolean => changes(() => update.run({ ...clip, words: wordsOf(clip) })) === 1,
    /** Returns the number of removed clips. */
    remove: (ids: readonly string[]): number => storageChecked('The clips could not be deleted', () => removeAll(ids)),
    /** Returns those of the digests that clips name. */
    names: async (digests: readonly string[]): Promise<ReadonlySet<string>> => new Set(named.all(JSON.stringify(digests))),
  }
}

/** The filters that a list may have, in the order of their names. */
export const CLIP_LISTS: readonly string[] = ['', 'category', 'search', 'category search'].flatMap((key) => [key, `${key} viewer`.trim()])

/** The statement of a list. `key`: its filters, one of `CLIP_LISTS` */
export function listSql(key: string): string {
  // The limit is that of the clips which the client sees.
  const conditions = [
    ...(key.includes('category') ? ['category = @category'] : []),
    ...(key.includes('search') ? [`words like @pattern escape '\\'`] : []),
    ...(key.includes('viewer') ? [notHiddenFrom('clip', 'gallery_clip.id')] : []),
  ]
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  if (!key.includes('search')) return `select ${LIST} from gallery_clip ${where} order by seq desc limit @limit`
  // The inner query reads an index alone, unless clips are hidden; only those that match are read as a whole.
  return `select ${LIST} from gallery_clip where seq in (select seq from gallery_clip ${where} order by seq desc limit @limit)
    order by seq desc`
}

const wordsOf = ({ name, character, description }: Pick<StoredClip, 'name' | 'character' | 'description'>): string =>
  composed([name, character, description].join('\n')).toLowerCase()
/** Matches texts that contain `search`. */
const patternOf = (search: string): string =>
  `%${composed(search)
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
