// Copies a finished file to the place that the owner has chosen: completely or not at all.
import { constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, isAbsolute, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn } from '#shared/runtime/file.ts'

const CONTROL = /[\x00-\x1f\x7f]/
const FULL = /^(ENOSPC|EDQUOT|EIO)$/

/** Throws BAD_REQUEST unless `path` is absolute, in an existing folder outside of the data directory, and new or a regular file. */
export function checkDestination(path: string, dataDir: string): void {
  if (!isAbsolute(path) || CONTROL.test(path)) throw refused('It must be an absolute path without control characters')
  const folder = realFolder(dirname(path))
  if (folder === null) throw refused('Its folder does not exist')
  const own = realpathSync(dataDir)
  if (folder === own || folder.startsWith(own + sep)) throw refused('It must be outside of the data directory of the studio')
  if (!isFileOrAbsent(path)) throw refused('A folder, a link or a device has this name')
}

/**
 * Makes the folders above `path` that are missing. Throws BAD_REQUEST as `checkDestination`, and for a folder that cannot be made.
 */
export async function makeFolderFor(path: string, dataDir: string): Promise<void> {
  if (!isAbsolute(path) || CONTROL.test(path)) throw refused('It must be an absolute path without control characters')
  // Where `..` leads is unknown until the folders before it exist.
  if (path.split(sep).includes('..')) throw refused('It must not contain ..')
  let known = dirname(path)
  while (isAbsent(known) && dirname(known) !== known) known = dirname(known)
  // Nothing is made inside of the data directory.
  checkDestination(fileIn(known, 'x'.repeat(8)), dataDir)
  await mkdir(dirname(path), { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    throw refused(`Its folder cannot be made (${cause.code ?? 'unknown error'})`, cause)
  })
}

/** `mark`: part of the temporary name beside the destination. Throws STORAGE_FULL, BAD_REQUEST for a folder without access, NOT_FOUND. */
export async function copyFile(source: string, destination: string, mark: string, signal: AbortSignal): Promise<void> {
  const temporary = fileIn(dirname(destination), `.studio-${mark}.part`)
  let input: FileHandle | null = null
  let isOurs = false
  try {
    input = await open(source, constants.O_RDONLY | constants.O_NOFOLLOW)
    const output = await open(temporary, 'wx')
    isOurs = true
    await pipeline(input.createReadStream({ autoClose: false }), output.createWriteStream({ flush: true }), { signal })
    await rename(temporary, destination)
  } catch (cause) {
    if (isOurs) await rm(temporary, { force: true })
    signal.throwIfAborted()
    const { code = '' } = cause as NodeJS.ErrnoException
    if (input === null) throw new Failure('NOT_FOUND', 'This audio file does not exist.', { cause })
    if (FULL.test(code)) throw new Failure('STORAGE_FULL', 'The disk of the chosen folder is full or broken.', { cause })
    throw refused(`The studio cannot write there (${code || 'unknown error'})`, cause)
  } finally {
    await input?.close()
  }
}

const isFileOrAbsent = (path: string): boolean => entryAt(path)?.isFile() ?? true
const isAbsent = (path: string): boolean => entryAt(path) === undefined

/** Throws BAD_REQUEST for a name that the file system refuses. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    throw refused(`Its name cannot be used (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
}

function realFolder(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null
  } catch {
    return null
  }
}

const refused = (why: string, cause?: unknown) =>
  new Failure('BAD_REQUEST', `The destination of the export cannot be used. ${why}. Choose another place.`, { cause })
