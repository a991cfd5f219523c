// Files under their SHA-256, shared by everything that keeps bytes: results and inputs of tasks, takes, previews, jobs. A file appears
// whole and durable or not at all. The folder may hold files that no row names (a crash between file and commit); the sweep asks every
// namer and removes those that none of them needs.
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { fileIn, privateFolder, syncPath } from '#shared/runtime/file.ts'

export type Artifacts = ReturnType<typeof createArtifacts>
/** Returns those of `digests` that must be kept. At most 1,000 digests are asked about at once. */
export type ArtifactNamer = (digests: readonly string[]) => Promise<ReadonlySet<string>>
export const INLINE_BYTES = 32 * 1024
/** A file is moved. */
export type ArtifactSource = { readonly file: string } | { readonly chunks: Iterable<Uint8Array> }
const ASKED_AT_ONCE = 1_000

/** `clock`: of the times of files. */
export function createArtifacts(dataDir: string, clock: Pick<Clock, 'now'> = systemClock) {
  const folder = privateFolder(join(dataDir, 'artifacts'))
  const pathOf = (digest: string) => fileIn(folder, digest)
  const namers: ArtifactNamer[] = []
  let filesWritten = 0
  // The same bytes may be kept again while the sweep removes them: a file that arrives is not removed, and waits for a removal under way.
  const arriving: string[] = []
  const removing = new Map<string, Promise<void>>()
  /** Digests stored since the current sweep started. The answers of its namers may not include them. */
  let keptMeanwhile: Set<string> | null = null

  async function write(digest: string, source: ArtifactSource): Promise<void> {
    const path = pathOf(digest)
    // Two tasks may produce the same bytes at the same time: each writes its own file, and the later one replaces its equal.
    const temporary = 'file' in source ? source.file : `${path}.${++filesWritten}.new`
    if ('chunks' in source) {
      const file = await open(temporary, 'w', 0o600)
      try {
        // Not write, which writes a part and reports no error when the disk becomes full.
        for (const chunk of source.chunks) await file.writeFile(chunk)
        await file.datasync()
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      } finally {
        await file.close()
      }
    } else await syncPath(temporary)
    await rename(temporary, path)
    await syncPath(folder)
  }

  return {
    pathOf,
    /** Makes `source` durable under its digest: bytes in memory are written, a file is moved. Rejects with the error of the disk. */
    async keep(digest: string, source: ArtifactSource): Promise<void> {
      arriving.push(digest)
      keptMeanwhile?.add(digest)
      try {
        await removing.get(digest)
        await write(digest, source)
      } finally {
        arriving.splice(arriving.indexOf(digest), 1)
      }
    },
    /**
     * Keeps an existing file for at least an hour from now, so that a row may name it meanwhile. False if there is none of this size; then it
     * must be kept again.
     */
    async renew(digest: string, bytes: number): Promise<boolean> {
      // Its name may not be durable before it has arrived.
      if (arriving.includes(digest)) return false
      keptMeanwhile?.add(digest)
      await removing.get(digest)
      try {
        const now = clock.now() / 1000
        await utimes(pathOf(digest), now, now)
        return (await stat(pathOf(digest))).size === bytes
      } catch {
        return false
      }
    },
    /** `to` is the last byte. */
    read: (digest: string, from = 0, to = Number.POSITIVE_INFINITY): AsyncIterable<Buffer> =>
      createReadStream(pathOf(digest), { highWaterMark: 256 * 1024, start: from, end: to }),
    remove: (digest: string): Promise<void> => rm(pathOf(digest), { force: true }),
    /** Registers a store that refers to artifacts. Every store that does must be registered before the first sweep. */
    addNamer: (namer: ArtifactNamer): void => void namers.push(namer),
    /**
     * Removes the files from before `from` that no namer needs (epoch ms), and those from after `to`, which were written before the clock was
     * set back; resolves with their number. Without a namer it keeps all.
     */
    async sweep(from: number, to = Number.POSITIVE_INFINITY): Promise<number> {
      if (namers.length === 0) return 0
      keptMeanwhile = new Set(arriving)
      let removed = 0
      try {
        const old = await filesBeyond(from, to)
        for (let at = 0; at < old.length; at += ASKED_AT_ONCE) {
          const digests = old.slice(at, at + ASKED_AT_ONCE)
          const needed = await Promise.all(namers.map((namer) => namer(digests)))
          for (const digest of digests) {
            if (needed.some((set) => set.has(digest)) || keptMeanwhile.has(digest)) continue
            await removeFile(digest)
            removed++
          }
        }
      } finally {
        keptMeanwhile = null
      }
      return removed
    },
  }

  async function filesBeyond(from: number, to: number): Promise<string[]> {
    const old: string[] = []
    for (const name of await readdir(folder)) {
      const found = await stat(fileIn(folder, name)).catch(() => null)
      if (found && (found.mtimeMs < from || found.mtimeMs > to)) old.push(name)
    }
    return old
  }

  async function removeFile(digest: string): Promise<void> {
    const removal = rm(pathOf(digest), { force: true })
    removing.set(digest, removal)
    await removal.finally(() => removing.delete(digest))
  }
}
