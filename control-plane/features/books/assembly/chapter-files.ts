// Encoded chapters, kept under the digest of everything that they are made of: a book that is rendered again is only joined again.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { z } from 'zod'
import { canonicalJson, type Json } from '#control-plane/jobs/key.ts'
import { removeUnfinished } from '#control-plane/media/book/book-file.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const Known = z.object({
  codec: z.enum(['aac', 'mp3']),
  sampleRate: z.number(),
  samples: z.number(),
  seconds: z.number(),
  bytes: z.number(),
  /** LUFS; null for silence. */
  integrated: z.number().nullable(),
  /** SHA-256 of the recordings whose voices it has. */
  recordings: z.array(z.string()).default([]),
})
export type ChapterFile = z.output<typeof Known> & { readonly path: string }
export type ChapterFiles = ReturnType<typeof createChapterFiles>
type Deps = { readonly folder: string; readonly mostBytes: number; readonly clock: Pick<Clock, 'now'> }

export const chapterDigest = (parts: Json): string => createHash('sha256').update(canonicalJson(parts)).digest('hex')

export function createChapterFiles({ folder, mostBytes, clock }: Deps) {
  privateFolder(folder)
  removeUnfinished(folder)
  const pathOf = (digest: string): string => fileIn(folder, digest)
  const noteOf = (digest: string): string => `${pathOf(digest)}.json`
  /** Chapters of books that run now, with the number of those that use them. */
  const used = new Map<string, number>()

  /** Null for a file that is missing or damaged. */
  async function noteAt(digest: string): Promise<z.output<typeof Known> | null> {
    try {
      return Known.safeParse(JSON.parse(await readFile(noteOf(digest), 'utf8'))).data ?? null
    } catch {
      return null
    }
  }
  async function remove(digest: string): Promise<void> {
    await rm(noteOf(digest), { force: true })
    await rm(pathOf(digest), { force: true })
  }

  return {
    pathOf,
    /** Null for a chapter that is not there. */
    async find(digest: string): Promise<ChapterFile | null> {
      const known = await noteAt(digest)
      if (known === null) return null
      const size = await stat(pathOf(digest)).then(
        (file) => file.size,
        () => -1,
      )
      if (size !== known.bytes) return null
      const now = clock.now() / 1000
      await utimes(pathOf(digest), now, now).catch(() => {}) // it says only when the file was used
      return { ...known, path: pathOf(digest) }
    },
    /** The file at `pathOf` is complete. Throws the error of the disk; the file is gone then, because without its note it is not found. */
    add(digest: string, file: Omit<ChapterFile, 'path'>): ChapterFile {
      try {
        writeAtomic(noteOf(digest), JSON.stringify(Known.parse(file)))
      } catch (error) {
        rmSync(pathOf(digest), { force: true })
        throw error
      }
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
    remove,
    /** Removes the chapters with the voices of these recordings, also those that a book uses. */
    async withdraw(recordings: readonly string[]): Promise<void> {
      const withdrawn = new Set(recordings)
      for (const name of await readdir(folder)) {
        if (!name.endsWith('.json')) continue
        const digest = name.slice(0, -'.json'.length)
        if ((await noteAt(digest))?.recordings.some((each) => withdrawn.has(each))) await remove(digest)
      }
    },
    /** The recordings whose voices chapters have. */
    async recordings(): Promise<string[]> {
      const all = new Set<string>()
      for (const name of await readdir(folder))
        if (name.endsWith('.json')) for (const each of (await noteAt(name.slice(0, -'.json'.length)))?.recordings ?? []) all.add(each)
      return [...all]
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
        await remove(name)
      }
    },
  }
}
