// The tables of profiles and statements. A statement that is live belongs to the recording that its profile has now: every change of the
// recording ends both the statement and the lock in the same transaction.
import { type Database, storageChecked } from '#control-plane/store/database.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { Quality } from '../files/quality.ts'
import { insertSql, type ProfileColumns, profileOf, toColumns } from './profile.row.ts'
import type { Details, LockedSource, NewReference, NewRow, StoredProfile, StoredStatement, VoiceBlob } from './profile.ts'

export type ProfileStore = ReturnType<typeof createProfileStore>

const DIGEST_COLUMNS = ['ref_digest', 'original_digest', 'locked_digest', 'image_digest']
const NOT_STORED = 'The voice could not be stored'
const BYTES = `select coalesce((select sum(ref_bytes + original_bytes + coalesce(locked_bytes, 0)) from voice_profile), 0)
  + coalesce((select sum(audio_bytes) from voice_statement where revoked_at is null), 0)`
const DETAIL_COLUMNS = {
  name: 'name',
  refText: 'ref_text',
  instruct: 'instruct',
  language: 'language',
  personality: 'personality',
  description: 'description',
  attributes: 'vd_states',
  staysHere: 'stays_here',
} as const

// Long factory: every change goes through one `write`, so that no change is hidden from the watchers.
/** Moments are epoch milliseconds. The functions that write throw STORAGE_FULL; those that return a boolean return false for an unknown id. */
export function createProfileStore({ db }: { readonly db: Database }) {
  const byId = db.prepare<[string], ProfileColumns>('select * from voice_profile where id = ?')
  const byOrigin = db.prepare<[string], ProfileColumns>('select * from voice_profile where origin = ? order by seq limit 1')
  const all = db.prepare<[], ProfileColumns>('select * from voice_profile order by seq desc')
  const after = db.prepare<[number, number], Sequenced>('select * from voice_profile where seq > ? order by seq limit ?')
  const before = db.prepare<[number, number], Sequenced>('select * from voice_profile where seq < ? order by seq desc limit ?')
  const untranscribed = db.prepare<[], ProfileColumns>(
    `select * from voice_profile where ref_text = '' and json_extract(quality, '$.transcript') = 'pending' order by seq`,
  )
  const count = db.prepare<[], number>('select count(*) from voice_profile').pluck()
  const bytes = db.prepare<[], number>(BYTES).pluck()
  const insert = db.prepare(insertSql)
  const remove = db.prepare('delete from voice_profile where id = ?')
  const setReference = db.prepare(`update voice_profile set ref_digest = @ref, ref_bytes = @bytes, original_digest = @original,
    original_bytes = @originalBytes, ref_name = @name, ref_text = @text, quality = @quality, made_with = @madeWith,
    hosted_voice_id = '', updated_at = @at where id = @id`)
  const dropSample = db.prepare(`update voice_profile set ref_digest = null, ref_bytes = 0, original_digest = null, original_bytes = 0,
    ref_name = '', quality = '{}', made_with = null where id = ?`)
  const setLock = db.prepare(`update voice_profile set locked_digest = @digest, locked_bytes = @bytes, locked_text = @text,
    locked_source = @source, seed = @seed, updated_at = @at where id = @id`)
  const clearLock = db.prepare(`update voice_profile set locked_digest = null, locked_bytes = null, locked_text = null,
    locked_source = null, seed = null, updated_at = ? where id = ?`)
  const setTranscript = db.prepare(
    "update voice_profile set ref_text = ?, updated_at = ? where id = ? and ref_text = '' and ref_digest = ?",
  )
  const setQuality = db.prepare('update voice_profile set quality = ? where id = ? and ref_digest = ?')
  const setImage = db.prepare('update voice_profile set image_digest = ?, updated_at = ? where id = ?')
  const setHosted = db.prepare('update voice_profile set hosted_voice_id = ?, updated_at = ? where id = ?')

  const statement = db.prepare<[string], StatementColumns>('select * from voice_statement where profile_id = ? and revoked_at is null')
  const revoke = db.prepare('update voice_statement set revoked_at = ? where profile_id = ? and revoked_at is null')
  const addStatement =
    db.prepare(`insert into voice_statement (profile_id, text, audio_digest, audio_bytes, audio_name, ref_digest, method, checks, recorded_at)
    values (@profileId, @text, @audioDigest, @audioBytes, @audioName, @refDigest, @method, @checks, @recordedAt)`)
  const setChecks = db.prepare('update voice_statement set checks = ? where profile_id = ? and audio_digest = ? and revoked_at is null')
  const forget = db.prepare('delete from voice_statement where profile_id = ?')
  const namedBy = (table: string, column: string, and = '') =>
    db
      .prepare<[string], string>(`select distinct ${column} from ${table} where ${column} in (select value from json_each(?)) ${and}`)
      .pluck()
  // What a speaker has revoked is not kept.
  const named = [
    ...DIGEST_COLUMNS.map((column) => namedBy('voice_profile', column)),
    namedBy('voice_statement', 'audio_digest', 'and revoked_at is null'),
  ]

  // In the transaction of the change, so that a killed studio finishes the withdrawal at its next start.
  const withdraw = db.prepare(`insert or ignore into voice_withdrawal (recording)
    select one.value from voice_profile, json_each(json_array(ref_digest, locked_digest)) as one
    where voice_profile.id = ? and one.value is not null`)
  const withdrawn = db.prepare<[], string>('select recording from voice_withdrawal').pluck()
  const endWithdrawal = db.prepare<[string]>('delete from voice_withdrawal where recording in (select value from json_each(?))')
  const keepHere = db.prepare('update voice_profile set stays_here = 1, updated_at = ? where id = ?')

  const watchers: Watcher[] = []
  /** Every change of a profile or its statement is made here. */
  function write<T>(id: string, change: () => T, isRemoved = false): T {
    const result = storageChecked(NOT_STORED, () => db.transaction(change).immediate())
    for (const watcher of watchers) watcher(id, isRemoved)
    return result
  }
  const insertStatement = (profileId: string, { checks, ...row }: StoredStatement) =>
    addStatement.run({ profileId, ...row, checks: JSON.stringify(checks) })

  return {
    /** Called after each change of a profile or its statement, before the function that made it returns. */
    watch: (watcher: Watcher): void => void watchers.push(watcher),
    /** At most `limit` profiles that follow `place` in this order. Places grow with time. */
    slice: (order: 'oldest first' | 'newest first', place: number, limit: number): PlacedProfile[] =>
      (order === 'oldest first' ? after : before).all(place, limit).map((row) => ({ place: row.seq, profile: profileOf(row) })),
    find: (id: string): StoredProfile | null => rowOrNull(byId.get(id)),
    /** The oldest one. */
    byOrigin: (origin: string): StoredProfile | null => rowOrNull(byOrigin.get(origin)),
    /** Newest first. */
    list: (): StoredProfile[] => all.all().map(profileOf),
    /** Recordings without a transcript, for which the recogniser has not tried yet. */
    untranscribed: (): StoredProfile[] => untranscribed.all().map(profileOf),
    count: (): number => count.get()!,
    /** Bytes of all recordings, without those that were revoked. Reads every row. */
    bytes: (): number => bytes.get()!,
    add: (row: NewRow, said: StoredStatement | null): void =>
      write(row.id, () => {
        insert.run(toColumns(row))
        if (said) insertStatement(row.id, said)
      }),
    remove: (id: string): boolean =>
      write(
        id,
        () => {
          withdraw.run(id)
          forget.run(id)
          return remove.run(id).changes === 1
        },
        true,
      ),
    /** `dropsSample`: the sample of a design no longer fits its description; its statement ends, too. */
    update: (id: string, details: Details, at: number, dropsSample = false): boolean =>
      write(id, () => {
        if (details.staysHere === true && byId.get(id)?.stays_here === 0) withdraw.run(id)
        const entries = Object.entries(details).filter(([, value]) => value !== undefined)
        const sets = entries.map(([key]) => `${DETAIL_COLUMNS[key as keyof Details]} = ?`)
        const values = entries.map(([key, value]) =>
          key === 'attributes' ? JSON.stringify(value) : key === 'staysHere' ? Number(value) : value,
        )
        const changed = db.prepare(`update voice_profile set ${[...sets, 'updated_at = ?'].join(', ')} where id = ?`).run(...values, at, id)
        if (dropsSample) {
          dropSample.run(id)
          revoke.run(at, id)
        }
        return changed.changes === 1
      }),
    /** A new recording of the voice: ends the lock and the statement. */
    replaceReference: (id: string, reference: NewReference, at: number): boolean =>
      write(id, () => {
        withdraw.run(id)
        if (setReference.run(referenceColumns(id, reference, at)).changes === 0) return false
        clearLock.run(at, id)
        revoke.run(at, id)
        return true
      }),
    /** The sample of a design, unless it has one or its description has changed since. The lock and the statement stay. */
    addSample: (id: string, instruct: string, reference: NewReference, at: number): boolean =>
      write(id, () => {
        const row = byId.get(id)
        if (!row || row.ref_digest !== null || row.instruct !== instruct) return false
        return setReference.run({ ...referenceColumns(id, reference, at), text: row.ref_text || reference.text }).changes === 1
      }),
    /** Only while there is no transcript and the recording is the same. */
    addTranscript: (id: string, refDigest: string, text: string, at: number): boolean =>
      write(id, () => setTranscript.run(text, at, id, refDigest).changes === 1),
    setQuality: (id: string, refDigest: string, quality: Quality): boolean =>
      write(id, () => setQuality.run(JSON.stringify(quality), id, refDigest).changes === 1),
    /** `text` null: the words of the take are unknown. */
    lock: (
      id: string,
      take: VoiceBlob & { readonly text: string | null; readonly seed: number | null; readonly source: LockedSource },
      at: number,
    ): boolean => write(id, () => setLock.run({ id, ...take, at }).changes === 1),
    unlock: (id: string, at: number): boolean => write(id, () => clearLock.run(at, id).changes === 1),
    setImage: (id: string, digest: string, at: number): boolean => write(id, () => setImage.run(digest, at, id).changes === 1),
    setHosted: (id: string, hostedVoiceId: string, at: number): boolean =>
      write(id, () => setHosted.run(hostedVoiceId, at, id).changes === 1),

    statementOf: (id: string): StoredStatement | null => {
      const row = statement.get(id)
      return row ? statementOf(row) : null
    },
    /** In place of an earlier one. False if the profile is unknown or `isSubject` denies that the statement belongs to its recording. */
    state: (id: string, said: StoredStatement, isSubject: (profile: StoredProfile) => boolean): boolean =>
      write(id, () => {
        const row = byId.get(id)
        if (!row || !isSubject(profileOf(row))) return false
        revoke.run(said.recordedAt, id)
        insertStatement(id, said)
        return true
      }),
    /** From now on the recording stays on this machine, until the owner decides otherwise. False if there was no statement. */
    revoke: (id: string, at: number): boolean =>
      write(id, () => {
        if (revoke.run(at, id).changes === 0) return false
        withdraw.run(id)
        keepHere.run(at, id)
        return true
      }),
    setChecks: (id: string, audioDigest: string, checks: StoredStatement['checks']): boolean =>
      write(id, () => setChecks.run(JSON.stringify(checks), id, audioDigest).changes === 1),

    /** Recordings of changes whose withdrawal has not ended. */
    withdrawn: (): string[] => withdrawn.all(),
    endWithdrawal: (recordings: readonly string[]): void => {
      if (db.open) storageChecked(NOT_STORED, () => endWithdrawal.run(JSON.stringify(recordings)))
    },

    /** Returns those of `digests` that a profile or a live statement needs. */
    async names(digests: readonly string[]): Promise<ReadonlySet<string>> {
      const asked = JSON.stringify(digests)
      return new Set(db.open ? named.flatMap((one) => one.all(asked)) : digests)
    },
  }
}

