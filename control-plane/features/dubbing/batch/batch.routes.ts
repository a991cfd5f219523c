import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { contentDisposition } from '#control-plane/http/contract/respond.ts'
import { batchContracts } from './batch.contract.ts'
import type { createBatch } from './batch.service.ts'

/** Name of the zip file with all films. */
const ALL_NAME = 'films.zip'

export const batchRoutes = (batch: ReturnType<typeof createBatch>): Route[] => [
  handle(batchContracts.enqueue, async ({ body, uploads }) => batch.enqueue(uploads['video']!, body, currentClient().id)),
  handle(batchContracts.change, ({ params, body }) => batch.change(params.job_id, body)),
  handle(batchContracts.start, ({ params }) => batch.start(params.job_id)),
  handle(batchContracts.again, ({ params, body }) => batch.again(params.job_id, body.langs, currentClient().id)),
  handle(batchContracts.downloadAll, async () => ({
    type: 'application/zip',
    body: await batch.everything(currentViewer()),
    file: { name: ALL_NAME, disposition: 'attachment' },
    cache: 'no-cache',
  })),
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
