// The folder of the models: the owner's choice, or one in the data directory.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { foreignAccess } from '#shared/runtime/access/foreign-access.ts'
import { fileIn, privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { storageSettings } from './storage.settings.ts'

export const defaultModelsFolder = (dataDir: string): string => join(dataDir, 'local-agent', 'models')

/**
 * Problem of a folder that cannot hold the models, as sentences; null when it can. It is created if it is missing. Other users must not be
 * able to change it, because they could replace a model after its digest was verified.
 */
export function modelsFolderProblem(folder: string): string | null {
  if (!isWritableFolder(folder)) return 'The studio cannot create files in this folder. Choose another one, or correct its access rights.'
  const foreign = foreignAccess(folder)
  return foreign && `${foreign.problem} ${foreign.remedy}`
}

function isWritableFolder(folder: string): boolean {
  const probe = fileIn(folder, `.write-test-${process.pid}`)
  try {
    privateFolder(folder)
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    return false
  } finally {
    try {
      rmSync(probe, { force: true })
    } catch {} // A folder that cannot be read has no test file.
  }
}

type Deps = { readonly settings: Pick<OwnerSettings, 'read'>; readonly dataDir: string; readonly log: Log }

/**
 * The folder for this run, which exists. A chosen folder that cannot be used, such as one on a disk that is not mounted, must not stop the
 * studio: the default is used, the log says so, and the settings show both. Throws disk errors of the data directory.
 */
export function openModelsFolder({ settings, dataDir, log }: Deps): string {
  const chosen = settings.read(storageSettings.modelsDir)
  const problem = chosen === '' ? null : modelsFolderProblem(chosen)
  if (chosen !== '' && problem === null) return chosen
  if (problem !== null) log.error({ folder: chosen, problem }, 'the chosen folder of the models cannot be used; the default folder is used')
  return privateFolder(defaultModelsFolder(dataDir))
}
