// Rendered segments by their key. A damaged or missing file is a miss. The least recently used segments go first when the cache is larger than
// its limit; those that an unfinished book needs stay. Segments with a withdrawn voice go at once.
import { readdir, rm } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, isDiskError } from '#shared/runtime/file.ts'
import type { SegmentStore } from './segment.store.ts'
import { fileBytes, readSegment, type SegmentSound, UNFINISHED, writeSegment } from './segment-file.ts'
import type { WithdrawalCheck } from './withdrawals.ts'

export type SegmentCache = ReturnType<typeof createSegmentCache>
export type CachedSegment = { readonly samples: number; readonly sampleRate: number; readonly isDoubtful: boolean }
/** `recording`: SHA-256 of the recording whose voice it has, or null. `isWithdrawn`: claimed before the sound was begun. */
export type SegmentOrigin = { readonly isDoubtful: boolean; readonly recording: string | null; readonly isWithdrawn: WithdrawalCheck }
type Deps = {
  readonly folder: string
  readonly store: SegmentStore
  /** Bytes that the files may use together. */
  readonly limit: () => Promise<number>
  readonly clock: Pick<Clock, 'now'>
}
const EVICTED_AT_ONCE = 100
/** Keys of one statement: about 5 ms. */
const PAGE = 1_000
/** While nothing can be evicted, the next attempt is after this much growth. */
const RETRY_BYTES = 64 * 1024 ** 2
const RETRY_SHARE = 0.05
const SHELF = /^[0-9a-f]{2}$/

export function createSegmentCache({ folder, store, limit, clock }: Deps) {
  const pathOf = (key: string): string => fileIn(fileIn(folder, key.slice(0, 2)), key)
  let bytes = store.bytes()
  let written = 0
  let added = 0
  let evicting: Promise<void> | null = null
  /** No attempt to evict below this size. */
  let evictAbove = 0
  /** Keys whose files are being written. */
  const arriving = new Map<string, number>()
  /** Keys that are in use, with the number of their users. */
  const held = new Map<string, number>()

  const count = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
    const next = (counts.get(key) ?? 0) + by
    if (next === 0) counts.delete(key)
    else counts.set(key, next)
  }
  async function* pages<T>(all: readonly T[]): AsyncGenerator<readonly T[]> {
    for (let at = 0; at < all.length; at += PAGE) {
      if (at > 0) await nextTurn()
      yield all.slice(at, at + PAGE)
    }
  }

  async function forget(keys: readonly string[]): Promise<void> {
    const known = store.find(keys)
    store.remove(keys)
    bytes -= known.reduce((sum, row) => sum + row.bytes, 0)
    await Promise.all(keys.map((key) => rm(pathOf(key), { force: true })))
  }

  async function evict(): Promise<void> {
    const most = await limit()
    while (bytes > most) {
      const rows = store.evictable(EVICTED_AT_ONCE + held.size).filter(({ key }) => !held.has(key))
      if (rows.length === 0) {
        evictAbove = bytes + Math.min(RETRY_BYTES, RETRY_SHARE * bytes)
        return
      }
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
    /** Finds those of `keys` that are cached. Reads no file. */
    async find(keys: readonly string[]): Promise<Map<string, CachedSegment>> {
      const found = new Map<string, CachedSegment>()
      for await (const page of pages(keys))
        for (const { key, samples, sample_rate, doubtful } of store.find(page))
          found.set(key, { samples, sampleRate: sample_rate, isDoubtful: doubtful === 1 })
      return found
    },
    /** Null for a segment that is not cached; its row is removed if its file is missing or damaged. Throws when the file cannot be opened. */
    async read(key: string): Promise<SegmentSound | null> {
      for (;;) {
        const before = added
        const sound = await readSegment(pathOf(key))
        // Another book renders it and writes its row, or has done so while the missing file was looked for.
        if (sound || arriving.has(key)) return sound
        if (added !== before) continue
        await forget([key])
        return null
      }
    },
    /** Durable when it resolves. Throws STORAGE_FULL, INPUT_UNAVAILABLE for a voice that was withdrawn meanwhile. */
    async add(key: string, sound: SegmentSound, { isDoubtful, recording, isWithdrawn }: SegmentOrigin): Promise<void> {
      const samples = sound.pcm.length / 2
      count(arriving, key, 1)
      try {
        await writeSegment(pathOf(key), String(++written), sound)
        if (isWithdrawn()) {
          await rm(pathOf(key), { force: true })
          throw new Failure('INPUT_UNAVAILABLE', 'The voice of this segment was withdrawn while it was spoken.')
        }
        const [before] = store.find([key])
        const row = { key, bytes: fileBytes(samples), sample_rate: sound.sampleRate, samples, used_at: clock.now() }
        try {
          store.add({ ...row, doubtful: isDoubtful ? 1 : 0, recording })
          added++
        } catch (error) {
          // Files without a row are looked for at the next start only.
          if (!before && arriving.get(key) === 1) await rm(pathOf(key), { force: true })
          throw error
        }
        bytes += row.bytes - (before?.bytes ?? 0)
      } catch (cause) {
        if (!isDiskError(cause)) throw cause
        throw new Failure('STORAGE_FULL', `A segment of the book could not be stored: ${(cause as Error).message}.`, { cause })
      } finally {
        count(arriving, key, -1)
      }
      if (bytes <= evictAbove) return
      evicting ??= evict().finally(() => {
        evicting = null
      })
      await evicting
    },
    /** Marks segments as used now. */
    async used(keys: readonly string[]): Promise<void> {
      for await (const page of pages(keys)) store.touch(page, clock.now())
    },
    /** Keeps the segments of an unfinished book, cached or not. Its row must exist. */
    async pin(jobId: string, keys: readonly string[]): Promise<void> {
      for await (const page of pages(keys)) store.pin(jobId, page)
    },
    unpin(jobId: string): void {
      store.unpin(jobId)
      evictAbove = 0
    },
    /** Keeps segments, cached or not, until the returned function is called. */
    hold(keys: readonly string[]): () => void {
      for (const key of keys) count(held, key, 1)
      return () => {
        for (const key of keys) count(held, key, -1)
        evictAbove = 0
      }
    },
    /** Removes the segments with the voices of these recordings, also those that a book needs. */
    async withdraw(recordings: readonly string[]): Promise<void> {
      for await (const page of pages(store.withRecordings(recordings))) await forget(page)
    },
    /** The recordings whose voices segments have. */
    recordings: (): string[] => store.recordings(),
    /** Removes files without a row, which a crash left. */
    async sweep(signal: AbortSignal): Promise<void> {
      for (const shelf of await readdir(folder)) {
        if (!SHELF.test(shelf)) continue
        const names = await readdir(fileIn(folder, shelf))
        const known = new Set(store.find(names).map(({ key }) => key))
        for (const name of names) {
          const key = name.split('.')[0]!
          const isStray = name === key ? !known.has(key) : UNFINISHED.test(name)
          if (isStray && !arriving.has(key)) await rm(fileIn(fileIn(folder, shelf), name), { force: true })
        }
        await nextTurn()
        if (signal.aborted) return
      }
    },
    /** Bytes of all files. */
    bytes: (): number => bytes,
  }
}
