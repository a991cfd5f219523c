// Files that must survive a power cut, and files that only their owner may read.
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Replaces the file atomically: temporary file, fsync, rename, fsync of the folder. Throws disk errors. */
export function writeAtomic(path: string, bytes: string | Uint8Array, mode = 0o600): void {
  const temporary = `${path}.${process.pid}.new`
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  const file = openSync(temporary, 'w', mode)
  try {
    for (let at = 0; at < buffer.length; ) at += writeSync(file, buffer, at)
    fsyncSync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  replaceFile(temporary, path)
  syncNow(dirname(path))
}

/** Windows cannot flush a folder: its file system keeps a journal of names instead. It flushes only files that are open for writing. */
const canSyncFolders = (platform: NodeJS.Platform = process.platform): boolean => platform !== 'win32'

/** Longest time that a scanner for viruses, or an index, was seen to hold a new file, in milliseconds. */
const HELD_MS = 500
const PAUSE_MS = 25
/**
 * Renames a file to a name that may be taken. On Windows another program that reads the old file at that moment makes it fail, so there it is
 * tried again for half a second, which blocks the process. Throws disk errors.
 */
export function replaceFile(from: string, to: string, { platform = process.platform as string, rename = renameSync } = {}): void {
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      return rename(from, to)
    } catch (error) {
      const isHeld = platform === 'win32' && /^(EPERM|EACCES|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '')
      if (!isHeld || waited >= HELD_MS) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}

/** Same as `syncPath`, and follows links. */
export function syncNow(path: string): void {
  if (!canSyncFolders() && statSync(path).isDirectory()) return
  const file = openSync(path, canSyncFolders() ? 'r' : 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Flushes a file, or the names in a folder where the system can, to the disk. Throws ELOOP for a link, and disk errors. */
export async function syncPath(path: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  if (!canSyncFolders(platform) && (await stat(path)).isDirectory()) return
  const file = await open(path, canSyncFolders(platform) ? constants.O_RDONLY | constants.O_NOFOLLOW : constants.O_RDWR)
  await file.sync().finally(() => file.close())
}

/** Creates the folder and its parents for this user only. Does not use a recursive mkdir, which never returns below /proc. */
export function privateFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    privateFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
  return path
}

/**
 * The path of a file in the folder. Every name that is no constant passes here: rows and parameters of jobs may come from a database that was
 * written elsewhere. Throws for a name that leads out of the folder.
 */
export function fileIn(folder: string, name: string): string {
  if (!isFileName(name)) throw new Error(`${JSON.stringify(name.slice(0, 100))} is not the name of a file.`)
  return join(folder, name)
}
/** Removes the file; nothing happens for a name that leads out of the folder, which names no file of it. */
export function removeFileIn(folder: string, name: string): void {
  if (isFileName(name)) rmSync(fileIn(folder, name), { force: true })
}
/** True if the name is that of a file in a folder, and no path. */
export const isFileName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && name === basename(name)

/** Private keys and other small secrets under names, each written as a whole. */
export type Keys = {
  /** Null if there is none. Throws the error of the disk or of the database, AUTH_FAILED for bytes that cannot be decrypted. */
  readonly read: (name: string) => Promise<Buffer | null>
  /** Durable when it resolves; until then, and if it fails, the earlier bytes are kept. */
  readonly write: (name: string, bytes: string | Uint8Array) => Promise<void>
  /** Names that begin with `prefix`, in alphabetical order. */
  readonly list: (prefix: string) => Promise<readonly string[]>
  /** Nothing happens if there is none. */
  readonly remove: (name: string) => Promise<void>
  /** For messages: where the owner finds it. */
  readonly placeOf: (name: string) => string
}

/** Keys as private files below `root`. A name is that of a file, or FOLDER/FILE. The files are small, so their reads and writes do not wait. */
export function createFolderKeys(root: string): Keys {
  const placeOf = (name: string) => name.split('/').reduce(fileIn, root)
  return {
    placeOf,
    async read(name) {
      try {
        return readFileSync(placeOf(name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async write(name, bytes) {
      const path = placeOf(name)
      privateFolder(dirname(path))
      writeAtomic(path, bytes)
    },
    async list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      const path = folder === '' ? root : placeOf(folder.slice(0, -1))
      if (!statSync(path, { throwIfNoEntry: false })) return []
      const names = readdirSync(path).map((name) => `${folder}${name}`)
      // What an interrupted write left has the ending of `writeAtomic`.
      return names.filter((name) => name.startsWith(prefix) && !name.endsWith('.new')).sort()
    },
    remove: async (name) => rmSync(placeOf(name), { force: true }),
  }
}

/** An empty private folder; deletes the files of an earlier run. */
export function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true })
  return privateFolder(path)
}

/** True if the disk refused to write: it is full, read-only or broken. */
export const isDiskError = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EROFS|EIO|EFBIG)$/.test((error as NodeJS.ErrnoException | null)?.code ?? '')
/** True for an error of the operating system, whose message has paths. */
export const isSystemError = (error: unknown): boolean => /^E[A-Z0-9]+$/.test((error as NodeJS.ErrnoException | null)?.code ?? '')
/** True if SQLite wrote nothing because of its disk: it is full, read-only or broken. */
export const isStorageError = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test((error as { code?: string } | null)?.code ?? '')
