import { join } from 'node:path'
import { defineArea } from '#control-plane/kernel/define.ts'
import { createBundleImport } from './bundle/bundle-import.ts'
import { createReadBundle } from './bundle/bundle-read.ts'
import { createReadSummary } from './bundle/bundle-summary.ts'
import { createBundleWriter } from './bundle/bundle-write.ts'
import { createMarking } from './bundle/marking.ts'
import { marketplaceRoutes } from './marketplace/marketplace.routes.ts'
import { createMarketplace } from './marketplace/marketplace.service.ts'
import { createMarketplaceFolder } from './marketplace/marketplace-folder.ts'
import { personasRoutes } from './personas/personas.routes.ts'
import { createPersonas } from './personas/personas.service.ts'

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
