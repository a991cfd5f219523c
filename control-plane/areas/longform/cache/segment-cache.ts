// Rendered segments by their key. A damaged or missing file is a miss. The least recently used segments go first when the cache is larger than
// its limit; those that an unfinished book needs stay.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { SegmentStore } from './segment.store.ts'
import { fileBytes, readSegment, type SegmentSound, writeSegment } from './segment-file.ts'

export type SegmentCache = ReturnType<typeof createSegmentCache>
export type CachedSegment = { readonly samples: number; readonly sampleRate: number; readonly isDoubtful: boolean }
type Deps = {
  readonly folder: string
  readonly store: SegmentStore
  /** Bytes that the files may use together. */
  readonly limit: () => Promise<number>
  readonly clock: Pick<Clock, 'now'>
}
const EVICTED_AT_ONCE = 100
/** Keys of one statement. */
const PAGE = 1_000
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

export function createSegmentCache({ folder, store, limit, clock }: Deps) {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)
  let bytes = store.bytes()
  let written = 0
  let evicting: Promise<void> | null = null

  async function forget(keys: readonly string[]): Promise<void> {
    const known = store.find(keys)
    store.remove(keys)
    bytes -= known.reduce((sum, row) => sum + row.bytes, 0)
    await Promise.all(keys.map((key) => rm(pathOf(key), { force: true })))
  }

  async function evict(): Promise<void> {
    const most = await limit()
    while (bytes > most) {
      const rows = store.evictable(EVICTED_AT_ONCE)
      if (rows.length === 0) return
      let surplus = bytes - most
      const keys: string[] = []
      for (const row of rows) {
        if (surplus <= 0) break
        keys.push(row.key)
        surplus -= row.bytes
      }
      await forget(keys)
    }
  }

  return {
    /** Those of `keys` that are cached. Reads no file. */
    find(keys: readonly string[]): Map<string, CachedSegment> {
      const found = new Map<string, CachedSegment>()
      for (let at = 0; at < keys.length; at += PAGE)
        for (const { key, samples, sample_rate, doubtful } of store.find(keys.slice(at, at + PAGE)))
          found.set(key, { samples, sampleRate: sample_rate, isDoubtful: doubtful === 1 })
      return found
    },
    /** Null for a segment that is not cached; its row is removed if its file is missing or damaged. */
    async read(key: string): Promise<SegmentSound | null> {
      const sound = await readSegment(pathOf(key))
      if (!sound) await forget([key])
      return sound
    },
    /** Durable when it resolves. Throws STORAGE_FULL. */
    async add(key: string, sound: SegmentSound, isDoubtful: boolean): Promise<void> {
      const samples = sound.pcm.length / 2
      try {
        await writeSegment(pathOf(key), String(++written), sound)
      } catch (cause) {
        if (!FULL.has((cause as { code?: string }).code ?? '')) throw cause
        throw new Failure('STORAGE_FULL', `A segment of the book could not be stored: ${(cause as Error).message}.`, { cause })
      }
      const [before] = store.find([key])
      const row = { key, bytes: fileBytes(samples), sample_rate: sound.sampleRate, samples, used_at: clock.now() }
      store.add({ ...row, doubtful: isDoubtful ? 1 : 0 })
      bytes += row.bytes - (before?.bytes ?? 0)
      evicting ??= evict().finally(() => {
        evicting = null
      })
      await evicting
    },
    /** Marks segments as used now. */
    used(keys: readonly string[]): void {
      for (let at = 0; at < keys.length; at += PAGE) store.touch(keys.slice(at, at + PAGE), clock.now())
    },
    /** Keeps the segments of an unfinished book, cached or not. Its row must exist. */
    pin(jobId: string, keys: readonly string[]): void {
      for (let at = 0; at < keys.length; at += PAGE) store.pin(jobId, keys.slice(at, at + PAGE))
    },
    unpin: (jobId: string): void => store.unpin(jobId),
    /** Of all files. */
    bytes: (): number => bytes,
  }
}
