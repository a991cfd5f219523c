// Where unix sockets lie: the system allows their names a hundred bytes or so, and in a temporary folder another user may have been first.
import { lstatSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Of the name of a socket, on the system that allows least. */
export const SOCKET_PATH_BYTES = 100
/** What our own names add to that of the temporary folder at most. */
const OWN_BYTES = 56

/** The temporary folder, or the system's own where that one's name leaves no room for a socket's. */
export function socketParentFolder(preferred = tmpdir()): string {
  return Buffer.byteLength(preferred) + OWN_BYTES <= SOCKET_PATH_BYTES || process.platform === 'win32' ? preferred : '/tmp'
}

/** A new folder for this user only (0700). */
export const socketFolder = (prefix: string): string => mkdtempSync(join(socketParentFolder(), prefix))

/** Whether somebody else may have made this folder: it stands where everybody may write, and is not this user's alone. */
export function isForeignFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const around = statSync(dirname(folder), { throwIfNoEntry: false })
  if (!found || !around || (around.mode & 0o002) === 0 || !process.getuid) return false
  return !found.isDirectory() || found.uid !== process.getuid() || (found.mode & 0o077) !== 0
}
