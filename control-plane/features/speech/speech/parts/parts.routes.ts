import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { TakeJobs } from '../take/take-job.ts'
import { partsContracts } from './parts.contract.ts'
import type { TakePartsService } from './parts.service.ts'

export const partsRoutes = (parts: TakePartsService, jobs: Pick<TakeJobs, 'createAgain'>): Route[] => [
  handle(partsContracts.listParts, ({ params }) => parts.list(params.history_id)),
  handle(partsContracts.sayAgain, ({ params, signal }) => jobs.createAgain(params.history_id, params.part, currentClient().id, signal)),
  handle(partsContracts.chooseSound, ({ params, body, signal }) => parts.choose(params.history_id, params.part, body.chosen, signal)),
]
