// Copies the program from the folder in which npm installed it. Hard links take no space and no time; npm replaces files and never writes into them.
import { chmodSync, constants, copyFileSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { filesOf, plainMode } from './tree.ts'

const MAX_MANIFEST_BYTES = 1024 * 1024
/** A name of npm: no path leads out of the folder that holds the packages. */
const packageName = z
  .string()
  .max(214)
  .regex(/^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/)
const names = z.record(packageName, z.string().max(200)).default({})
const Manifest = z.object({
  name: z.string().max(214),
  version: z.string().max(64),
  dependencies: names,
  optionalDependencies: names,
})
export type ProgramManifest = z.output<typeof Manifest>

/** The manifest of the package in this folder. Throws an Error for a folder without one. */
export function packageManifest(root: string): ProgramManifest {
  const path = join(root, 'package.json')
  if (lstatSync(path).size > MAX_MANIFEST_BYTES) throw new Failure('BAD_REQUEST', `${path} is too large for a manifest.`)
  return Manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
}

/** `to`: from the root of the version. */
type Part = { readonly from: string; readonly to: string }

/** The package, and the packages that npm installed beside it because they differ between machines. */
export function packageParts(root: string): Part[] {
  const own = realpathSync(root)
  const parts: Part[] = [{ from: own, to: '' }]
  for (const { from } of parts) {
    const { dependencies, optionalDependencies } = packageManifest(from)
    for (const name of Object.keys({ ...optionalDependencies, ...(from !== own && dependencies) })) {
      const found = folderOf(name, from)
      const to = join('node_modules', name)
      if (found === null || isBelow(found, own) || parts.some((part) => part.to === to)) continue
      parts.push({ from: found, to })
    }
  }
  return parts
}

/** The folder from which a package at `from` loads another one; null where npm has left it out. */
function folderOf(name: string, from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return realpathSync(place)
    if (dirname(at) === at) return null
  }
}
const isBelow = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`)
}

/** Fills the empty folder `to` with the program. Throws disk errors. */
export function copyProgram(root: string, to: string): void {
  for (const part of packageParts(root)) copyPart(part.from, join(to, part.to))
}

/** Copies the files of a package, as hard links where the file system and the rights of the files permit. */
export function copyPart(from: string, to: string): void {
  const made = new Set<string>()
  for (const { path, mode } of filesOf(from)) {
    const target = join(to, path)
    if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    made.add(dirname(target))
    if (!linked(join(from, path), target)) {
      copyFileSync(join(from, path), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      chmodSync(target, mode)
    }
  }
}

/** A link shares owner and rights with the original, so a file that others may change is copied. */
function linked(from: string, to: string): boolean {
  const { uid, mode } = lstatSync(from)
  if (uid !== process.getuid?.() || (mode & 0o777) !== plainMode(mode)) return false
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (/^(?:ENOSPC|EDQUOT|EIO|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
    return false // another file system, or one without hard links
  }
}
