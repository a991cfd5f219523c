// Creates Unix sockets in a short, private runtime directory: socket paths are limited to about 100 bytes, and another user may have created a folder in the temporary directory.
import { lstatSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Longest socket path on the most restrictive system. */
export const SOCKET_PATH_BYTES = 100
/** Longest part that our own names add to the temporary folder. */
const OWN_BYTES = 56

/** The temporary folder, or `/tmp` when its path is too long for a socket. */
export function socketParentFolder(preferred = tmpdir(), platform: NodeJS.Platform = process.platform): string {
  return Buffer.byteLength(preferred) + OWN_BYTES <= SOCKET_PATH_BYTES || platform === 'win32' ? preferred : '/tmp'
}

/** A new folder for this user only (0700). */
export const socketFolder = (prefix: string): string => mkdtempSync(join(socketParentFolder(), prefix))

/** Address of a server of this machine: a socket in the folder, or on Windows, which has no sockets in folders for Node, a pipe of its name. */
export const localAddress = (folder: string, name: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? pipeAddress(`${basename(folder)}-${name}`) : join(folder, name)
/** Address of a pipe on Windows. Everyone can list the names of pipes, and the first server of a name keeps it. */
export const pipeAddress = (name: string): string => `\\\\.\\pipe\\${name}`

/** True when another user may have created this folder: its parent is world-writable, and it is not private to this user. */
export function isForeignFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const around = statSync(dirname(folder), { throwIfNoEntry: false })
  if (!found || !around || (around.mode & 0o002) === 0 || !process.getuid) return false
  return !found.isDirectory() || found.uid !== process.getuid() || (found.mode & 0o077) !== 0
}
