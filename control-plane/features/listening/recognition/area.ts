import { join } from 'node:path'
import { RECOGNITION_ALIASES } from '#control-plane/inference/aliases.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { createCleaning } from './cleaning.service.ts'
import { endpointRoutes } from './endpoint/endpoint.routes.ts'
import { createEndpoint } from './endpoint/endpoint.service.ts'
import { createTranscriptionJobs } from './job/transcription-job.ts'
import { asrMissing, findRecogniser, recognitionModels } from './recognisers.ts'
import { recognitionRoutes } from './recognition.routes.ts'
import { createRecognition } from './recognition.service.ts'
import { codesIn, recognitionSettings } from './recognition.settings.ts'
import { withSpeakers } from './transcript/speakers.ts'

export const recognitionArea = defineArea({
  name: 'recognition',
  needs: ['dictation', 'engines'],
  open: (platform, { dictation, engines }) => {
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
    const transcriptions = createTranscriptionJobs({ jobs, artifacts, recognition, uploads: uploadDisk.folder, clock })
    const endpoint = createEndpoint({
      folder: join(dataDir, 'sidecars'),
      clock,
      changed: async () => machines.get(LOCAL)?.describeAgain(),
    })
    return {
      routes: [...recognitionRoutes({ recognition, cleaning, jobs: transcriptions }), ...endpointRoutes({ endpoint })],
      api: {
        transcribe: recognition.words,
        transcript: recognition.transcribe,
        partwise: recognition.partwise,
        withSpeakers,
        recogniserOf: (language) => findRecogniser(offered(), RECOGNITION_ALIASES[0]!, language, isSelected)?.recogniser ?? null,
        missing: asrMissing,
        models: () => recognitionModels(offered(), isSelected),
      },
    }
  },
})
