import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { soundContracts } from '../sound/sound.contract.ts'
import { hostedContracts } from './hosted.contract.ts'
import type { createHosted } from './hosted.service.ts'

export const hostedRoutes = (hosted: ReturnType<typeof createHosted>): Route[] => [
  handle(soundContracts.hostedSync, ({ params, signal }) => hosted.sync(params.profile_id, signal)),
  handle(hostedContracts.read, () => hosted.shown()),
  handle(hostedContracts.write, ({ body }) => hosted.change(body)),
]
