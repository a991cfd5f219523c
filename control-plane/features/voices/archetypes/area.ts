import type { Content } from '#control-plane/http/contract/respond.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { archetypes } from '#shared/voices/taxonomy.ts'
import type { ArchetypesApi, Preview } from './api.ts'
import { archetypesRoutes } from './archetypes.routes.ts'
import { createArchetypes } from './archetypes.service.ts'
import { createClips } from './previews/clips.service.ts'
import { createRenderedPreviews } from './previews/preview.service.ts'
import { createPreviewStore } from './previews/preview.store.ts'

const STALL_MS = 10_000

export const archetypesArea = defineArea({
  name: 'archetypes',
  needs: ['profiles', 'watermark'],
  open: ({ settings, choices, library: { db }, artifacts, media, version, clock, log }, { profiles: voices, watermark: { markOf } }) => {
    const featured = () => archetypes().filter(({ is_featured }) => is_featured)
    const store = createPreviewStore({ db })
    artifacts.addNamer(store.names)
    const publisher =
      settings.previewsUrl === null || settings.previewsKey === null
        ? null
        : { url: new URL(settings.previewsUrl), key: settings.previewsKey }
    const base = publisher?.url ?? new URL('https://localhost')
    const downloads = createClips({
      publisher,
      fetch: createFetch({ base, token: null, clock, version, stallMs: STALL_MS }),
      featured,
      store,
      artifacts,
      settings: choices,
      clock,
      log,
    })
    const previews = createRenderedPreviews({ store, artifacts, voices, media, markOf, clock })
    const service = createArchetypes({ all: archetypes, voices, previews, downloads })
    const contentOf = ({ source, type, digest, bytes }: Preview): Content => ({
      type,
      cache: 'no-cache',
      body: { size: bytes, read: (from, to) => artifacts.read(digest, from, to) },
      headers: { 'x-svc-preview-source': source },
    })
    const sounds: Pick<ArchetypesApi, 'preview' | 'previewOfRecipe'> = {
      preview: async (id, isLocal, signal) => contentOf(await service.preview(id, isLocal, signal)),
      previewOfRecipe: async (recipe, signal) => contentOf(await previews.of(recipe, signal)),
    }
    return {
      routes: archetypesRoutes({ archetypes: service, downloads, sounds }),
      services: [
        downloads.service,
        { name: 'archetypes', start() {}, stop: async () => void (await Promise.all([previews.stop(), service.stop()])) },
      ],
      api: { ...sounds, find: service.find, featured, use: service.use },
    }
  },
})
