import { definePoolArea } from '#control-plane/kernel/define.ts'
import { createKey } from '#shared/pki/key.ts'
import { lendingRoutes } from './lending.routes.ts'
import { createLendingService } from './lending.service.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly lending: null
  }
}

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
