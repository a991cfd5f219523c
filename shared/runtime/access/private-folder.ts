// Keeps the data folder for one user: new files are private from the start, and files of an earlier version, a copy or a restored backup are
// closed to others before they are used.
import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from './quoted.ts'

/** An entry that was accessible to others. `mode`: its permission bits before; null on Windows, which has none. */
export type ClosedEntry = { readonly path: string; readonly mode: number | null }

const OTHERS = 0o077
const ROOT = 0
/** Below the data folder, keys and identities are at most this deep. */
const MAX_LEVELS = 3
/** Folders with many files. They are closed themselves, which closes everything in them. */
const BULK: ReadonlySet<string> = new Set(['artifacts', 'gpu', 'models', 'outputs', 'program', 'sidecars', 'spool', 'uploads', 'work'])

/** Files and sockets that this process and its children create are private to their user. */
export const restrictNewFiles = (): void => void process.umask(OTHERS)

/** Something that the owner of a data folder has to read; `entries`: how many had been open to others. */
export type FolderNotice = { readonly entries: number; readonly text: string }

/**
 * `closeToOthers` on any system. Null when nothing had to be closed. Throws what that throws, and on Windows where other users keep their access.
 */
export async function keepPrivate(dataDir: string, platform: NodeJS.Platform = process.platform): Promise<FolderNotice | null> {
  if (platform !== 'win32') {
    const closed = closeToOthers(dataDir)
    return closed.length > 0 ? { entries: closed.length, text: closedNotice(closed) } : null
  }
  const { closeOnWindows } = await import('./windows-access.ts')
  const { closed, isKnown } = closeOnWindows(dataDir)
  if (!isKnown) return { entries: 0, text: `Windows does not say who has access to ${dataDir}. Check that only you can read it.` }
  return closed.length > 0 ? { entries: closed.length, text: closedNotice(closed.map((path) => ({ path, mode: null }))) } : null
}

/** Notice about the changes of `closeToOthers`, for a log or a terminal. The list must not be empty. */
export function closedNotice([first, ...more]: readonly ClosedEntry[]): string {
  const others = more.length === 0 ? '' : ` and of ${more.length} more ${more.length === 1 ? 'entry' : 'entries'}`
  const mode = first?.mode == null ? '' : ` (mode ${first.mode.toString(8)})`
  return `The permissions of ${first?.path}${mode}${others} allowed access by other users. That access was removed; nothing was deleted.`
}

/**
 * Removes the access of other users to the data folder, and returns the entries that had it. A missing folder is fine. Entries of root are left
 * as they are: volumes belong to root and have a `lost+found`. Throws an Error with the command that helps for entries of another user and for
 * file systems without access rights.
 */
export function closeToOthers(dataDir: string): ClosedEntry[] {
  const user = process.getuid?.()
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (user === undefined || !found?.isDirectory()) return []
  const top = realpathSync(dataDir)
  const closed: ClosedEntry[] = []

  function close(path: string, { uid, mode }: Stats): void {
    if (uid !== user && uid !== ROOT)
      throw new Error(
        `${path} belongs to another user (uid ${uid}). Start as that user, or check the files and run: sudo chown -R ${user} ${quoted(top)}`,
      )
    if (uid !== user || (mode & OTHERS) === 0) return
    chmodSync(path, mode & 0o700)
    if ((lstatSync(path).mode & OTHERS) !== 0)
      throw new Error(`The file system of ${path} does not store access rights. Choose another STUDIO_DATA_DIR.`)
    closed.push({ path, mode: mode & 0o777 })
  }

  /** A folder is closed before it is read, so that its entries cannot be replaced afterwards. */
  function closeFolder(folder: string, stats: Stats, levels: number, isBulk: boolean): void {
    close(folder, stats)
    if (levels === 0 || isBulk || stats.uid !== user) return
    for (const name of readdirSync(folder)) closeEntry(join(folder, name), name, levels - 1)
  }

  function closeEntry(path: string, name: string, levels: number): void {
    const stats = lstatSync(path, { throwIfNoEntry: false }) // null: the other program removed it meanwhile
    if (!stats || stats.isSymbolicLink()) return
    if (stats.isDirectory()) closeFolder(path, stats, levels, BULK.has(name))
    else close(path, stats)
  }

  if (found.uid === ROOT && user !== ROOT && (found.mode & 0o002) !== 0)
    throw new Error(`Every user can change ${top}. Run: sudo chown ${user} ${quoted(top)}, or set STUDIO_DATA_DIR to a new folder in it.`)
  close(top, found)
  for (const name of readdirSync(top)) closeEntry(join(top, name), name, MAX_LEVELS - 1)
  return closed
}
