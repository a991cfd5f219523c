// The database in an update of the program: a trial on a copy, the copy that an older version can go back to, and its restoration.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { newestVersion, tryMigrations, versionAt } from '../database.ts'
import { backupTo, isInUse, restoreBackup } from './backup.ts'

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
    async restore(from: string): Promise<void> {
      await restoreBackup(from, path)
    },
    isOlder: (): boolean => existsSync(path) && versionAt(path) < newestVersion(),
    isNewer: (): boolean => existsSync(path) && versionAt(path) > newestVersion(),
  }
}
