import { defineArea } from '../define.ts'
import { healthRoutes } from './health.routes.ts'
import { metricsRoutes } from './metrics.routes.ts'

export const systemArea = defineArea({
  name: 'system',
  needs: [],
  open: ({ version, figures }) => ({
    routes: [...healthRoutes({ device: () => 'cpu', version }), ...metricsRoutes({ metrics: figures })],
    api: null,
  }),
})
