import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { dubUploadContracts } from './upload.contract.ts'
import type { createDubUploads } from './upload.service.ts'

export const dubUploadRoutes = (uploads: ReturnType<typeof createDubUploads>): Route[] => [
  handle(
    dubUploadContracts.upload,
    async ({ body, uploads: sent }) => uploads.start(sent['video']!, body, currentClient().id),
    uploads.requirePrograms,
  ),
]
