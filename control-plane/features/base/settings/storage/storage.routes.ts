import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { ModelsDir } from './models-dir.service.ts'
import { storageContracts } from './storage.contract.ts'
import type { Storage } from './storage.service.ts'

export const storageRoutes = ({ modelsDir, storage }: { readonly modelsDir: ModelsDir; readonly storage: Storage }): Route[] => [
  handle(storageContracts.readModelsDir, () => modelsDir.view()),
  handle(storageContracts.chooseModelsDir, ({ body }) => modelsDir.choose(body.authorization)),
  handle(storageContracts.report, ({ query }) => storage.report(query.refresh)),
  handle(storageContracts.clearTemporary, () => storage.clearTemporary()),
]
