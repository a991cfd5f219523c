import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { definePoolArea } from '#control-plane/kernel/define.ts'
import { createKey } from '#shared/pki/key.ts'
import { lendingContracts } from './lending.contract.ts'
import { createLendingService, type LendingService } from './lending.service.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly lending: null
  }
}

const lendingRoutes = (lending: LendingService): Route[] => [
  handle(lendingContracts.lendingStatus, () => lending.status()),
  handle(lendingContracts.joinStudio, ({ body }) => lending.join(body.token)),
  handle(lendingContracts.setLending, ({ body }) => lending.lend(body.enabled)),
  handle(lendingContracts.inbound, () => lending.inbound()),
  handle(lendingContracts.setInbound, ({ body }) => lending.listen(body)),
  handle(lendingContracts.issueInboundKey, ({ body }) => lending.issueKey(body.label.trim())),
  handle(lendingContracts.revokeInboundKey, ({ params }) => lending.revokeKey(params.key_id)),
  handle(lendingContracts.disconnectInbound, ({ params }) => lending.disconnect(params.session_id)),
  handle(lendingContracts.connect, ({ body }) => lending.connect(body.connection_string)),
  handle(lendingContracts.disconnectFrom, ({ params }) => lending.disconnectFrom(params.endpoint)),
]

export const lendingArea = definePoolArea({
  name: 'lending',
  needs: ['workers'],
  open: ({ agent, connections, dialler, remoteAccess, machines }, { workers }) => ({
    routes: lendingRoutes(
      createLendingService({
        agent,
        connections,
        dialler,
        isRunning: remoteAccess.isOpen,
        isReady: (workerId) => machines.get(workerId)?.isReady() === true,
        removeWorker: workers.remove,
        createKey,
      }),
    ),
    api: null,
  }),
})
