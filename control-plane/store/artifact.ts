// Results on disk under their digest. A file appears whole and durable or not at all; the folder may hold files that no row names
// (a crash between file and commit): the sweep removes them.
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFolder } from '#shared/runtime/file.ts'

export type Artifacts = ReturnType<typeof createArtifacts>
export const INLINE_BYTES = 32 * 1024

export function createArtifacts(dataDir: string) {
  const folder = privateFolder(join(dataDir, 'artifacts'))
  const pathOf = (digest: string) => join(folder, digest)
  let written = 0

  async function sync(path: string): Promise<void> {
    const file = await open(path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }

  return {
    pathOf,
    /** Makes `source` durable under its digest: bytes in memory are written, a file is moved. Throws the error of the disk. */
    async keep(digest: string, source: { readonly file: string } | { readonly chunks: Iterable<Buffer> }): Promise<void> {
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
    },
    read: (digest: string): AsyncIterable<Buffer> => createReadStream(pathOf(digest), { highWaterMark: 256 * 1024 }),
    remove: (digest: string): Promise<void> => rm(pathOf(digest), { force: true }),
    /** Files older than `olderThan` (epoch ms) that `isNamed` does not know. */
    async sweep(isNamed: (digest: string) => boolean, olderThan: number): Promise<number> {
      let removed = 0
      for (const name of await readdir(folder)) {
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (mtimeMs >= olderThan || isNamed(name)) continue
        await rm(join(folder, name), { force: true })
        removed++
      }
      return removed
    },
  }
}
