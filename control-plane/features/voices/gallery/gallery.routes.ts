import { currentClient } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { galleryContracts } from './gallery.contract.ts'
import type { Gallery } from './gallery.service.ts'

type Parts = { readonly gallery: Gallery; readonly makers: Pick<Makers, 'requireMaker'> }

export const galleryRoutes = ({ gallery, makers }: Parts): Route[] => [
  handle(galleryContracts.categories, () => []),
  handle(galleryContracts.list, ({ query: { category, search, limit } }) =>
    gallery.list({ category: category || null, search: search || null, limit }),
  ),
  handle(galleryContracts.read, ({ params }) => gallery.read(params.voice_id)),
  handle(galleryContracts.change, ({ params, body }) => ({ success: true as const, updated: gallery.change(params.voice_id, body) })),
  handle(galleryContracts.remove, ({ params }) => {
    gallery.remove(params.voice_id)
    return { success: true as const }
  }),
  handle(galleryContracts.removeMany, async ({ body }) => {
    for (const id of body.ids) makers.requireMaker('clip', id)
    return gallery.removeMany(body.ids)
  }),
  handle(galleryContracts.upload, async ({ body, uploads, signal }) => gallery.upload(body, uploads['audio']!, currentClient().id, signal)),
  handle(galleryContracts.preview, ({ params }) => ({ ...gallery.preview(params.voice_id), cache: 'no-cache' })),
  handle(galleryContracts.saveAsProfile, async ({ params, query, signal }) =>
    gallery.saveAsProfile(params.voice_id, query.profile_name, currentClient().id, signal),
  ),
  handle(galleryContracts.toProfile, async ({ params }) => ({
    success: true as const,
    ...(await gallery.toProfile(params.voice_id, currentClient().id)),
  })),
  handle(galleryContracts.searchVideos, async ({ query: { query, category, max_results }, signal }) => ({
    results: await gallery.search(query, max_results, signal),
    query,
    category,
  })),
  handle(galleryContracts.download, async ({ query: { video_url, start_time, character_name, ...query }, signal }) =>
    gallery.download(
      {
        url: video_url,
        start: start_time,
        seconds: query.duration,
        character: character_name,
        category: query.category,
        description: query.description,
      },
      currentClient().id,
      signal,
    ),
  ),
]
