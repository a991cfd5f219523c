import { currentClient } from '#control-plane/clients/client.ts'
import { contextContracts } from '#control-plane/features/dubbing/film/context/context.contract.ts'
import type { ContextCore } from '#control-plane/features/dubbing/film/context/context.service.ts'
import { openIngest } from '#control-plane/features/dubbing/film/ingest/open-ingest.ts'
import { createFilmSteps } from '#control-plane/features/dubbing/film/prep/film-steps.ts'
import { createPrepJobs } from '#control-plane/features/dubbing/film/prep/prep-job.ts'
import { createSeparating } from '#control-plane/features/dubbing/film/prep/separating.ts'
import { createOnsets } from '#control-plane/features/dubbing/film/reading/onsets.service.ts'
import { createPeaks } from '#control-plane/features/dubbing/film/reading/peaks.service.ts'
import { dubReadingRoutes } from '#control-plane/features/dubbing/film/reading/reading.routes.ts'
import { createDubReading } from '#control-plane/features/dubbing/film/reading/reading.service.ts'
import { createSpeechSpans } from '#control-plane/features/dubbing/film/reading/speech-spans.ts'
import { createAdoptFilm } from '#control-plane/features/dubbing/film/upload/adopt-film.ts'
import { dubUploadContracts } from '#control-plane/features/dubbing/film/upload/upload.contract.ts'
import { createDubUploads } from '#control-plane/features/dubbing/film/upload/upload.service.ts'
import { createBeginJobs } from '#control-plane/features/dubbing/lines/begin/begin-job.ts'
import { dubHistoryRoutes } from '#control-plane/features/dubbing/lines/history/history.routes.ts'
import { createDubHistory } from '#control-plane/features/dubbing/lines/history/history.service.ts'
import { dubLineRoutes } from '#control-plane/features/dubbing/lines/lines.routes.ts'
import { createDubLines } from '#control-plane/features/dubbing/lines/lines.service.ts'
import { dubBeginRoutes, transcribeRoutes } from '#control-plane/features/dubbing/lines/transcribe/transcribe.routes.ts'
import { createTranscribeJobs } from '#control-plane/features/dubbing/lines/transcribe/transcribe-job.ts'
import { createTranscribeSteps } from '#control-plane/features/dubbing/lines/transcribe/transcribe-steps.ts'
import { createTranscribeStream } from '#control-plane/features/dubbing/lines/transcribe/transcribe-stream.ts'
import { openGeneration } from '#control-plane/features/dubbing/make/generate/generation.ts'
import { createCheckEvents } from '#control-plane/features/dubbing/make/qc/check-events.ts'
import { createMeasuring } from '#control-plane/features/dubbing/make/qc/measuring.ts'
import { dubQcRoutes } from '#control-plane/features/dubbing/make/qc/qc.routes.ts'
import { createDubQc } from '#control-plane/features/dubbing/make/qc/qc.service.ts'
import { createUnderstand } from '#control-plane/features/dubbing/make/qc/understand.ts'
import { createJudging } from '#control-plane/features/dubbing/make/repair/judging.ts'
import { createDubRepairs } from '#control-plane/features/dubbing/make/repair/repair-job.ts'
import { createAbort } from '#control-plane/features/dubbing/store/abort.service.ts'
import { openDubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createRemoval } from '#control-plane/features/dubbing/store/files/removal.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createSteadyNow } from '#shared/runtime/clock.ts'
import { loop } from '#shared/runtime/service.ts'
import { createDubSource } from './dub-source.ts'
import { openDubExports } from './exports.ts'
import { openBatch } from './open-batch.ts'

type DubOfTranscript = (project: string, client: ClientId) => ReturnType<ReturnType<typeof createDubUploads>['start']>

const dubUploadRoutes = (uploads: ReturnType<typeof createDubUploads>, ofTranscript: DubOfTranscript): Route[] => [
  handle(
    dubUploadContracts.upload,
    async ({ body, uploads: sent }) => uploads.start(sent['video']!, body, currentClient().id),
    uploads.requirePrograms,
  ),
  handle(dubUploadContracts.ofTranscript, ({ params }) => ofTranscript(params.project_id, currentClient().id)),
]

function contextRoutes(core: ContextCore): Route[] {
  const context = async () => (await import('#control-plane/features/dubbing/film/context/context.service.ts')).createVideoContext(core)
  return [handle(contextContracts.videoContext, async ({ params, signal }) => await (await context())(params.job_id, signal))]
}

