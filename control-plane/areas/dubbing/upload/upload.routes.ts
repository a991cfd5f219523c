import { handle, type Route } from '../../../http/handle.ts'
import { dubUploadContracts } from './upload.contract.ts'
import type { createDubUploads } from './upload.service.ts'

export const dubUploadRoutes = (uploads: ReturnType<typeof createDubUploads>): Route[] => [
  handle(dubUploadContracts.upload, ({ body, uploads: sent }) => uploads.start(sent['video']!, body), uploads.requirePrograms),
]
