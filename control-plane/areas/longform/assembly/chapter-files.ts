// Encoded chapters, kept under the digest of everything that they are made of: a book that is rendered again is only joined again.
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import { canonicalJson, type Json } from '../../../jobs/key.ts'

const Known = z.object({
  codec: z.enum(['aac', 'mp3']),
  sampleRate: z.number(),
  samples: z.number(),
  seconds: z.number(),
  bytes: z.number(),
  /** LUFS; null for silence. */
  integrated: z.number().nullable(),
})
export type ChapterFile = z.output<typeof Known> & { readonly path: string }
export type ChapterFiles = ReturnType<typeof createChapterFiles>
type Deps = { readonly folder: string; readonly mostBytes: number; readonly clock: Pick<Clock, 'now'> }

export const chapterDigest = (parts: Json): string => createHash('sha256').update(canonicalJson(parts)).digest('hex')

export function createChapterFiles({ folder, mostBytes, clock }: Deps) {
  privateFolder(folder)
  const pathOf = (digest: string): string => join(folder, digest)
  const noteOf = (digest: string): string => `${pathOf(digest)}.json`
  /** Of books that run now, with the number of those that use them. */
  const used = new Map<string, number>()

  return {
    pathOf,
    /** Null for a chapter that is not there. */
    async find(digest: string): Promise<ChapterFile | null> {
      const text = await readFile(noteOf(digest), 'utf8').catch(() => null)
      if (text === null) return null
      const known = Known.safeParse(JSON.parse(text))
      const size = await stat(pathOf(digest)).then(
        (file) => file.size,
        () => -1,
      )
      if (!known.success || size !== known.data.bytes) return null
      const now = clock.now() / 1000
      await utimes(pathOf(digest), now, now)
      return { ...known.data, path: pathOf(digest) }
    },
    /** The file at `pathOf` is complete. Throws the error of the disk. */
    add(digest: string, file: Omit<ChapterFile, 'path'>): ChapterFile {
      writeAtomic(noteOf(digest), JSON.stringify(Known.parse(file)))
      return { ...file, path: pathOf(digest) }
    },
    /** Keeps the files of these digests until the returned function is called. */
    hold(digests: readonly string[]): () => void {
      for (const digest of digests) used.set(digest, (used.get(digest) ?? 0) + 1)
      return () => {
        for (const digest of digests) {
          const count = used.get(digest)! - 1
          if (count === 0) used.delete(digest)
          else used.set(digest, count)
        }
      }
    },
    /** Removes the files that were unused for longest until the others have at most `mostBytes`. */
    async prune(): Promise<void> {
      const names = (await readdir(folder)).filter((name) => !name.endsWith('.json') && !name.endsWith('.new'))
      const files = await Promise.all(
        names.map(async (name) => {
          const { size, mtimeMs } = await stat(pathOf(name)).catch(() => ({ size: 0, mtimeMs: 0 }))
          return { name, size, mtimeMs }
        }),
      )
      let total = 0
      for (const { name, size } of files.toSorted((left, right) => right.mtimeMs - left.mtimeMs)) {
        total += size
        if (total <= mostBytes || used.has(name)) continue
        await rm(noteOf(name), { force: true })
        await rm(pathOf(name), { force: true })
      }
    },
  }
}
