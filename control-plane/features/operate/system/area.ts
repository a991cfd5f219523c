import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { docsRoutes } from './docs.routes.ts'
import { healthContracts } from './health.contract.ts'
import { metricsRoutes } from './metrics.routes.ts'
import { createReady } from './ready.ts'
import { openReports } from './reports.ts'
import { webRoutes } from './web.routes.ts'

type HealthParts = {
  readonly device: () => string
  readonly version: string
  readonly ready: ReturnType<typeof createReady>
  readonly work: Platform['work']
}
const healthRoutes = ({ device, version, ready, work }: HealthParts): Route[] => [
  handle(healthContracts.health, () => ({ status: 'ok' as const, device: device(), version })),
  handle(healthContracts.live, () => ({ status: 'ok' as const })),
  handle(healthContracts.ready, () => {
    const refused = work.refusal()
    if (refused) throw refused
    return ready()
  }),
  handle(healthContracts.finish, ({ body }) => ({
    pid: process.pid,
    version,
    running: work.finish(body.wait_seconds * 1000, body.after),
  })),
]

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly system: null
  }
}

/** Its module is loaded at the first scrape. */
const addFigures = async (
  platform: Platform,
  measure: SettingsApi['measureFolders'],
  { notices, backups }: Pick<ReturnType<typeof openReports>, 'notices' | 'backups'>,
): Promise<void> => (await import('./figures/figures.ts')).addFigures({ ...platform, measure, notices, backups })

export const systemArea = defineArea({
  name: 'system',
  needs: ['engines', 'library', 'models', 'network', 'people', 'settings', 'speech'],
  open: (platform, apis) => {
    const { version, figures, access, settings, declared, work } = platform
    const reports = openReports(platform, apis)
    return {
      routes: [
        ...healthRoutes({ device: () => 'cpu', version, ready: createReady(platform), work }),
        ...metricsRoutes({ metrics: figures, addFigures: () => addFigures(platform, apis.settings.measureFolders, reports) }),
        ...webRoutes({
          version,
          hasKey: access.keys.isSet,
          isDevelopment: settings.development,
          clock: platform.clock,
          log: platform.log,
          signInOffer: apis.people.signInOffer,
        }),
        ...docsRoutes(
          { contracts: [...declared.contracts, ...MOUNTED], sockets: declared.sockets },
          { title: 'Voice Studio', version },
          settings.basePath,
        ),
        ...reports.routes,
      ],
      api: null,
      services: reports.services,
      beginStop: reports.beginStop,
    }
  },
})
