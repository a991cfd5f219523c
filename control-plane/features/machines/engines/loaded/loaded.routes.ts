import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { loadedContracts } from './loaded.contract.ts'
import type { Loaded } from './loaded.service.ts'

export const loadedRoutes = ({ loaded }: { readonly loaded: Loaded }): Route[] => [
  handle(loadedContracts.modelStatus, () => loaded.status()),
  handle(loadedContracts.listLoaded, () => loaded.list()),
  handle(loadedContracts.unload, ({ params }) => loaded.unload(params.model_id)),
  handle(loadedContracts.flushMemory, ({ query }) => loaded.flush(query.unload_model ?? false)),
]
