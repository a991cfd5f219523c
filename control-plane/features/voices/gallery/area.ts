import { defineArea } from '#control-plane/kernel/define.ts'
import { createStorageRoom } from '#control-plane/store/files/storage-room.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { galleryRoutes } from './gallery.routes.ts'
import { createGallery } from './gallery.service.ts'
import { gallerySettings } from './gallery.settings.ts'
import { createGalleryStore } from './gallery.store.ts'
import { createVideos } from './videos/videos.service.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly gallery: null
  }
}

export const galleryArea = defineArea({
  name: 'gallery',
  needs: ['profiles'],
  open: (
    { library: { db }, makers, clock, random, intake, artifacts, mediaPrograms, ffmpegPath, uploadDisk, environment, dataDir, choices },
    { profiles: voices },
  ) => {
    const store = createGalleryStore({ db })
    artifacts.addNamer(store.names)
    const videos = createVideos({
      program: () => mediaPrograms.usable('ytdlp'),
      ffmpegPath,
      disk: uploadDisk,
      path: environment['PATH'] ?? '',
      clock,
    })
    const room = createStorageRoom({
      folder: dataDir,
      stored: store.bytes,
      mostGigabytes: () => choices.read(gallerySettings.mostGigabytes),
      what: 'The clips of the gallery',
      wayOut: `Delete clips that are not needed, or raise the setting ${gallerySettings.mostGigabytes.key}.`,
    })
    const stopping = new AbortController()
    const gallery = createGallery({ store, makers, voices, videos, intake, artifacts, room, clock, random, stopping: stopping.signal })
    return {
      routes: galleryRoutes({ gallery, makers }),
      api: null,
      beginStop: () => stopping.abort(new Failure('NOT_READY', 'The studio is stopping.')),
    }
  },
})
