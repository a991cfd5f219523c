import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { hubContracts } from './hub.contract.ts'
import type { Mirror } from './mirror.service.ts'
import type { HubToken } from './token.service.ts'

export const hubRoutes = ({ token, mirror }: { readonly token: HubToken; readonly mirror: Mirror }): Route[] => [
  handle(hubContracts.setToken, ({ body }) => token.set(body.token)),
  handle(hubContracts.clearToken, ({ query }) => token.clear(query.also_clear_hf_cli)),
  handle(hubContracts.readToken, ({ query }) => token.state(query.fresh)),
  handle(hubContracts.readMirror, () => mirror.state()),
  handle(hubContracts.changeMirror, ({ body }) => mirror.change(body)),
  handle(hubContracts.testMirror, () => mirror.test()),
]
