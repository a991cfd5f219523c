import { defineArea } from '#control-plane/kernel/define.ts'
import { jobsRoutes } from './jobs.routes.ts'
import { createJobsService } from './jobs.service.ts'
import { liveSocket } from './live.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly jobs: null
  }
}

export const jobsArea = defineArea({
  name: 'jobs',
  needs: [],
  open: ({ jobs, bus, makers }) => ({
    routes: jobsRoutes(createJobsService({ jobs })),
    sockets: [liveSocket(bus, makers)],
    api: null,
    beginStop: () => {
      bus.end()
      jobs.beginStop()
    },
  }),
})
