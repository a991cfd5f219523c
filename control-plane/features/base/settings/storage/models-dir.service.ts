// The choice of the folder of the models. The path comes from a one-shot authorization and never from the request.
import { isAbsolute, resolve } from 'node:path'
import type { PathAuthorizations } from '#control-plane/store/files/path-authorization.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { defaultModelsFolder, modelsFolderProblem } from './models-folder.ts'
import { storageSettings } from './storage.settings.ts'

type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly authorizations: PathAuthorizations
  readonly dataDir: string
  /** The folder of this run. */
  readonly effective: string
}
export type ModelsDir = ReturnType<typeof createModelsDir>

const CONTROL = /[\x00-\x1f\x7f]/

export function createModelsDir({ settings, authorizations, dataDir, effective }: Deps) {
  const usual = defaultModelsFolder(dataDir)
  return {
    view: () => ({
      configured: settings.read(storageSettings.modelsDir) || null,
      effective,
      default: usual,
      restart_required: false,
    }),
    /** In effect after the next start; models are not moved. Throws FORBIDDEN for the authorization, BAD_REQUEST for its path. */
    async choose(authorization: string) {
      const path = authorizations.claim(authorization, 'models_dir')
      if (path === '') {
        await settings.write(storageSettings.modelsDir, '')
        return { configured: null, default: usual, restart_required: true }
      }
      if (CONTROL.test(path) || !isAbsolute(path))
        throw new Failure('BAD_REQUEST', 'The folder must be an absolute path without control characters.')
      const folder = resolve(path)
      const problem = modelsFolderProblem(folder)
      if (problem !== null) throw new Failure('BAD_REQUEST', problem)
      await settings.write(storageSettings.modelsDir, folder)
      return { configured: folder, effective, restart_required: true }
    },
  }
}
