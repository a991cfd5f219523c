import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { personasContracts } from './personas.contract.ts'
import type { Personas } from './personas.service.ts'

export const personasRoutes = (personas: Personas): Route[] => [
  handle(personasContracts.exportPersona, ({ params, query, signal }) => personas.export(params.profile_id, query, signal)),
  handle(personasContracts.importPersona, async ({ uploads, signal }) => personas.import(uploads['file']!, currentClient().id, signal)),
  handle(personasContracts.inspect, ({ uploads, signal }) => personas.inspect(uploads['file']!, signal)),
]
