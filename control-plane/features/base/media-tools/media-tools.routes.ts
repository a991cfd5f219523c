import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { mediaToolsContracts } from './media-tools.contract.ts'
import type { MediaToolsService } from './media-tools.service.ts'

export const mediaToolsRoutes = (tools: MediaToolsService): Route[] => [
  handle(mediaToolsContracts.readStatus, () => tools.status()),
  handle(mediaToolsContracts.acquire, () => tools.acquire()),
  handle(mediaToolsContracts.updateYtdlp, () => tools.updateYtdlp()),
  handle(mediaToolsContracts.restoreYtdlp, () => tools.restoreYtdlp()),
  handle(mediaToolsContracts.choosePath, ({ params, body }) => tools.choosePath(params.tool, body.authorization)),
  handle(mediaToolsContracts.useSystem, ({ params }) => tools.useSystem(params.tool)),
  handle(mediaToolsContracts.restore, ({ params }) => tools.restore(params.tool)),
]
