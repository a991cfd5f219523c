import { Failure } from '#shared/protocol/failure.ts'
import { defineArea } from '../define.ts'
import { galleryRoutes } from './gallery.routes.ts'
import { createGallery } from './gallery.service.ts'
import { createGalleryStore } from './gallery.store.ts'
import { createVideos } from './videos/videos.service.ts'

export const galleryArea = defineArea({
  name: 'gallery',
  needs: ['voices'],
  open: ({ db, clock, random, intake, artifacts, mediaPrograms, ffmpegPath, uploadDisk, environment }, { voices }) => {
    const store = createGalleryStore({ db })
    artifacts.addNamer(store.names)
    const videos = createVideos({
      program: () => mediaPrograms.usable('ytdlp'),
      ffmpegPath,
      disk: uploadDisk,
      path: environment['PATH'] ?? '',
      clock,
    })
    const stopping = new AbortController()
    const gallery = createGallery({ store, voices, videos, intake, artifacts, clock, random, stopping: stopping.signal })
    return {
      routes: galleryRoutes(gallery),
      api: null,
      beginStop: () => stopping.abort(new Failure('NOT_READY', 'The studio is stopping.')),
    }
  },
})
