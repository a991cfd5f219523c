import { definePoolArea } from '#control-plane/kernel/define.ts'
import type { FollowContract } from './jobs.contract.ts'
import { jobsRoutes } from './jobs.routes.ts'
import { createJobsService } from './jobs.service.ts'
import { liveSocket } from './live.ts'

declare module '#control-plane/kernel/platform.ts' {
  interface Declared {
    readonly followJob: FollowContract
  }
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly jobs: null
  }
}

export const jobsArea = definePoolArea({
  name: 'jobs',
  needs: [],
  open: ({ jobs, bus, makers, declared }) => ({
    routes: jobsRoutes(createJobsService({ jobs }), declared.followJob),
    sockets: [liveSocket(bus, makers)],
    api: null,
    beginStop: () => {
      bus.end()
      jobs.beginStop()
    },
  }),
})
