import { join } from 'node:path'
import { emptyFolder } from '#shared/runtime/file.ts'
import { defineArea } from '../define.ts'
import { createRenderer } from './design/render.ts'
import { createBlobs } from './files/blobs.ts'
import { createProfiles } from './profiles/create.service.ts'
import { createProfileStore } from './profiles/profile.store.ts'
import { createSamples } from './profiles/samples.ts'
import { createResolver } from './resolve.service.ts'

export const voicesArea = defineArea({
  name: 'voices',
  needs: ['engines', 'library', 'recognition', 'workers'],
  open: (platform, { workers: { targetOf } }) => {
    const { db, artifacts, intake, inference, offered, bus, clock, random, dataDir } = platform
    const workFolder = emptyFolder(join(dataDir, 'voice-work'))
    const store = createProfileStore({ db })
    artifacts.addNamer(store.names)
    const blobs = createBlobs({ artifacts, intake, workFolder, random })
    const renderer = createRenderer({ inference, offered, target: () => targetOf('tts'), workFolder, random })
    const { renderDesign, designEngine } = renderer
    const samples = createSamples({ store, blobs, renderDesign, bus, clock })
    const create = createProfiles({ store, blobs, bus, clock, random, created: () => {} })
    return {
      routes: [],
      api: {
        create,
        find: store.find,
        byOrigin: store.byOrigin,
        list: store.list,
        statementOf: store.statementOf,
        renderDesign,
        designEngine,
        resolve: createResolver({ store, samples, offered }),
      },
      beginStop: renderer.stop,
    }
  },
})
