import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Covers } from '../cover/covers.ts'
import { importContracts } from './import.contract.ts'
import type { Imports } from './import.service.ts'

export const importRoutes = (imports: Imports, covers: Covers): Route[] => [
  handle(importContracts.importBook, ({ uploads, signal }) => imports.import(uploads['file']!, signal)),
  handle(importContracts.keepCover, async ({ uploads, signal }) => ({ path: await covers.keepUpload(uploads['cover']!, signal) })),
]
