import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { rangedBytes } from '#control-plane/http/contract/respond.ts'
import { createSynthesis } from '#control-plane/inference/synthesis.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { demoContracts } from './demo/demo.contract.ts'
import { createDemo } from './demo/demo.service.ts'
import { explainContracts } from './explain/explain.contract.ts'
import { createExplain } from './explain/explain.service.ts'
import { createGenerate } from './generate.service.ts'
import { createComposer } from './parts/compose.ts'
import { createKeeping } from './parts/keep.ts'
import { partsRoutes } from './parts/parts.routes.ts'
import { createTakeParts } from './parts/parts.service.ts'
import { selftestContracts } from './selftest/selftest.contract.ts'
import { createSelftest } from './selftest/selftest.service.ts'
import { speechRoutes } from './speech.routes.ts'
import { createSpeech, speechModels } from './speech.service.ts'
import { ttsSocket } from './stream/tts.socket.ts'
import { createLiveSound } from './take/live-sound.ts'
import { createRunningTakes } from './take/running-takes.ts'
import { createSpeakLeg } from './take/speak-leg.ts'
import { takeRoutes } from './take/take.routes.ts'
import { createTakeJobs } from './take/take-job.ts'
import { createReferences } from './voice/reference.ts'
import { createVoicing } from './voice/voicing.ts'

const selftestRoutes = (selftest: ReturnType<typeof createSelftest>): Route[] => [
  handle(selftestContracts.run, ({ params, signal, traceparent }) => selftest.run(params.engine_id, signal, traceparent)),
]

const demoRoutes = (demo: ReturnType<typeof createDemo>): Route[] => [
  handle(demoContracts.dubbing, () => ({ source: null, dubbed: [] })),
  handle(demoContracts.clip, async ({ signal, traceparent }) => ({
    type: 'audio/wav',
    body: rangedBytes(await demo.clip(signal, traceparent)),
  })),
]

const explainRoutes = (explain: ReturnType<typeof createExplain>): Route[] => [
  handle(explainContracts.test, async ({ body: { text, language, stages, engine, voice } }) =>
    stages ? await explain.stages({ text, language, engine, voice }) : explain.test(text, language ?? null),
  ),
]

export const speechArea = defineArea({
  name: 'speech',
  needs: ['engines', 'library', 'pronunciation', 'recognition', 'profiles', 'watermark', 'workers'],
  open: (
    platform,
    {
      engines,
      library: { history },
      pronunciation,
      recognition,
      profiles: voices,
      watermark: { markOf },
      workers: { targetOf: target, fallbackOf: fallback, labelOf },
    },
  ) => {
    const { inference, media, intake, offered, peopleLimits, audioFolder, clock, random } = platform
    const synthesis = createSynthesis({
      inference,
      offered: () => offered().filter(({ workerId }) => peopleLimits.mayUse(workerId)),
      target,
      fallback,
      labelOf,
      selected: () => engines.active('tts'),
    })
    const voicing = createVoicing({ voices, synthesis, target: () => target('tts') })
    const speech = createSpeech({ media, synthesis, markOf, pronunciation, voicing })
    const { artifacts, log, workers, tasks } = platform
    const composer = createComposer({ media, artifacts, audioFolder })
    const takes = createGenerate({
      media,
      composer,
      keeping: createKeeping({ history, makers: platform.makers }),
      synthesis,
      pronunciation,
      voicing,
      referenceOf: createReferences({ inference, intake, recognition }),
      markOf,
      history,
      audioFolder,
      marks: platform.marks,
      nameOf: (workerId) => platform.workers.get(workerId)?.name ?? workerId,
      clock,
      random,
    })
    const running = createRunningTakes()
    const legs = createSpeakLeg({ takes, synthesis, offered, workers, taskOf: tasks.peek, artifacts, running, clock })
    const { speakLeg } = legs
    const parts = createTakeParts({ history, composer, markOf, random })
    const jobs = createTakeJobs({
      jobs: platform.jobs,
      takes,
      synthesis,
      speakLeg,
      parts,
      running,
      artifacts,
      history,
      audioFolder,
      clock,
      log,
    })
    const live = createLiveSound({ jobs: platform.jobs, media, running, markOf })
    const selftest = createSelftest({ engines, synthesis, clock })
    return {
      routes: [
        ...speechRoutes({ speech, takes, jobs, engines, voices, audioFolder }),
        ...takeRoutes(live),
        ...partsRoutes(parts, jobs),
        ...selftestRoutes(selftest),
        ...demoRoutes(createDemo(speech)),
        ...explainRoutes(createExplain({ pronunciation, synthesis })),
      ],
      sockets: [ttsSocket({ speech, clock })],
      api: { speak: speech.speak, synthesis, voicing, models: () => speechModels(engines), take: takes.take },
      committed: legs.committed,
    }
  },
})
