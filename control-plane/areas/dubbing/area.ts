import { Failure } from '#shared/protocol/failure.ts'
import { loop } from '#shared/runtime/service.ts'
import { defineArea } from '../define.ts'
import { contextRoutes } from './context/context.routes.ts'
import { openDubCore } from './core.ts'
import { createDubArchives } from './export/archives.service.ts'
import { dubExportRoutes } from './export/export.routes.ts'
import { createExportFiles } from './export/export-files.ts'
import { createExportRuns } from './export/export-runs.ts'
import { createDubExports } from './export/exports.service.ts'
import { createFilmExports } from './export/film-export.service.ts'
import { createSoundExports } from './export/sound-export.service.ts'
import type { DubFile } from './files/file.store.ts'
import { createAbort } from './history/abort.service.ts'
import { dubHistoryRoutes } from './history/history.routes.ts'
import { createDubHistory } from './history/history.service.ts'
import { createRemoval } from './history/removal.ts'
import { createFilmSteps } from './prep/film-steps.ts'
import { createPrepJobs } from './prep/prep-job.ts'
import { createSeparating } from './prep/separating.ts'
import { createOnsets } from './reading/onsets.service.ts'
import { dubReadingRoutes } from './reading/reading.routes.ts'
import { createDubReading } from './reading/reading.service.ts'
import { createDubSubtitles } from './subtitle/subtitle.service.ts'
import { createExportSound } from './timeline/export-sound.ts'
import { dubUploadRoutes } from './upload/upload.routes.ts'
import { createDubUploads } from './upload/upload.service.ts'

const SWEEP_EVERY_MS = 3600_000

export const dubbingArea = defineArea({
  name: 'dubbing',
  needs: ['library', 'watermark'],
  open: (platform, { library, watermark: { markOf } }) => {
    const { clock, random, log, jobs, bus, inference, offered, ffmpegPath, mediaPrograms } = platform
    const core = openDubCore(platform)
    const { store, sweepFiles } = core
    library.countDubsBy(store.dubs.count)
    const removal = createRemoval(core)
    const runs = createExportRuns<DubFile>({ clock })
    const abort = createAbort({ jobs, stopExports: runs.abort })
    const film = createFilmSteps(core)
    const separating = createSeparating({ inference, offered })
    const prep = createPrepJobs({ core, jobs, film, separating, removal })
    const hasPrograms = () => ffmpegPath() !== null && mediaPrograms.usable('ffprobe') !== null
    const uploads = createDubUploads({ core, prep, abort, removal, hasPrograms, clock, random })
    const history = createDubHistory({ core, abort: abort.abort, removal, bus })
    const onsets = createOnsets({ core, inference, offered, requireSound: film.requireSound })
    const reading = createDubReading({ core, requireSound: film.requireSound })

    const leaving = {
      core,
      sound: createExportSound({ core, requireSound: film.requireSound, speechOf: onsets.speechOf, markOf }),
      exported: createExportFiles({ core, runs }),
      markKey: () => markOf({ engine: 'dub', params: 'export' })?.payload ?? null,
      clock,
      random,
    }
    const sounds = createSoundExports(leaving)
    const { pathAuthorizations: authorizations, dataDir } = platform
    const exports = createDubExports({ core, films: createFilmExports(leaving), sounds, authorizations, dataDir, random })
    const archives = createDubArchives(leaving)

    /** Dubs whose preparation ended with the studio, and files that no dub needs. */
    async function sweep(): Promise<void> {
      for (const id of store.dubs.unreadBefore(clock.now() - SWEEP_EVERY_MS))
        if ((await abort.activeOf(id)).length === 0) await removal.remove(id)
      await sweepFiles()
    }
    const sweeps = loop(
      'dub-sweep',
      async (signal) => {
        await clock.sleep(SWEEP_EVERY_MS, signal)
        await sweep().catch((error: unknown) => log.warn({ err: Failure.from(error).message }, 'old files of dubs could not be removed'))
      },
      (error) => {
        throw error
      },
    )
    const routes = [
      ...dubUploadRoutes(uploads),
      ...dubHistoryRoutes(history, abort),
      ...dubReadingRoutes(reading, onsets),
      ...contextRoutes(core),
      ...dubExportRoutes({ exports, sounds, archives, subtitles: createDubSubtitles(core) }),
    ]
    return { routes, api: null, services: [sweeps], beginStop: runs.abortAll }
  },
})
