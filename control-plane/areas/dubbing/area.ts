import { Failure } from '#shared/protocol/failure.ts'
import { loop } from '#shared/runtime/service.ts'
import { defineArea } from '../define.ts'
import { contextRoutes } from './context/context.routes.ts'
import { openDubCore } from './core.ts'
import { createDubSource } from './dub-source.ts'
import { createAbort } from './history/abort.service.ts'
import { dubHistoryRoutes } from './history/history.routes.ts'
import { createDubHistory } from './history/history.service.ts'
import { createRemoval } from './history/removal.ts'
import { dubLineRoutes } from './lines/lines.routes.ts'
import { createDubLines } from './lines/lines.service.ts'
import { createFilmSteps } from './prep/film-steps.ts'
import { createPrepJobs } from './prep/prep-job.ts'
import { createSeparating } from './prep/separating.ts'
import { createOnsets } from './reading/onsets.service.ts'
import { dubReadingRoutes } from './reading/reading.routes.ts'
import { createDubReading } from './reading/reading.service.ts'
import { transcribeRoutes } from './transcribe/transcribe.routes.ts'
import { createTranscribeJobs } from './transcribe/transcribe-job.ts'
import { createTranscribeSteps } from './transcribe/transcribe-steps.ts'
import { createTranscribeStream } from './transcribe/transcribe-stream.ts'
import { dubUploadRoutes } from './upload/upload.routes.ts'
import { createDubUploads } from './upload/upload.service.ts'

const SWEEP_EVERY_MS = 3600_000

export const dubbingArea = defineArea({
  name: 'dubbing',
  needs: ['library', 'recognition', 'translation'],
  open: (platform, { library, recognition, translation }) => {
    const { clock, random, log, jobs, bus, inference, offered, ffmpegPath, mediaPrograms } = platform
    const core = openDubCore(platform)
    const { store, sweepFiles } = core
    library.countDubsBy(store.dubs.count)
    translation.lendDubs(createDubSource(store))
    const removal = createRemoval(core)
    const abort = createAbort({ jobs })
    const film = createFilmSteps(core)
    const separating = createSeparating({ inference, offered })
    const prep = createPrepJobs({ core, jobs, film, separating, removal })
    const hasPrograms = () => ffmpegPath() !== null && mediaPrograms.usable('ffprobe') !== null
    const uploads = createDubUploads({ core, prep, abort, removal, hasPrograms, clock, random })
    const history = createDubHistory({ core, abort: abort.abort, removal, bus })
    const onsets = createOnsets({ core, inference, offered, requireSound: film.requireSound })
    const reading = createDubReading({ core, requireSound: film.requireSound })

    const { requireSound } = film
    const steps = createTranscribeSteps({ core, recognition, inference, offered, requireSound, clock })
    const transcriptions = createTranscribeJobs({ core, jobs, steps, abort, recognition, clock })
    const transcribing = createTranscribeStream({ core, jobs, transcriptions, clock })
    const lines = createDubLines({ core, isTranscribing: transcriptions.isRunning })

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
      ...transcribeRoutes(transcribing),
      ...dubLineRoutes(lines),
    ]
    return { routes, api: null, services: [sweeps] }
  },
})
