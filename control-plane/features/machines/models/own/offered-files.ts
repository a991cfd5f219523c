// The files of a path that its owner wants to add: a file with what lies beside it, or a folder. Links are followed only where they stay within the
// folder, or within the repository of a cache of the hub, whose files are links to its blobs.
import { type Dirent, realpathSync } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { OWN_LIMITS } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn, isSystemError } from '#shared/runtime/file.ts'

/** `name`: with the folders below the one that was chosen, separated by slashes. `path`: of the file itself, no link. */
export type OfferedFile = { readonly name: string; readonly path: string; readonly size: number }

const DEPTH = 6
/** Folders and files that the system or a program keeps for itself. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === '__MACOSX'
/** True for a file that belongs to a single one: its configuration, its weights, and the voices and tables of symbols of its engine. */
const isBeside = (name: string, file: string): boolean =>
  name === `${file}.json` ||
  name === `${file}_data` ||
  name === `${file}.data` ||
  /^(?:config|tokenizer)\.json$/i.test(name) ||
  /^voices.{0,40}\.(?:bin|npz)$/i.test(name)

const refused = (why: string) => new Failure('BAD_REQUEST', why)

/** Throws NOT_FOUND for a path that cannot be read, BAD_REQUEST for what cannot be added. */
export async function filesOfPath(path: string, signal: AbortSignal): Promise<OfferedFile[]> {
  try {
    return await filesAt(path, signal)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new Failure('NOT_FOUND', 'A file or a folder in it cannot be read by this user, or was removed meanwhile.', { cause: error })
  }
}

async function filesAt(path: string, signal: AbortSignal): Promise<OfferedFile[]> {
  const real = await realpath(path).catch((cause: unknown) => {
    throw new Failure('NOT_FOUND', 'There is no such file or folder, or this user may not read it.', { cause })
  })
  const found = await stat(real)
  if (found.isDirectory()) {
    const files = await filesBelow(real, repositoryAround(path, real), signal)
    if (files.length === 0) throw refused('The folder is empty.')
    return files
  }
  if (!found.isFile()) throw refused('This is neither a file nor a folder.')
  // The name under which it was chosen: a file of a cache has none of its own.
  const [name, folder] = [basename(path), dirname(path)]
  const around = (await readdir(folder, { withFileTypes: true })).filter((other) => other.name !== name && isBeside(other.name, name))
  const within = repositoryAround(path, await realpath(folder))
  const files = [{ name, path: real, size: found.size }]
  for (const other of around)
    if (!other.isDirectory()) files.push({ name: other.name, ...(await fileOf(other, fileIn(folder, other.name), within)) })
  return withinLimits(files)
}

/** The folder in which links may lead: the repository in a cache, or the folder itself. */
function repositoryAround(path: string, real: string): string {
  for (const place of [real, path]) {
    const parts = place.split(sep)
    const at = parts.findLastIndex((part) => part.startsWith('models--'))
    if (at > 0 && parts[at + 1] === 'snapshots') return realpathSync(parts.slice(0, at + 1).join(sep))
  }
  return real
}

async function filesBelow(root: string, within: string, signal: AbortSignal): Promise<OfferedFile[]> {
  const files: OfferedFile[] = []
  async function walk(folder: string, depth: number): Promise<void> {
    signal.throwIfAborted()
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (isHidden(entry.name)) continue
      const path = fileIn(folder, entry.name)
      if (entry.isDirectory()) {
        if (depth >= DEPTH) throw refused(`The folder has more than ${DEPTH} levels. Choose the folder of one model.`)
        await walk(path, depth + 1)
        continue
      }
      const file = await fileOf(entry, path, within)
      files.push({ name: relative(root, path).replaceAll(sep, '/'), ...file })
      withinLimits(files)
    }
  }
  await walk(root, 0)
  return files
}

async function fileOf(entry: Dirent, path: string, within: string): Promise<{ path: string; size: number }> {
  const name = entry.name.slice(0, 80)
  if (entry.isFile()) return { path, size: (await lstat(path)).size }
  if (!entry.isSymbolicLink()) throw refused(`${name} is neither a file nor a folder. Choose a folder with the files of one model.`)
  const real = await realpath(path).catch(() => '')
  if (real === '') throw refused(`${name} is a link to a file that is not there.`)
  if (!real.startsWith(within + sep)) throw refused(`${name} is a link that leads out of the folder. Copy the file itself into it.`)
  const found = await stat(real)
  if (!found.isFile()) throw refused(`${name} is a link to something that is no file.`)
  return { path: real, size: found.size }
}

/** Throws BAD_REQUEST. */
export function withinLimits<F extends Pick<OfferedFile, 'name' | 'size'>>(files: F[]): F[] {
  const { files: most, bytes, nameLength } = OWN_LIMITS
  if (files.length > most) throw refused(`There are more than ${most} files. Add those of one model.`)
  if (files.reduce((sum, { size }) => sum + size, 0) > bytes) throw refused(`The files are larger than ${bytes / 1e9} GB together.`)
  const long = files.find(({ name }) => name.length > nameLength)
  if (long)
    throw refused(`The name of a file has more than ${nameLength} characters: ${long.name.slice(0, 80)}… Rename it, or its folders.`)
  return files
}
