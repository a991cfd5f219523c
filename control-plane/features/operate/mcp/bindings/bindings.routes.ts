import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { bindingsContracts } from './bindings.contract.ts'
import type { Bindings } from './bindings.service.ts'

export const bindingsRoutes = (bindings: Bindings): Route[] => [
  handle(bindingsContracts.list, () => bindings.list()),
  handle(bindingsContracts.write, ({ body }) => bindings.write(body)),
  handle(bindingsContracts.remove, ({ params }) => bindings.remove(params.client_id)),
]
