// The files of the data folder as they are now, for a backup that takes hours. Each gets a second name in a private folder, so that it stays when the
// studio removes it or replaces it. The studio never changes a file in place that it has finished.
import { constants, type Stats } from 'node:fs'
import { link, lstat, open, opendir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { isFileName } from '#shared/runtime/file.ts'
import { partOf } from './contents.ts'
import { isPortablePath, MOST_FILES } from './manifest.ts'
import type { Secrets } from './sealed.ts'

export type LinkedFile = {
  /** Below the data folder, with `/`. */
  readonly path: string
  readonly bytes: number
  /** Path of its bytes; the original where the file system has no second names. */
  readonly place: string
  /** True for a second name, which only this backup removes. */
  readonly isKept: boolean
}
export type BackupStage = ReturnType<typeof createStage>

/** The file system has no second names, permits none, or the file has too many; the folder is on another disk. */
const UNLINKABLE = /^(?:EXDEV|EPERM|ENOTSUP|EOPNOTSUPP|EMLINK|ENOSYS|EINVAL|EACCES)$/
const isGone = (error: unknown): boolean => /^(?:ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')
const PIECE_BYTES = 256 * 1024
/** Stands for bytes of a name that are no UTF-8. No file has such a name, unless the character itself is in it. */
const NO_TEXT = '\uFFFD'
const SECRET_BYTES = 16 * 1024 * 1024

type Found = { readonly path: string; readonly source: string; readonly stats: Stats }

/** `folder`: private, empty, in the data folder. */
export function createStage(dataDir: string, folder: string) {
  const files = new Map<string, LinkedFile & { readonly mark: string }>()
  let names = 0
  /** Entries that are neither files nor folders, and names that mean another file on another system or are no UTF-8; also among the secrets. */
  const skipped = { saved: 0, secret: 0 }

  const markOf = ({ ino, size, mtimeMs }: Stats): string => `${ino} ${size} ${mtimeMs}`

  async function* found(part: 'saved' | 'secret', path = '', at = dataDir): AsyncGenerator<Found> {
    const entries = await opendir(at).catch((error: unknown) => {
      if (isGone(error)) return []
      throw error
    })
    for await (const { name } of entries) {
      const own = path === '' ? name : `${path}/${name}`
      if (!isFileName(name) || partOf(own) === 'excluded') continue
      const source = join(at, name)
      const stats = await statsOf(source, path === '')
      if (stats?.isDirectory()) yield* found(part, own, source)
      else if (partOf(own) !== part || (stats === null && !name.includes(NO_TEXT))) continue
      else if (stats?.isFile() && isPortablePath(own)) yield { path: own, source, stats }
      else skipped[part]++
    }
  }

  async function keep({ path, source, stats }: Found): Promise<void> {
    const mark = markOf(stats)
    const before = files.get(path)
    if (before?.mark === mark) return
    if (before === undefined && files.size >= MOST_FILES)
      throw new Failure(
        'BAD_REQUEST',
        `The data folder has more than ${MOST_FILES} files. Copy it with another program while the studio is stopped.`,
      )
    const place = join(folder, String(names++))
    try {
      await link(source, place)
      files.set(path, { path, bytes: stats.size, place, isKept: true, mark })
    } catch (error) {
      if (isGone(error)) return
      if (!UNLINKABLE.test((error as NodeJS.ErrnoException).code ?? '')) throw error
      files.set(path, { path, bytes: stats.size, place: source, isKept: false, mark })
    }
    if (before?.isKept) await rm(before.place, { force: true })
  }

  return {
    /** Keeps the files of now. Called before and after the copy of the database, so that every file that its rows name is kept. */
    async scan(): Promise<void> {
      skipped.saved = 0
      for await (const one of found('saved')) await keep(one)
    },
    /** The files of keys, in memory. */
    async secrets(): Promise<Secrets> {
      const secrets = new Map<string, Buffer>()
      skipped.secret = 0
      for await (const { path, source, stats } of found('secret')) {
        if (stats.size > SECRET_BYTES) throw new Failure('BAD_REQUEST', `${source} is too large for a file of keys. Move it away.`)
        const content = await readFile(source).catch((error: unknown) => {
          if (isGone(error)) return null
          throw error
        })
        if (content !== null) secrets.set(path, content)
      }
      return secrets
    },
    files: (): LinkedFile[] => [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    skipped: (): number => skipped.saved + skipped.secret,
  }
}

/**
 * An owner may have moved a folder of the data folder to another disk and left a link to it. Deeper links, and links to files or to nothing, are not
 * followed. Null for a file that is gone.
 */
async function statsOf(path: string, follows: boolean): Promise<Stats | null> {
  try {
    const own = await lstat(path)
    if (!follows || !own.isSymbolicLink()) return own
    const target = await stat(path).catch(() => own)
    return target.isDirectory() ? target : own
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/**
 * The first `bytes` of a file in pieces: what is added to it later is not of the time of the backup. Null for one that is gone. Throws errors of the
 * system, also ELOOP for a link.
 */
export async function openPieces(path: string, bytes: number, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array> | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (isGone(error)) return null
    throw error
  })
  if (file === null) return null
  return (async function* () {
    try {
      for (let left = bytes; left > 0; ) {
        signal?.throwIfAborted()
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, Math.min(PIECE_BYTES, left), null)
        if (bytesRead === 0) return
        left -= bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await file.close()
    }
  })()
}
