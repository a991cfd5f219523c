import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { communityContracts } from './community.contract.ts'
import type { Community } from './community.service.ts'

export const communityRoutes = (community: Community): Route[] => [
  handle(communityContracts.sources, () => ({ sources: [...community.sources()] })),
  handle(communityContracts.manifest, async ({ query }) => {
    const { sources, items, packs, isOffline } = await community.load(query.refresh)
    return { sources: [...sources], packs: [...packs], items: [...items], count: items.length, offline: isOffline }
  }),
  handle(communityContracts.items, ({ query: { refresh, ...query } }) => community.items(query, refresh)),
  handle(communityContracts.submitUrl, ({ query: { type, source } }) => ({ url: community.submitUrl(type, source || null) })),
  handle(communityContracts.preview, ({ params, query, signal }) => community.preview(params.item_id, query.local, signal)),
  handle(communityContracts.use, async ({ params, query }) =>
    community.use(params.item_id, query.name?.trim() || null, currentClient().id),
  ),
]
