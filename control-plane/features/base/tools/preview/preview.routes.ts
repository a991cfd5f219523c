import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { previewContracts } from './preview.contract.ts'
import type { Previews } from './preview.service.ts'

export const previewRoutes = (previews: Previews): Route[] => [
  handle(previewContracts.upload, ({ uploads, signal }) => previews.keep(uploads['video']!, signal)),
]
