import { MOUNTED } from '../../http/mount/folders.ts'
import { CONTRACTS } from '../contracts.ts'
import { defineArea } from '../define.ts'
import { SOCKETS } from '../sockets.ts'
import { docsRoutes } from './docs.routes.ts'
import { healthRoutes } from './health.routes.ts'
import { metricsRoutes } from './metrics.routes.ts'
import { openReports } from './reports.ts'
import { webRoutes } from './web.routes.ts'

export const systemArea = defineArea({
  name: 'system',
  needs: ['engines', 'models', 'network', 'settings', 'speech'],
  open: (platform, apis) => {
    const { version, figures, access, settings } = platform
    const reports = openReports(platform, apis)
    return {
      routes: [
        ...healthRoutes({ device: () => 'cpu', version }),
        ...metricsRoutes({ metrics: figures }),
        ...webRoutes({ version, hasKey: access.keys.isSet, isDevelopment: settings.development }),
        ...docsRoutes({ contracts: [...CONTRACTS, ...MOUNTED], sockets: SOCKETS }, { title: 'Voice Studio', version }, settings.basePath),
        ...reports.routes,
      ],
      api: null,
      services: reports.services,
      beginStop: reports.beginStop,
    }
  },
})
