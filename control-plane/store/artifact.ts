// Results on disk under their digest. A file appears whole and durable or not at all; the folder may hold files that no row names
// (a crash between file and commit): the sweep removes them.
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFolder } from '#shared/runtime/file.ts'

export type Artifacts = ReturnType<typeof createArtifacts>
export const INLINE_BYTES = 32 * 1024
/** A file is moved. */
export type Source = { readonly file: string } | { readonly chunks: Iterable<Uint8Array> }

export function createArtifacts(dataDir: string) {
  const folder = privateFolder(join(dataDir, 'artifacts'))
  const pathOf = (digest: string) => join(folder, digest)
  let written = 0
  // The same bytes may come again while the sweep removes them: what arrives is not removed, and waits for what is being removed.
  const arriving: string[] = []
  const leaving = new Map<string, Promise<void>>()

  async function sync(path: string): Promise<void> {
    const file = await open(path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }

  async function write(digest: string, source: Source): Promise<void> {
    const path = pathOf(digest)
    // Two tasks may make the same bytes at the same time: each writes a file of its own, and the later one replaces its equal.
    const temporary = 'file' in source ? source.file : `${path}.${++written}.new`
    if ('chunks' in source) {
      const file = await open(temporary, 'w', 0o600)
      try {
        for (const chunk of source.chunks) await file.write(chunk)
        await file.datasync()
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      } finally {
        await file.close()
      }
    } else await sync(temporary)
    await rename(temporary, path)
    await sync(folder)
  }

  return {
    pathOf,
    /** Makes `source` durable under its digest: bytes in memory are written, a file is moved. Throws the error of the disk. */
    async keep(digest: string, source: Source): Promise<void> {
      arriving.push(digest)
      try {
        await leaving.get(digest)
        await write(digest, source)
      } finally {
        arriving.splice(arriving.indexOf(digest), 1)
      }
    },
    read: (digest: string, from = 0): AsyncIterable<Buffer> => createReadStream(pathOf(digest), { highWaterMark: 256 * 1024, start: from }),
    remove: (digest: string): Promise<void> => rm(pathOf(digest), { force: true }),
    /** Files older than `olderThan` (epoch ms) that `isNamed` does not know. */
    async sweep(isNamed: (digest: string) => boolean, olderThan: number): Promise<number> {
      let removed = 0
      for (const name of await readdir(folder)) {
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (mtimeMs >= olderThan || isNamed(name) || arriving.includes(name)) continue
        const removal = rm(join(folder, name), { force: true })
        leaving.set(name, removal)
        await removal.finally(() => leaving.delete(name))
        removed++
      }
      return removed
    },
  }
}
