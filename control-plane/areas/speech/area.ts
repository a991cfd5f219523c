import { createSynthesis } from '../../inference/synthesis.ts'
import { defineArea } from '../define.ts'
import { createGenerate } from './generate.service.ts'
import { loadProvenance } from './provenance.ts'
import { selftestRoutes } from './selftest/selftest.routes.ts'
import { createSelftest } from './selftest/selftest.service.ts'
import { speechRoutes } from './speech.routes.ts'
import { createSpeech, speechModels } from './speech.service.ts'
import { createTakeJobs } from './take-job.ts'

export const speechArea = defineArea({
  name: 'speech',
  needs: ['engines', 'library', 'recognition', 'workers'],
  open: (platform, { engines, library: { history }, recognition, workers: { targetOf: target, labelOf } }) => {
    const { inference, media, intake, offered, audioFolder, dataDir, clock, random } = platform
    const synthesis = createSynthesis({ inference, offered, target, labelOf, selected: () => engines.active('tts') })
    const provenance = loadProvenance(dataDir)
    const speech = createSpeech({ media, synthesis, provenance })
    const takes = createGenerate({
      inference,
      media,
      intake,
      synthesis,
      recognition,
      provenance,
      history,
      audioFolder,
      marks: platform.marks,
      nameOf: (workerId) => platform.workers.get(workerId)?.name ?? workerId,
      clock,
      random,
    })
    const jobs = createTakeJobs({ jobs: platform.jobs, takes, synthesis, history, audioFolder, clock })
    const selftest = createSelftest({ engines, synthesis, clock })
    return {
      routes: [...speechRoutes({ speech, takes, jobs, engines, audioFolder }), ...selftestRoutes(selftest)],
      api: { models: () => speechModels(engines) },
    }
  },
})
