import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { describe } from '#shared/voices/describe.ts'
import type { ArchetypesApi } from './api.ts'
import { archetypesContracts } from './archetypes.contract.ts'
import type { ArchetypeService } from './archetypes.service.ts'
import type { Clips } from './previews/clips.service.ts'

type Deps = {
  readonly archetypes: ArchetypeService
  readonly downloads: Clips
  readonly sounds: Pick<ArchetypesApi, 'preview'>
}

export const archetypesRoutes = ({ archetypes, downloads, sounds }: Deps): Route[] => [
  handle(archetypesContracts.describe, ({ body }) => {
    const { attrs, instruct, matched, unmatched } = describe(body.description)
    return { attrs, instruct, matched: [...matched], unmatched: [...unmatched] }
  }),
  handle(archetypesContracts.categories, () => archetypes.categories()),
  handle(archetypesContracts.previewStatus, () => downloads.status()),
  handle(archetypesContracts.setPreviews, ({ body }) => downloads.enable(body.enabled)),
  handle(archetypesContracts.checkPreviews, () => downloads.check()),
  handle(archetypesContracts.list, ({ query }) => archetypes.page(query)),
  handle(archetypesContracts.read, ({ params }) => archetypes.get(params.archetype_id)),
  handle(archetypesContracts.previewState, ({ params }) => archetypes.previewState(params.archetype_id)),
  handle(archetypesContracts.preview, ({ params, query, signal }) => sounds.preview(params.archetype_id, query.local, signal)),
  handle(archetypesContracts.use, async ({ params, query, signal }) =>
    archetypes.use(params.archetype_id, query.name, currentClient().id, signal),
  ),
]
