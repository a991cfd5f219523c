import { CONTRACTS } from '../contracts.ts'
import { defineArea } from '../define.ts'
import { docsRoutes } from './docs.routes.ts'
import { healthRoutes } from './health.routes.ts'
import { metricsRoutes } from './metrics.routes.ts'
import { webRoutes } from './web.routes.ts'

export const systemArea = defineArea({
  name: 'system',
  needs: [],
  open: ({ version, figures, access }) => ({
    routes: [
      ...healthRoutes({ device: () => 'cpu', version }),
      ...metricsRoutes({ metrics: figures }),
      ...webRoutes({ version, hasKey: access.keys.isSet }),
      ...docsRoutes(CONTRACTS, { title: 'Voice Studio', version }),
    ],
    api: null,
  }),
})
