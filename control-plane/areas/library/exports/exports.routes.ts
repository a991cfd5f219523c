import { handle, type Route } from '../../../http/handle.ts'
import { exportsContracts } from './exports.contract.ts'
import type { Exports } from './exports.service.ts'

export const exportsRoutes = (exports: Exports): Route[] => [
  handle(exportsContracts.copy, ({ body, signal }) => exports.copy(body, signal)),
  handle(exportsContracts.record, ({ body }) => exports.record(body)),
  handle(exportsContracts.list, () => exports.list()),
  handle(exportsContracts.reveal, ({ body }) => exports.reveal(body.path)),
]
