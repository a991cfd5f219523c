import { join } from 'node:path'
import { defineArea } from '#control-plane/kernel/define.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { communityRoutes } from './community.routes.ts'
import { createCommunity } from './community.service.ts'
import { createPublicFetch } from './fetching/public-fetch.ts'
import { createManifests } from './manifests.service.ts'
import { createCommunityPins } from './pins.store.ts'
import { createSources, SOURCES_FILE } from './sources.ts'
import { starterOf } from './starter.ts'
import { createCommunityVoices } from './voices.service.ts'

/** Hosts of manifests and voices: those of repositories, and those they redirect large files to. */
const HOSTS = ['github.com', 'githubusercontent.com', 'huggingface.co', 'hf.co'] as const

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly community: null
  }
}

export const communityArea = defineArea({
  name: 'community',
  needs: ['archetypes', 'profiles'],
  open: ({ settings, library: { db }, clock, log, dataDir, uploadDisk, version }, { archetypes, profiles: voices }) => {
    const fetch = createPublicFetch({ hosts: HOSTS, version, clock })
    const stopping = new AbortController()
    const community = createCommunity({
      sources: createSources({ named: settings.communitySources, path: join(dataDir, SOURCES_FILE), log }),
      manifests: createManifests({ folder: join(dataDir, 'community'), fetch, hosts: HOSTS, clock, log }),
      recordings: createCommunityVoices({ fetch, pins: createCommunityPins({ db }), clock }),
      starter: () => starterOf(archetypes.featured()),
      archetypes,
      voices,
      uploadDisk,
      stopping: stopping.signal,
    })
    return {
      routes: communityRoutes(community),
      api: null,
      beginStop: () => stopping.abort(new Failure('NOT_READY', 'The studio is stopping.')),
    }
  },
})
