import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { marketplaceContracts } from './marketplace.contract.ts'
import type { Marketplace } from './marketplace.service.ts'

export const marketplaceRoutes = (marketplace: Marketplace): Route[] => [
  handle(marketplaceContracts.exportBundle, ({ params, signal }) => marketplace.export(params.profile_id, signal)),
  handle(marketplaceContracts.importBundle, async ({ uploads, signal }) =>
    marketplace.import(uploads['file']!, currentClient().id, signal),
  ),
  handle(marketplaceContracts.publish, ({ params, query, signal }) => marketplace.publish(params.profile_id, query.tags, signal)),
  handle(marketplaceContracts.browse, ({ query, signal }) => marketplace.browse(query.search ?? '', signal)),
  handle(marketplaceContracts.install, async ({ params, signal }) => marketplace.install(params.filename, currentClient().id, signal)),
  handle(marketplaceContracts.remove, ({ params }) => marketplace.remove(params.filename)),
]
