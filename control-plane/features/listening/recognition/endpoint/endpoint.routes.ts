import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { endpointContracts } from './endpoint.contract.ts'
import type { EndpointService } from './endpoint.service.ts'

export type EndpointParts = { readonly endpoint: EndpointService }

export const endpointRoutes = ({ endpoint }: EndpointParts): Route[] => [
  handle(endpointContracts.readEndpoint, () => endpoint.view()),
  handle(endpointContracts.nameEndpoint, ({ body }) =>
    endpoint.change({ base_url: body.base_url ?? null, model: body.model ?? null, api_key: body.api_key ?? null }),
  ),
  handle(endpointContracts.testEndpoint, ({ signal }) => endpoint.test(signal)),
]
