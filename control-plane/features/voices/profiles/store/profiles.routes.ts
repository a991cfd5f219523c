import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { PERSONALITIES } from '../design/personalities.ts'
import { profilesContracts } from './profiles.contract.ts'
import type { Profiles } from './profiles.service.ts'

export const profilesRoutes = (profiles: Profiles): Route[] => [
  handle(profilesContracts.personalities, () => [...PERSONALITIES]),
  handle(profilesContracts.list, () => profiles.list()),
  handle(profilesContracts.create, async ({ body, uploads, signal }) =>
    profiles.create(body, uploads['ref_audio'], currentClient().id, signal),
  ),
  handle(profilesContracts.read, ({ params }) => profiles.read(params.profile_id)),
  handle(profilesContracts.update, ({ params, body }) => profiles.update(params.profile_id, body)),
  handle(profilesContracts.remove, ({ params }) => profiles.remove(params.profile_id)),
  handle(profilesContracts.usage, async ({ params }) => profiles.usage(params.profile_id, currentViewer())),
]
