// Spoken lines and voice tracks of dubs. Languages are codes.

import { z } from 'zod'
import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { DubTake, DubTrack, DubTrackHead, TimingStrategy } from './dub.ts'

type TakeColumns = {
  readonly segment_id: string
  readonly take_no: number
  readonly key: string
  readonly digest: string
  readonly natural_us: number
  readonly sample_rate: number
  readonly created_at: number
}
type TrackColumns = {
  readonly language_code: string
  readonly language: string
  readonly digest: string
  readonly duration_us: number
  readonly timing_strategy: TimingStrategy
  readonly plan_file: string | null
  readonly fit_fp: string | null
  readonly take_keys: string
  readonly created_at: number
}
/** A track without `planFile` has its plan in the row. */
type NewTrack = Omit<DubTrack, 'planFile'> & Partial<Pick<DubTrack, 'planFile'>>
type TrackFile = Pick<DubTrack, 'languageCode' | 'digest' | 'planFile'>
/** A line and how long it took to say, in microseconds. */
export type SpokenText = { readonly text: string; readonly lengthUs: number }
const TAKES_A_TURN = 500
export type TrackRows = ReturnType<typeof createTrackRows>

/** Throws STORAGE_FULL from the functions that write. */
export function createTrackRows({ db }: { readonly db: Database }) {
  const insertTake = db.prepare(`insert or replace into dub_take
    (dub_id, language, segment_id, take_no, key, digest, natural_us, sample_rate, created_at)
    values (@dubId, @language, @segmentId, @takeNo, @key, @digest, @naturalUs, @sampleRate, @createdAt)`)
  const removeTakes = db.prepare<[string, string, string]>(
    'delete from dub_take where dub_id = ? and language = ? and key in (select value from json_each(?))',
  )
  const takes = db.prepare<[string, string, string, number, number], TakeColumns>(`select * from dub_take
    where dub_id = ? and language = ? and (segment_id, take_no) > (?, ?) order by segment_id, take_no limit ?`)
  const ofLine = db.prepare<[string, string, string], TakeColumns>(
    'select * from dub_take where dub_id = ? and language = ? and segment_id = ? order by take_no',
  )
  const byKeys = db.prepare<[string], TakeColumns>('select * from dub_take where key in (select value from json_each(?)) group by key')
  const spoken = db.prepare<[string, number], SpokenText>(`select text, natural_us as lengthUs from dub_take
    join dub_text on dub_text.dub_id = dub_take.dub_id and dub_text.language = dub_take.language and segment_key = segment_id
    where dub_take.language = ? order by dub_take.created_at desc limit ?`)
  const insertTrack = db.prepare(`insert or replace into dub_track
    (dub_id, language_code, language, digest, duration_us, timing_strategy, plan, plan_file, fit_fp, take_keys, created_at)
    values (@dubId, @languageCode, @language, @digest, @durationUs, @timingStrategy, @plan, @planFile, @fitFp, @takeKeys, @createdAt)`)
  const setWith = db.transaction((row: object, also: () => void) => {
    insertTrack.run(row)
    also()
  })
  const heads = db.prepare<
    [string],
    TrackColumns
  >(`select language_code, language, digest, duration_us, timing_strategy, plan_file, fit_fp, take_keys,
    created_at from dub_track where dub_id = ? order by created_at, language_code`)
  const plan = db.prepare<[string, string], string>('select plan from dub_track where dub_id = ? and language_code = ?').pluck()
  const trackFiles = db.prepare<[string], TrackFile>(
    'select language_code as languageCode, digest, plan_file as planFile from dub_track where dub_id = ? order by created_at, language_code',
  )
  const removeTrack = db.prepare<[string, string]>('delete from dub_track where dub_id = ? and language_code = ?')
  const write = <T>(run: () => T): T => storageChecked('A voice of the dub could not be stored', run)

  return {
    addTake: (dubId: string, language: string, take: DubTake): void => void write(() => insertTake.run({ ...take, dubId, language })),
    removeTakes: (dubId: string, language: string, keys: readonly string[]): void =>
      void write(() => removeTakes.run(dubId, language, JSON.stringify(keys))),
    /** Ascending by line and number. In several turns of the event loop, because a film of hours has thousands. */
    async takes(dubId: string, language: string): Promise<DubTake[]> {
      const all: DubTake[] = []
      for (;;) {
        const last = all.at(-1)
        const part = takes.all(dubId, language, last?.segmentId ?? '', last?.takeNo ?? -1, TAKES_A_TURN)
        all.push(...part.map(takeOf))
        if (part.length < TAKES_A_TURN) return all
        await nextTurn()
      }
    },
    /** Ascending by number. */
    takesOfLine: (dubId: string, language: string, segmentId: string): DubTake[] => ofLine.all(dubId, language, segmentId).map(takeOf),
    /** Takes of any dub with these keys, one each. Their files may be gone. */
    takesByKey: (keys: readonly string[]): DubTake[] => byKeys.all(JSON.stringify(keys)).map(takeOf),
    /** The newest lines that were spoken in a language, in any dub, oldest first. */
    spokenTexts: (language: string, limit: number): SpokenText[] => spoken.all(language, limit).reverse(),
    /**
     * Replaces the track of the same language code. Its plan is stored in its file, or in the row without one. `also` writes other rows in the
     * same transaction, after that of the track.
     */
    setTrack(dubId: string, { planFile = null, ...track }: NewTrack, also = () => {}): void {
      const plan = JSON.stringify(planFile === null ? (track.plan ?? null) : null)
      write(() => setWith({ ...track, dubId, planFile, plan, takeKeys: JSON.stringify(track.takeKeys) }, also))
    },
    /** Oldest first. */
    heads: (dubId: string): DubTrackHead[] => heads.all(dubId).map(headOf),
    /** The plan that the row has. */
    plan: (dubId: string, languageCode: string): unknown => JSON.parse(plan.get(dubId, languageCode) ?? 'null'),
    /** Oldest first. */
    trackFiles: (dubId: string): TrackFile[] => trackFiles.all(dubId),
    removeTrack: (dubId: string, languageCode: string): boolean => write(() => removeTrack.run(dubId, languageCode).changes > 0),
  }
}

const takeOf = (row: TakeColumns): DubTake => ({
  segmentId: row.segment_id,
  takeNo: row.take_no,
  key: row.key,
  digest: row.digest,
  naturalUs: row.natural_us,
  sampleRate: row.sample_rate,
  createdAt: row.created_at,
})
const headOf = (row: TrackColumns): DubTrackHead => ({
  languageCode: row.language_code,
  language: row.language,
  digest: row.digest,
  durationUs: row.duration_us,
  timingStrategy: row.timing_strategy,
  planFile: row.plan_file,
  fitFp: row.fit_fp,
  takeKeys: z.array(z.string()).parse(JSON.parse(row.take_keys)),
  createdAt: row.created_at,
})
