import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { dubIngestContracts } from './ingest.contract.ts'
import type { createDubIngests } from './ingest.service.ts'

export const dubIngestRoutes = (ingests: ReturnType<typeof createDubIngests>): Route[] => [
  handle(
    dubIngestContracts.ingest,
    async ({ body, caller, headers }) => ingests.start(body, currentClient().id, { isLocal: caller.name === 'loopback', headers }),
    ingests.requirePrograms,
  ),
]
