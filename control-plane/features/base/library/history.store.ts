// The takes: generated audio, kept as a row and a file. Rows without files are removed here unless many are missing, and files are removed before their rows. A studio
// that is killed between the file and the row of a new take leaves the file.
import { statSync } from 'node:fs'
import type { Routing } from '#control-plane/inference/notice.ts'
import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { type Makers, seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, isFileName, removeFileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import { newId } from './new-id.ts'
import { createScriptStore, type NewScript } from './scripts.store.ts'
import { createBinnedTakes } from './takes/binned-takes.store.ts'
import { type MissingTakes, presentTakes } from './takes/missing.store.ts'
import { createTakeSearch, type TakeCounts, type TakeQuery } from './takes/search.store.ts'
import { createTakeBin } from './takes/take-bin.ts'

export type TakeRow = {
  id: string
  text: string
  mode: string
  language: string
  instruct: string
  profile_id: string
  audio_path: string
  duration_seconds: number
  generation_time: number
  seed: number
  /** The engine; empty for takes of versions that did not record it. */
  engine: string
  /** The name of the profile, or the voice of the engine, that spoke; empty if the engine does not say, and for an uploaded recording. */
  voice: string
  /** The notice about a substitute; empty without one. */
  notice: string
  /** The kind of the notice; empty without one. */
  routing: Routing | ''
  starred: 0 | 1
  created_at: number
}
/** The part of a take beside its row that a lock needs. */
export type TakeSound = {
  readonly text: string
  readonly audio_path: string
  readonly duration_seconds: number
  /** JSON of TakeChunks; '' if they were not recorded. */
  readonly chunks: string
}
/** A take that has another sound from now on. */
export type Revision = Pick<TakeRow, 'audio_path' | 'duration_seconds'> & { readonly chunks: string; readonly script: NewScript }
export type ListedTake = TakeRow & { readonly size_bytes: number }
export type TakeOfVoice = Pick<TakeRow, 'id' | 'text' | 'audio_path' | 'created_at' | 'generation_time'>
type NewTake = Omit<TakeRow, 'starred' | 'created_at'> & { readonly chunks?: string; readonly script?: NewScript | null }
export type History = ReturnType<typeof createHistory>
const WINDOW = 50
/** Takes that are removed in one commit: a lower cap may remove thousands, and every commit waits for the disk. */
const PRUNED_AT_ONCE = 200
/** More than takes are in work at once. */
const PLANNED_KEPT = 10_000
const COLUMNS =
  'id, text, mode, language, instruct, profile_id, audio_path, duration_seconds, generation_time, seed, engine, voice, notice, routing, starred, created_at'

/** Clients expect at most two decimals; older rows have more. */
const ROW = COLUMNS.replace('generation_time', 'round(generation_time, 2) as generation_time')

type Deps = {
  readonly db: Database
  readonly makers: Pick<Makers, 'record'>
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
  readonly audioFolder: string
  /** Unstarred takes beyond this many are pruned, except the newest, which its client is about to fetch; 0: never. */
  readonly cap: () => number
  /** Folder of the files of deleted takes, which can come back for a minute. */
  readonly binFolder: string
  /** Absent: rows without files are always removed. */
  readonly missing?: Pick<MissingTakes, 'mayRemove'>
  /** Called with the number of takes that were pruned. */
  readonly pruned?: (count: number) => void
}

export function createHistory({ db, makers, clock, random, audioFolder, binFolder, cap, missing, pruned = () => {} }: Deps) {
  const binned = createBinnedTakes(db)
  const insert = db.prepare(`insert into generation_history (${COLUMNS}, chunks, seq)
    values (@id, @text, @mode, @language, @instruct, @profile_id, @audio_path, @duration_seconds, @generation_time, @seed, @engine, @voice, @notice, @routing, 0, @created_at, @chunks,
      (select coalesce(max(seq), 0) + 1 from (select max(seq) as seq from generation_history union all select max(seq) from temp.binned_take)))`)
  // A union, because `or` would read every take to find the starred ones.
  const window = db.prepare<{ viewer: ClientId | null; limit: number }, TakeRow>(`select ${ROW} from generation_history where seq in (
    select seq from generation_history where starred = 1 and ${seenBy('take')}
    union select seq from (select seq from generation_history where ${seenBy('take')} order by seq desc limit @limit)) order by seq desc`)
  const byId = db.prepare<[string], TakeRow>(`select ${COLUMNS} from generation_history where id = ?`)
  const listed = db.prepare<[string], TakeRow>(`select ${ROW} from generation_history where id = ?`)
  const named = db.prepare<[string], { n: number }>('select count(*) as n from generation_history where audio_path = ?')
  const remove = db.prepare('delete from generation_history where id = ?')
  const star = db.prepare('update generation_history set starred = ? where id = ?')
  const surplus = db.prepare<
    [number],
    TakeRow
  >(`select ${COLUMNS} from generation_history where starred = 0 and seq < (select max(seq) from generation_history) order by seq
    limit min(${PRUNED_AT_ONCE}, max(0, (select count(*) from generation_history) - ?))`)

  // The next take is the newest then, so every unstarred one of now may go.
  const surplusAfterNext = db
    .prepare<{ cap: number }, number>(`select case @cap when 0 then 0 else min((select count(*) from generation_history where starred = 0),
      max(0, (select count(*) from generation_history) + 1 - @cap)) end`)
    .pluck()
  const sound = db.prepare<[string], TakeSound>('select text, audio_path, duration_seconds, chunks from generation_history where id = ?')
  // These two name the condition of the index of profiles.
  type OfVoice = { profileId: string; viewer: ClientId | null; limit: number }
  const OF_VOICE = `profile_id = @profileId and profile_id <> '' and ${seenBy('take')}`
  const ofVoice = db.prepare<OfVoice, TakeOfVoice>(`select id, text, audio_path, created_at, round(generation_time, 2) as generation_time
    from generation_history where ${OF_VOICE} order by seq desc limit @limit`)
  const countOfVoice = db.prepare<Omit<OfVoice, 'limit'>, number>(`select count(*) from generation_history where ${OF_VOICE}`).pluck()
  const forgetVoice = db.prepare("update generation_history set profile_id = '' where profile_id = ? and profile_id <> ''")

  /** Undefined for a row that names no file of this folder, as one of a foreign database may. */
  const statOf = (name: string) => (isFileName(name) ? statSync(fileIn(audioFolder, name), { throwIfNoEntry: false }) : undefined)
  const scripts = createScriptStore({ db })
  const revise = db.prepare('update generation_history set audio_path = ?, duration_seconds = ?, chunks = ? where id = ?')
  const addWith = db.transaction((row: Omit<TakeRow, 'starred'> & { readonly chunks: string }, script: NewScript | null) => {
    insert.run(row)
    if (script) scripts.keep(row.id, script)
  })
  const reviseWith = db.transaction((id: string, { audio_path, duration_seconds, chunks, script }: Revision) => {
    revise.run(audio_path, duration_seconds, chunks, id)
    scripts.keep(id, script)
  })
  const deleteRows = db.transaction((rows: readonly TakeRow[]) => {
    for (const { id } of rows) remove.run(id)
  })
  /** The files first: rows without files are removed when they are read, and nothing finds files without rows. */
  function removeRows(rows: readonly TakeRow[]): void {
    const removed: Map<string, number> = new Map()
    for (const { audio_path: name } of rows) removed.set(name, (removed.get(name) ?? 0) + 1)
    for (const [name, count] of removed) if (named.get(name)!.n === count) removeFileIn(audioFolder, name)
    deleteRows(rows)
  }
  const surplusNow = (): TakeRow[] => {
    const limit = cap()
    return limit === 0 ? [] : surplus.all(limit)
  }
  function prune(): void {
    // The database is closed when the studio has stopped in between; the next take continues.
    if (!db.open) return
    const old = surplusNow()
    if (old.length === 0) return
    removeRows(old)
    pruned(old.length)
    if (old.length === PRUNED_AT_ONCE) setImmediate(prune)
  }
  /** Rows with the sizes of their files. Those without a file are removed, or have no bytes while a disk may be missing. */
  const withFiles = (rows: readonly TakeRow[]): ListedTake[] =>
    presentTakes(
      rows,
      (name) => statOf(name)?.size ?? null,
      missing?.mayRemove ?? (() => true),
      (id) => void remove.run(id),
    )

  const isStored = (id: string): boolean => byId.get(id) !== undefined
  const isNamed = (file: string) => named.get(file)!.n > 0
  const bin = createTakeBin({ binned, clock, random, folder: binFolder, audioFolder, isStored, isNamed })
  const search = createTakeSearch<TakeRow>({ db, columns: ROW })
  /** Ids of takes that may not be stored yet, oldest first. */
  const planned = new Set<string>()

  return {
    /** An id that no stored take has, and none of the takes that were planned last. The take with it will be this client's. */
    newId(madeBy: ClientId): string {
      const id = newId(random, (candidate) => planned.has(candidate) || isStored(candidate) || binned.find(candidate, null) !== null)
      planned.add(id)
      if (planned.size > PLANNED_KEPT) planned.delete(planned.values().next().value!)
      makers.record('take', id, madeBy)
      return id
    },
    /** `chunks`: JSON of TakeChunks; '' if they are unknown. */
    add({ chunks = '', script = null, ...row }: NewTake): void {
      storageChecked('The take could not be stored', () => addWith({ ...row, chunks, created_at: clock.now() / 1000 }, script))
      prune()
    },
    /** False when the take does not exist. The file that it had is removed. Throws STORAGE_FULL. */
    revise(id: string, revision: Revision): boolean {
      const row = byId.get(id)
      if (!row) return false
      storageChecked('The take could not be stored', () => reviseWith(id, revision))
      if (named.get(row.audio_path)!.n === 0) removeFileIn(audioFolder, row.audio_path)
      return true
    },
    scriptOf: scripts.scriptOf,
    scriptDigests: scripts.names,
    /**
     * The newest 50 and every starred take with the bytes of their files, newest first. Removes rows whose file no longer exists. `viewer`: only
     * takes that this client made; null for all.
     */
    list: (viewer: ClientId | null): ListedTake[] => withFiles(window.all({ viewer, limit: WINDOW })),
    /**
     * The newest takes of the query. Removes rows whose file no longer exists, so a page may have less than `limit` takes and not be the last.
     * Null for a page after a take that does not exist. Throws the reason of the signal.
     */
    async page(query: TakeQuery, viewer: ClientId | null, signal: AbortSignal): Promise<ListedTake[] | null> {
      const rows = await search.page(query, viewer, signal)
      return rows && withFiles(rows)
    },
    /** `surplus`: takes of all clients that the next one removes. */
    count: (viewer: ClientId | null): TakeCounts & { readonly cap: number; readonly surplus: number } => ({
      ...search.count(viewer),
      cap: cap(),
      surplus: surplusAfterNext.get({ cap: cap() })!,
    }),
    /** Null for an unknown take. Removes a row whose file no longer exists. */
    get: (id: string): ListedTake | null => withFiles(listed.all(id))[0] ?? null,
    /** Null for an unknown take. */
    soundOf: (id: string): TakeSound | null => sound.get(id) ?? null,
    /** The newest takes in this voice, and their number. */
    ofVoice: (profileId: string, viewer: ClientId | null, limit: number): { readonly takes: TakeOfVoice[]; readonly total: number } => ({
      takes: ofVoice.all({ profileId, viewer, limit }),
      total: countOfVoice.get({ profileId, viewer })!,
    }),
    /** The takes stay without the name of their voice. */
    forgetVoice(profileId: string): void {
      forgetVoice.run(profileId)
      binned.forgetVoice(profileId)
    },
    has: isStored,
    /** False when the take does not exist. */
    star: (id: string, starred: boolean): boolean => star.run(starred ? 1 : 0, id).changes === 1,
    ...bin,
  }
}
