// Artifacts as files of one folder, each named by its digest: the body of a studio on one machine.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { fileIn, privateFolder, syncPath } from '#shared/runtime/file.ts'
import type { ArtifactNamer, ArtifactSource, LocalArtifacts } from '../artifact.ts'

const ASKED_AT_ONCE = 1_000

/** `clock`: of the times of files. */
export function createFolderArtifacts(dataDir: string, clock: Pick<Clock, 'now'> = systemClock): LocalArtifacts {
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
      const hash = createHash('sha256')
      try {
        // Not write, which writes a part and reports no error when the disk becomes full.
        for (const chunk of source.chunks) {
          hash.update(chunk)
          await file.writeFile(chunk)
        }
        if (hash.digest('hex') !== digest) throw new Failure('DIGEST_MISMATCH', `The bytes are not those of ${digest}.`)
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
    addressOf: pathOf,
    async keep(digest, source) {
      arriving.push(digest)
      keptMeanwhile?.add(digest)
      try {
        await removing.get(digest)
        await write(digest, source)
      } finally {
        arriving.splice(arriving.indexOf(digest), 1)
      }
    },
    async renew(digest, bytes) {
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
    read: (digest, from = 0, to = Number.POSITIVE_INFINITY) =>
      createReadStream(pathOf(digest), { highWaterMark: 256 * 1024, start: from, end: to }),
    remove: (digest) => rm(pathOf(digest), { force: true }),
    addNamer: (namer) => void namers.push(namer),
    async sweep(from, to = Number.POSITIVE_INFINITY) {
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
