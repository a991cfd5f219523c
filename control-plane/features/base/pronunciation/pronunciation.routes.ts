import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { pronunciationContracts } from './pronunciation.contract.ts'
import type { Pronunciation } from './pronunciation.service.ts'

export const pronunciationRoutes = (pronunciation: Pronunciation): Route[] => [
  handle(pronunciationContracts.list, () => pronunciation.list()),
  handle(pronunciationContracts.add, ({ body }) => pronunciation.add(body)),
  handle(pronunciationContracts.change, ({ params, body }) => pronunciation.change(params.entry_id, body)),
  handle(pronunciationContracts.remove, ({ params }) => pronunciation.remove(params.entry_id)),
  handle(pronunciationContracts.export, () => pronunciation.export()),
  handle(pronunciationContracts.import, ({ body }) => pronunciation.import(body.entries, body.replace)),
]
