import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { valueContracts } from './values.contract.ts'
import type { Values } from './values.service.ts'

export const valueRoutes = (values: Values): Route[] => [
  handle(valueContracts.list, () => values.list()),
  handle(valueContracts.get, ({ params }) => values.get(params.key)),
  handle(valueContracts.set, ({ params, body }) => values.set(params.key, body.value)),
  handle(valueContracts.rotateKey, () => values.rotateKey()),
]
