import { join } from 'node:path'
import { RECOGNITION_ALIASES } from '#control-plane/inference/aliases.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { loop } from '#shared/runtime/service.ts'
import { createCleaning } from './cleaning.service.ts'
import { endpointRoutes } from './endpoint/endpoint.routes.ts'
import { createEndpoint } from './endpoint/endpoint.service.ts'
import { createTranscriptionJobs } from './job/transcription-job.ts'
import type { KeptTranscripts } from './kept/kept-transcripts.service.ts'
import { asrMissing, findRecogniser, recognitionModels } from './recognisers.ts'
import { recognitionRoutes } from './recognition.routes.ts'
import { createRecognition } from './recognition.service.ts'
import { codesIn, recognitionSettings } from './recognition.settings.ts'
import { withSpeakers } from './transcript/speakers.ts'

/** Recordings of deleted transcripts leave the disk. */
const SWEEP_EVERY_MS = 3600_000

export const recognitionArea = defineArea({
  name: 'recognition',
  needs: ['dictation', 'engines', 'library'],
  open: (platform, { dictation, engines, library }) => {
    const { inference, intake, offered, choices, clock, random, audioFolder, dataDir, machines } = platform
    const recognition = createRecognition({
      inference,
      intake,
      offered,
      clock,
      isForDictation: dictation.isChosen,
      refiner: dictation.refiner,
      selected: () => engines.active('asr'),
      expectedLanguages: () => codesIn(choices.read(recognitionSettings.expectedLanguages)),
    })
    const isSelected = ({ engine }: Offer) => engine === engines.active('asr')
    const cleaning = createCleaning({ inference, intake, offered, audioFolder, random, clock })
    const { jobs, artifacts, uploadDisk } = platform
    let opened: Promise<KeptTranscripts> | null = null
    const kept = () =>
      (opened ??= openKept().catch((error: unknown) => {
        // Another request tries again: the disk may have been full.
        opened = null
        throw error
      }))
    const openKept = async () => {
      const { createKeptTranscripts } = await import('./kept/kept-transcripts.service.ts')
      return createKeptTranscripts({ projects: library.own, dataDir })
    }
    const parts = { jobs, artifacts, recognition, uploads: uploadDisk.folder, clock, makers: platform.makers }
    const transcriptions = createTranscriptionJobs({ ...parts, projects: library.own, kept })
    const sweeps = loop(
      'transcript-sweep',
      async (signal) => {
        await clock.sleep(SWEEP_EVERY_MS, signal)
        await kept()
          .then(({ sweep }) => sweep())
          .catch((error) =>
            platform.log.warn({ err: Failure.from(error).message }, 'recordings of deleted transcripts could not be removed'),
          )
      },
      (error) => {
        throw error
      },
    )
    const endpoint = createEndpoint({
      folder: join(dataDir, 'sidecars'),
      clock,
      changed: async () => machines.get(LOCAL)?.describeAgain(),
    })
    return {
      routes: [...recognitionRoutes({ recognition, cleaning, jobs: transcriptions, kept }), ...endpointRoutes({ endpoint })],
      api: {
        transcribe: recognition.words,
        transcript: recognition.transcribe,
        partwise: recognition.partwise,
        withSpeakers,
        recogniserOf: (language) => findRecogniser(offered(), RECOGNITION_ALIASES[0]!, language, isSelected)?.recogniser ?? null,
        missing: asrMissing,
        models: () => recognitionModels(offered(), isSelected),
        lendTranscript: async (project, to) => await (await kept()).lend(project, to),
      },
      services: [sweeps],
    }
  },
})
