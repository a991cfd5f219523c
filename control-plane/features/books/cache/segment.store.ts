// The rows of rendered segments, and which of them unfinished books need.
import { type Database, storageChecked } from '#control-plane/store/database.ts'

export type SegmentRow = {
  readonly key: string
  /** Size of the file. */
  readonly bytes: number
  readonly sample_rate: number
  readonly samples: number
  readonly doubtful: 0 | 1
  /** SHA-256 of the recording whose voice it has; null for a voice of an engine. */
  readonly recording: string | null
  /** Epoch milliseconds. */
  readonly used_at: number
}
export type SegmentStore = ReturnType<typeof createSegmentStore>

/** Throws STORAGE_FULL from the functions that write. */
export function createSegmentStore({ db }: { readonly db: Database }) {
  const insert = db.prepare(`insert or replace into longform_segment (key, bytes, sample_rate, samples, doubtful, recording, used_at)
    values (@key, @bytes, @sample_rate, @samples, @doubtful, @recording, @used_at)`)
  const found = db.prepare<[string], SegmentRow>('select * from longform_segment where key in (select value from json_each(?))')
  const touch = db.prepare<[number, string]>('update longform_segment set used_at = ? where key in (select value from json_each(?))')
  const remove = db.prepare<[string]>('delete from longform_segment where key in (select value from json_each(?))')
  const withRecording = db
    .prepare<[string], string>('select key from longform_segment where recording in (select value from json_each(?))')
    .pluck()
  const recordings = db.prepare<[], string>('select distinct recording from longform_segment where recording is not null').pluck()
  const bytes = db.prepare<[], number>('select coalesce(sum(bytes), 0) from longform_segment').pluck()
  const unpinned = db.prepare<[number], SegmentRow>(
    'select * from longform_segment where key not in (select key from longform_pin) order by used_at, key limit ?',
  )
  const pin = db.prepare<[string, string]>('insert or ignore into longform_pin (job_id, key) select ?, value from json_each(?)')
  const unpin = db.prepare<[string]>('delete from longform_pin where job_id = ?')
  const write = <T>(run: () => T): T => storageChecked('A segment of the book could not be stored', run)

  return {
    add: (row: SegmentRow): void => void write(() => insert.run(row)),
    find: (keys: readonly string[]): SegmentRow[] => found.all(JSON.stringify(keys)),
    touch: (keys: readonly string[], now: number): void => void write(() => touch.run(now, JSON.stringify(keys))),
    remove: (keys: readonly string[]): void => void write(() => remove.run(JSON.stringify(keys))),
    /** Keys of the segments with the voices of these recordings. */
    withRecordings: (digests: readonly string[]): string[] => withRecording.all(JSON.stringify(digests)),
    recordings: (): string[] => recordings.all(),
    /** Bytes of all files. */
    bytes: (): number => bytes.get()!,
    /** Least recently used first, without those that an unfinished book needs. */
    evictable: (limit: number): SegmentRow[] => unpinned.all(limit),
    pin: (jobId: string, keys: readonly string[]): void => void write(() => pin.run(jobId, JSON.stringify(keys))),
    unpin: (jobId: string): void => void write(() => unpin.run(jobId)),
  }
}
