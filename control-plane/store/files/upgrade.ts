// The database in an update of the program: a trial on a copy, the copy that an older version can go back to, and its restoration.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { unfinishedNames } from '#shared/runtime/unfinished.ts'
import { newestVersion, tryMigrations, versionAt } from '../database.ts'
import { backupTo, isInUse, restoreBackup, undoRestore } from './backup.ts'

export type UpgradeTrial = { readonly changesDatabase: boolean; readonly objection: string | null }

/** Tries this version of the program with the database of a data folder. Throws disk errors. */
export function tryUpgrade(dataFolder: string): UpgradeTrial {
  const path = join(dataFolder, 'studio.db')
  if (!existsSync(path)) return { changesDatabase: false, objection: null }
  try {
    const at = tryMigrations(path)
    return { changesDatabase: at !== 0 && at < newestVersion(), objection: null }
  } catch (error) {
    if (error instanceof Failure && error.code === 'UPGRADE_REQUIRED') return { changesDatabase: false, objection: error.message }
    throw error
  }
}

/** The database of this folder, for the switch between two versions of the program. */
export function switchedDatabase(dataFolder: string) {
  const path = join(dataFolder, 'studio.db')
  return {
    /** Throws CONFLICT while a studio uses the database, and disk errors. */
    copy(to: string): void {
      if (isInUse(path))
        throw new Failure('CONFLICT', 'A studio uses this data folder and was not reached. Set STUDIO_HOST and STUDIO_PORT to its address.')
      rmSync(to, { force: true })
      backupTo(path, to)
    },
    /** The database that is replaced stays beside the other one. Rejects as `restoreBackup` does. */
    async restore(from: string, note?: (kept: string) => void): Promise<void> {
      await restoreBackup(from, path, (kept) => note?.(basename(kept)))
    },
    /** Nothing happens if the file is gone. Throws CONFLICT while a studio uses the database, and disk errors. */
    putBack(kept: string): void {
      const place = fileIn(dataFolder, kept)
      if (existsSync(place)) undoRestore(place, path)
    },
    isOlder: (): boolean => existsSync(path) && versionAt(path) < newestVersion(),
    isNewer: (): boolean => existsSync(path) && versionAt(path) > newestVersion(),
    /** A text that changes while the database or a copy of it grows. */
    progress: (): string =>
      [path, `${path}-wal`, `${path}-journal`, ...growingIn(dataFolder), ...growingIn(join(dataFolder, 'program'))].map(sizeOf).join(),
  }
}

/** Paths of what is unfinished in the folder. Folders are of one level, with copies that are read. */
const growingIn = (folder: string): string[] => unfinishedNames(folder).flatMap((path) => [path, ...namesIn(path)])

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => fileIn(folder, name))
  } catch {
    return [] // a file, or removed meanwhile
  }
}

function sizeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.size} ${found.mtimeMs}` : ''
}
