import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { ownContracts } from './own.contract.ts'
import type { OwnModels } from './own.service.ts'

export const ownRoutes = (own: OwnModels): Route[] => [
  handle(ownContracts.add, ({ body, uploads, signal }) => own.add(body, uploads, signal)),
  handle(ownContracts.found, ({ signal }) => own.found(signal)),
]
