import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { contentDisposition } from '#control-plane/http/contract/respond.ts'
import { batchContracts } from './batch.contract.ts'
import type { createBatch } from './batch.service.ts'

export const batchRoutes = (batch: ReturnType<typeof createBatch>): Route[] => [
  handle(batchContracts.enqueue, async ({ body, uploads }) => batch.enqueue(uploads['video']!, body, currentClient().id)),
  handle(batchContracts.list, async ({ query }) => batch.list(query.status ?? null, query.limit, currentViewer())),
  handle(batchContracts.get, ({ params }) => batch.get(params.job_id)),
  handle(batchContracts.remove, async ({ params }) => {
    await batch.remove(params.job_id)
    return { deleted: true as const }
  }),
  handle(batchContracts.cancel, ({ params }) => batch.cancel(params.job_id)),
  handle(batchContracts.download, async ({ params, signal }) => {
    const { file, type, name } = await batch.download(params.job_id, params.lang, signal)
    return { type, body: file, cache: 'no-cache', headers: { 'content-disposition': contentDisposition('attachment', name) } }
  }),
]