type Sequenced = ProfileColumns & { seq: number }
type Watcher = (id: string, isRemoved: boolean) => void
export type PlacedProfile = { readonly place: number; readonly profile: StoredProfile }
type StatementColumns = {
  profile_id: string
  text: string
  audio_digest: string
  audio_bytes: number
  audio_name: string
  ref_digest: string
  method: StoredStatement['method']
  checks: string
  recorded_at: number
}
const statementOf = (row: StatementColumns): StoredStatement => ({
  text: row.text,
  audioDigest: row.audio_digest,
  audioBytes: row.audio_bytes,
  audioName: row.audio_name,
  refDigest: row.ref_digest,
  method: row.method,
  checks: JSON.parse(row.checks),
  recordedAt: row.recorded_at,
})
const rowOrNull = (row: ProfileColumns | undefined): StoredProfile | null => (row ? profileOf(row) : null)
const referenceColumns = (id: string, { ref, original, name, text, quality, madeWith }: NewReference, at: number) => ({
  id,
  ref: ref.digest,
  bytes: ref.bytes,
  original: original?.digest ?? null,
  originalBytes: original?.bytes ?? 0,
  name,
  text,
  quality: JSON.stringify(quality),
  madeWith: madeWith && JSON.stringify(madeWith),
  at,
})

/**
 * The profiles as the client of a request may see them: without the voices that other people have made. The functions that change a profile are those
 * of the store: their routes are refused to all but its maker.
 */
export function visibleProfiles(store: ProfileStore, makers: Pick<Makers, 'isHidden'>): ProfileStore {
  const isShown = ({ id }: StoredProfile): boolean => !makers.isHidden('voice', id)
  const shown = (profile: StoredProfile | null): StoredProfile | null => (profile && isShown(profile) ? profile : null)
  return {
    ...store,
    find: (id) => shown(store.find(id)),
    byOrigin: (origin) => shown(store.byOrigin(origin)),
    list: () => store.list().filter(isShown),
  }
}