const SWEEP_EVERY_MS = 3600_000

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly dubbing: null
  }
}

export const dubbingArea = defineArea({
  name: 'dubbing',
  needs: ['engines', 'library', 'pronunciation', 'recognition', 'speech', 'tools', 'translation', 'profiles', 'watermark', 'workers'],
  open: (platform, { library, recognition, translation, ...needs }) => {
    const { clock, random, log, jobs, bus, inference, offered, ffmpegPath, mediaPrograms } = platform
    const core = openDubCore(platform)
    const { store, sweepFiles } = core
    library.countBy('dubs', store.dubs.count)
    translation.lendDubs(createDubSource(store))
    const removal = createRemoval({ core, machines: platform.machines })
    const film = createFilmSteps(core)
    const { requireSound } = film
    const speechSpans = createSpeechSpans({ inference, offered, clock })
    const onsets = createOnsets({ core, speechSpans, requireSound })
    const exports = openDubExports({ core, platform, requireSound, speechOf: onsets.speechOf, markOf: needs.watermark.markOf })
    const abort = createAbort({ jobs, stopExports: exports.abort })
    const separating = createSeparating({ inference, offered })
    const prep = createPrepJobs({ core, jobs, film, separating, removal, clock })
    const hasPrograms = () => ffmpegPath() !== null && mediaPrograms.usable('ffprobe') !== null
    const adopt = createAdoptFilm({ core, removal, clock })
    const uploads = createDubUploads({ core, adopt, prep, abort, removal, hasPrograms, random })
    const understand = createUnderstand({ recognition, inference, offered, speechSpans, disk: platform.uploadDisk })
    const measure = createMeasuring({ core, sound: exports.sound })
    const generation = openGeneration(core, platform, needs, { requireSound, abort, stopExports: exports.abort })
    const { takeFiles, ...repairing } = generation.repairing
    const checked = createCheckEvents({ jobs, requests: repairing.requests, log })
    const qc = createDubQc({ core, understand, measure, speechOf: onsets.speechOf, checked, clock })
    const judge = createJudging({ core, takeFiles, understand })
    const repairs = createDubRepairs({ core, jobs, abort, ...repairing, judge, examine: qc.examine, clock, random })
    const ofTranscript: DubOfTranscript = async (project, client) => {
      const { createTranscriptDubs } = await import('#control-plane/features/dubbing/lines/transcript-dub.ts')
      const { lendTranscript } = recognition
      return await createTranscriptDubs({ core, uploads, lendTranscript, folder: core.files.scratch })(project, client)
    }
    const ingest = openIngest(platform, { core, prep, adopt, abort, removal, hasPrograms })
    const history = createDubHistory({ core, abort: abort.abort, removal, bus })
    const reading = createDubReading({ core, requireSound })
    const steps = createTranscribeSteps({ core, recognition, inference, offered, speechSpans, requireSound, clock })
    const transcriptions = createTranscribeJobs({ core, jobs, steps, abort, recognition, clock })
    const begin = createBeginJobs({ core, jobs, transcriptions, translation, abort, recognition, clock })
    const transcribing = createTranscribeStream({ core, jobs, transcriptions, clock })
    const batch = openBatch(
      platform,
      { recognition, translation },
      { core, prep, transcriptions, generation, exports, adopt, abort, removal, hasPrograms },
    )
    const lines = createDubLines({ core, isTranscribing: transcriptions.isRunning })

    const steadyNow = createSteadyNow(clock)
    /** Dubs whose preparation ended with the studio, and files that no dub needs. */
    async function sweep(): Promise<void> {
      for (const id of store.dubs.unreadBefore(steadyNow() - SWEEP_EVERY_MS))
        if (abort.activeOf(id).length === 0 && !batch.isHeld(id)) await removal.remove(id)
      await batch.settle()
      await ingest.sweep(steadyNow() - SWEEP_EVERY_MS)
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
      ...dubUploadRoutes(uploads, ofTranscript),
      ...ingest.routes,
      ...dubQcRoutes(qc, repairs),
      ...dubHistoryRoutes(history, abort),
      ...dubReadingRoutes(reading, onsets, createPeaks({ core, requireSound })),
      ...generation.routes,
      ...contextRoutes(core),
      ...exports.routes,
      ...transcribeRoutes(transcribing),
      ...dubBeginRoutes(begin),
      ...dubLineRoutes(lines),
      ...batch.routes,
    ]
    return { routes, api: null, services: [sweeps], beginStop: exports.beginStop }
  },
})
