// Puts a version into the program folder: it is filled under another name and renamed when it is whole. A process that is killed leaves the folder of
// the version, or none.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { isAlive } from '#shared/runtime/child/process-start.ts'
import { isDiskError, privateFolder, syncPath } from '#shared/runtime/file.ts'
import { clearUnfinished, unfinishedIn } from '#shared/runtime/unfinished.ts'
import { programRoot, versionFolder } from '../folder.ts'
import { filesOf, isWholeVersion, writeRecord } from './tree.ts'

/** Files that are written to the disk at once. */
const SYNCS = 32

type Installing = {
  readonly dataFolder: string
  readonly name: string
  readonly version: string
  /** Fills an empty folder. */
  readonly fill: (folder: string) => void | Promise<void>
  /** The files are new on the disk, so they are synced. */
  readonly isNew: boolean
}

/** Resolves with the folder of the version. Throws STORAGE_FULL, and what `fill` throws. */
export async function installVersion({ dataFolder, name, version, fill, isNew }: Installing): Promise<string> {
  const folder = versionFolder(dataFolder, version)
  if (isWholeVersion(folder)) return folder
  const root = privateFolder(programRoot(dataFolder))
  const staged = unfinishedIn(root, '-new')
  try {
    rmSync(staged, { recursive: true, force: true })
    mkdirSync(staged, { mode: 0o700 })
    await fill(staged)
    writeRecord(staged, name, version)
    if (isNew) await syncFiles(staged)
    removeVersion(dataFolder, version)
    renameSync(staged, folder)
    await syncPath(root)
    return folder
  } catch (error) {
    if (isWholeVersion(folder)) return folder // another process was faster
    if (!isDiskError(error)) throw error
    throw new Failure(
      'STORAGE_FULL',
      `The program could not be written to ${root}: ${(error as Error).message}. Free some space, then try again.`,
      {
        cause: error,
      },
    )
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

async function syncFiles(folder: string): Promise<void> {
  const files = filesOf(folder)
  const next = async () => {
    for (let file = files.pop(); file; file = files.pop()) await syncPath(join(folder, file.path))
  }
  await Promise.all(Array.from({ length: SYNCS }, next))
}

/** Removes the folder of a version; a folder that is half removed has another name. */
export function removeVersion(dataFolder: string, version: string): void {
  const folder = versionFolder(dataFolder, version)
  if (!existsSync(folder)) return
  const aside = unfinishedIn(programRoot(dataFolder), `-old-${version}`)
  rmSync(aside, { recursive: true, force: true })
  renameSync(folder, aside)
  rmSync(aside, { recursive: true, force: true })
}

/** A file of `writeAtomic` that has not got its name yet. */
const REPLACING = /^[a-z]+\.[a-z]+\.([1-9]\d{0,9})\.new$/

/** Removes what killed processes left. */
export function tidyPrograms(dataFolder: string): void {
  const root = programRoot(dataFolder)
  if (!existsSync(root)) return
  clearUnfinished(root)
  for (const name of readdirSync(root)) {
    const pid = Number(REPLACING.exec(name)?.[1])
    if (pid === process.pid || (pid > 0 && !isAlive(pid))) rmSync(join(root, name), { force: true })
  }
}
