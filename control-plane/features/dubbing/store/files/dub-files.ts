// The files of dubs: films, sound, takes and what is made of them. A file or folder has the SHA-256 of its content as its name, or the key of
// what it was made from. It appears complete and durable, and its row follows; what has no row is swept.
import { renameSync } from 'node:fs'
import { lstat, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { emptyFolder, fileIn, isDiskError, privateFolder, syncPath } from '#shared/runtime/file.ts'
import type { DubFile, FileKind, FileRows } from './file.store.ts'
import { createSharedRuns } from './shared-runs.ts'

export type DubFiles = ReturnType<typeof createDubFiles>
export type FileFacts = { readonly kind: FileKind /** JSON. */; readonly detail?: string; readonly maker: string }
/** `also` writes other rows together with that of the file, or alone where a file to keep is known. */
type KeptFacts = FileFacts & { readonly also?: () => void }
/** Makes a new file at `path`; returns facts about it as JSON. */
export type MakeFile = (path: string, signal: AbortSignal) => Promise<string>
type Deps = {
  /** `dub_store` of the data folder. */
  readonly folder: string
  readonly rows: FileRows
  readonly clock: Pick<Clock, 'now'>
}
/** Each mark waits for the disk, and a generation asks for every line several times. Far less than a file in use is spared by sweeps. */
const TOUCH_MS = 60_000
const isName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)

export function createDubFiles({ folder: root, rows, clock }: Deps) {
  const folder = privateFolder(join(root, 'files'))
  /** Folder on the same disk: results are made here and renamed. */
  const scratch = emptyFolder(join(root, 'scratch'))
  const pathOf = (digest: string): string => fileIn(folder, digest)
  const runs = createSharedRuns<DubFile>()
  /** Names that are being written: their files have no row yet. */
  const arriving = new Set<string>()
  let removals = 0

  async function add(
    digest: string,
    { kind, detail = '{}', maker, also }: KeptFacts,
    dubId: string | null,
    signal?: AbortSignal,
  ): Promise<DubFile> {
    const file = { digest, kind, bytes: await bytesAt(pathOf(digest)), detail, maker, used_at: clock.now() }
    // The last moment: a file of a run that was aborted must not appear.
    signal?.throwIfAborted()
    rows.add(file, dubId, also)
    return file
  }

  /** Same as `add`; a file that gets no row is removed at once, because its sweep is an hour later. */
  async function addOrRemove(digest: string, facts: KeptFacts, dubId: string | null): Promise<DubFile> {
    try {
      return await add(digest, facts, dubId)
    } catch (error) {
      await rm(pathOf(digest), { recursive: true, force: true })
      throw error
    }
  }

  /** The file, marked as used to within a minute; null if there is none, or it was removed from the disk. */
  async function find(digest: string): Promise<DubFile | null> {
    const file = rows.find(digest)
    if (!file) return null
    if (file.bytes > 0 && !(await exists(pathOf(digest)))) {
      rows.remove(digest)
      return null
    }
    const now = clock.now()
    if (Math.abs(now - file.used_at) >= TOUCH_MS) rows.touch(digest, now)
    return file
  }

  return {
    scratch,
    pathOf,
    find,
    use: rows.use,
    sharersOf: rows.sharersOf,
    bytes: rows.bytes,
    /** Moves a file here. Durable when it resolves. Throws STORAGE_FULL. */
    async keep(digest: string, from: string, facts: KeptFacts, dubId: string | null): Promise<DubFile> {
      arriving.add(digest)
      try {
        const known = await find(digest)
        if (known) await rm(from, { force: true })
        else {
          await syncPath(from)
          await rename(from, pathOf(digest))
          await syncPath(folder)
        }
        if (!known) return await addOrRemove(digest, facts, dubId)
        if (dubId !== null) rows.use(dubId, digest)
        facts.also?.()
        return known
      } catch (cause) {
        throw storageFailure(cause)
      } finally {
        arriving.delete(digest)
      }
    },
    /** Adds the row of a file or folder that is complete at `pathOf(digest)`. Durable when it resolves. Throws STORAGE_FULL; the file is gone then. */
    async adopt(digest: string, facts: FileFacts, dubId: string | null): Promise<DubFile> {
      await syncPath(folder)
      return addOrRemove(digest, facts, dubId)
    },
    /** A result that has no file: all of it is in `detail`. */
    note(digest: string, { also, ...facts }: KeptFacts & { readonly detail: string }, dubId: string | null): void {
      rows.add({ digest, bytes: 0, used_at: clock.now(), ...facts }, dubId, also)
    },
    /**
     * The file of this name, made unless it is there. Callers at the same time share one run; it stops when the last of them has left.
     * Throws what `make` throws, STORAGE_FULL, and the reason of the signal.
     */
    async obtain(digest: string, { kind, maker }: FileFacts, dubId: string | null, make: MakeFile, signal: AbortSignal): Promise<DubFile> {
      const known = await find(digest)
      const file =
        known ??
        (await runs.join(
          digest,
          async (running) => {
            arriving.add(digest)
            try {
              await rm(pathOf(digest), { recursive: true, force: true })
              const detail = await make(pathOf(digest), running)
              await syncPath(folder)
              // In one transaction with the use by the first caller, because each waits for the disk.
              return await add(digest, { kind, detail, maker }, dubId, running)
            } catch (cause) {
              await rm(pathOf(digest), { recursive: true, force: true })
              throw storageFailure(cause)
            } finally {
              arriving.delete(digest)
            }
          },
          signal,
        ))
      if (dubId !== null) rows.use(dubId, digest)
      return file
    },
    /**
     * Removes rows and files; unknown names are removed from the disk. `isNeeded` is asked when a file is about to go, because it may have
     * got a use since the list was made.
     */
    async remove(digests: readonly string[], isNeeded: (digest: string) => boolean = () => false): Promise<void> {
      for (const digest of digests) {
        if (arriving.has(digest) || isNeeded(digest)) continue
        rows.remove(digest)
        // Row and name go in one turn: the same file may be kept again while its old content is being removed.
        const aside = fileIn(scratch, `removed-${++removals}`)
        if (moveAside(pathOf(digest), aside)) await rm(aside, { recursive: true, force: true })
      }
    },
    /** Names on the disk without a row that were written before this moment. */
    async strays(before: number): Promise<string[]> {
      const found: string[] = []
      for (const name of await readdir(folder)) {
        if (arriving.has(name) || (isName(name) && rows.find(name))) continue
        const at = await lstat(pathOf(name)).catch(() => null)
        if (at && at.mtimeMs < before) found.push(name)
      }
      return found
    },
  }
}

/** False when there is nothing at the path. */
function moveAside(path: string, aside: string): boolean {
  try {
    renameSync(path, aside)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** A link in place of a file counts as none: what it names is no file of a dub. */
const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => !found.isSymbolicLink(),
    () => false,
  )

/** 0 for a result without a file. */
async function bytesAt(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null)
  if (!found) return 0
  if (!found.isDirectory()) return found.size
  let bytes = 0
  for (const name of await readdir(path)) bytes += (await stat(fileIn(path, name))).size
  return bytes
}

/** STORAGE_FULL for what a full or broken disk throws; everything else unchanged. */
export function storageFailure(cause: unknown): unknown {
  const code = (cause as { code?: string } | null)?.code ?? ''
  if (!isDiskError(cause)) return cause
  const words = `A file of the dub could not be stored on the disk of the studio (${code}). Free some space, then start again.`
  return new Failure('STORAGE_FULL', words, { cause })
}
