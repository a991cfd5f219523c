import { join } from 'node:path'
import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { createBundleImport } from './bundle/bundle-import.ts'
import { createReadBundle } from './bundle/bundle-read.ts'
import { createReadSummary } from './bundle/bundle-summary.ts'
import { createBundleWriter } from './bundle/bundle-write.ts'
import { createMarking } from './bundle/marking.ts'
import { marketplaceRoutes } from './marketplace/marketplace.routes.ts'
import { createMarketplace } from './marketplace/marketplace.service.ts'
import { createMarketplaceFolder } from './marketplace/marketplace-folder.ts'
import { personasContracts } from './personas/personas.contract.ts'
import { createPersonas, type Personas } from './personas/personas.service.ts'

const personasRoutes = (personas: Personas): Route[] => [
  handle(personasContracts.exportPersona, ({ params, query, signal }) => personas.export(params.profile_id, query, signal)),
  handle(personasContracts.importPersona, async ({ uploads, signal }) => personas.import(uploads['file']!, currentClient().id, signal)),
  handle(personasContracts.inspect, ({ uploads, signal }) => personas.inspect(uploads['file']!, signal)),
]

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly bundles: null
  }
}

export const bundlesArea = defineArea({
  name: 'bundles',
  needs: ['engines', 'profiles', 'watermark'],
  open: ({ artifacts, clock, dataDir, intake, uploadDisk, version }, { engines, profiles: voices, watermark }) => {
    const marking = createMarking(watermark)
    const writer = createBundleWriter({ voices, artifacts, marking, version, engine: () => engines.active('tts'), clock })
    const bundles = createBundleImport({ readBundle: createReadBundle({ intake, voices }), voices, uploadDisk })
    const files = createMarketplaceFolder(join(dataDir, 'marketplace'))
    const readSummary = createReadSummary(uploadDisk)
    return {
      routes: [
        ...personasRoutes(createPersonas({ voices, bundles, writer, uploadDisk })),
        ...marketplaceRoutes(createMarketplace({ voices, bundles, writer, readSummary, files, uploadDisk })),
      ],
      api: null,
    }
  },
})
