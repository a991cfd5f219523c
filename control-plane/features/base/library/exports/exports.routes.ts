import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { exportsContracts } from './exports.contract.ts'
import type { Exports } from './exports.service.ts'

export const exportsRoutes = (exports: Exports): Route[] => [
  handle(exportsContracts.copy, async ({ body, signal }) => exports.copy(body, currentClient().id, signal)),
  handle(exportsContracts.record, async ({ body }) => exports.record(body, currentClient().id)),
  handle(exportsContracts.list, async () => exports.list(currentViewer())),
  handle(exportsContracts.reveal, ({ body }) => exports.reveal(body.path)),
]
