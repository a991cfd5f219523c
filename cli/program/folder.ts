// The folder `program` of the data folder: one folder for each version of the program, and a name for the one that runs. The service unit and the
// commands of a package start what this name leads to.
import { readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRelease, newerFirst } from '#shared/protocol/version.ts'
import { syncPath, writeAtomic } from '#shared/runtime/file.ts'
import { unfinishedIn } from '#shared/runtime/unfinished.ts'

/** The link to the folder of the current version; a link to a folder needs a privilege on Windows, which has a file with the version. */
const CURRENT = 'current'
const CURRENT_FILE = 'current.txt'
/** Characters of a version. */
const LONGEST = 64

export type CurrentProgram = { readonly version: string; readonly path: string }

export const programRoot = (dataFolder: string): string => join(dataFolder, 'program')
export const versionFolder = (dataFolder: string, version: string): string => join(programRoot(dataFolder), version)

/** The version that starts, and its folder, whose existence is not checked; null before the first start of a package. */
export function currentProgram(dataFolder: string, platform: string = process.platform): CurrentProgram | null {
  const root = programRoot(dataFolder)
  const version = named(root, platform)
  return version.length <= LONGEST && isRelease(version) ? { version, path: join(root, version) } : null
}

function named(root: string, platform: string): string {
  try {
    return platform === 'win32'
      ? readFileSync(join(root, CURRENT_FILE), 'utf8').slice(0, LONGEST).trim()
      : readlinkSync(join(root, CURRENT))
  } catch {
    return ''
  }
}

/** Makes the version the current one, atomically and durably. Throws disk errors. */
export async function switchProgram(dataFolder: string, version: string, platform: string = process.platform): Promise<void> {
  const root = programRoot(dataFolder)
  if (platform === 'win32') return writeAtomic(join(root, CURRENT_FILE), `${version}\n`)
  const link = unfinishedIn(root, '-current')
  rmSync(link, { force: true })
  symlinkSync(version, link)
  renameSync(link, join(root, CURRENT))
  await syncPath(root)
}

/** The versions that have a folder, the newest first. */
export function versionsIn(dataFolder: string): string[] {
  try {
    return readdirSync(programRoot(dataFolder)).filter(isRelease).sort(newerFirst)
  } catch {
    return []
  }
}

/** True if the program whose files are below `root` runs from the program folder. */
export function runsInPlace(root: string, dataFolder: string): boolean {
  try {
    return realpathSync(dirname(root)) === realpathSync(programRoot(dataFolder))
  } catch {
    return false
  }
}
