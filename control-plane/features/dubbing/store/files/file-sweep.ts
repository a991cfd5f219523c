// Removes files that no dub needs, and results that can be made again when the files are larger than their limit.
import { type Clock, createSteadyNow } from '#shared/runtime/clock.ts'
import type { DubFiles } from './dub-files.ts'
import type { FileRows } from './file.store.ts'

type Deps = {
  readonly files: Pick<DubFiles, 'remove' | 'strays'>
  readonly rows: Pick<FileRows, 'unusedBefore' | 'evictable' | 'bytes' | 'find' | 'isUsed'>
  /** Bytes that all files may use together. */
  readonly limit: () => number
  readonly clock: Pick<Clock, 'now' | 'mono'>
}
/** A file that arrives is younger than this. */
const GRACE_MS = 3600_000
/** Milliseconds after its last use in which a file may still be read. */
const IN_USE_MS = 600_000

export function createFileSweep({ files, rows, limit, clock }: Deps) {
  const steadyNow = createSteadyNow(clock)
  const usedSince = (digest: string, moment: number): boolean => (rows.find(digest)?.used_at ?? 0) >= moment

  return {
    /** Resolves with the number of removed files. */
    async sweep(): Promise<number> {
      const before = steadyNow() - GRACE_MS
      const gone = [...rows.unusedBefore(before).map(({ digest }) => digest), ...(await files.strays(before))]
      await files.remove(gone, (digest) => rows.isUsed(digest) || usedSince(digest, before))
      let surplus = rows.bytes() - limit()
      const evicted: string[] = []
      if (surplus > 0)
        for (const { digest, bytes } of rows.evictable(steadyNow() - IN_USE_MS)) {
          if (surplus <= 0) break
          evicted.push(digest)
          surplus -= bytes
        }
      await files.remove(evicted, (digest) => usedSince(digest, steadyNow() - IN_USE_MS))
      return gone.length + evicted.length
    },
  }
}
