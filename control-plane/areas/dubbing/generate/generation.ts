// Speaking and assembling of dubs, put together.
import type { AreaApis } from '../../apis.ts'
import type { Platform } from '../../platform.ts'
import type { DubCore } from '../core.ts'
import { createDubCasting } from '../speak/casting.service.ts'
import { createDubEffects } from '../speak/effects.service.ts'
import { createSpeakPlanning } from '../speak/plan.service.ts'
import { createDubRequests } from '../speak/requests.ts'
import { createSpeakDubGroup } from '../speak/speak-group.ts'
import { createSpeaking } from '../speak/speaking.ts'
import { createTakeFiles } from '../speak/take-files.ts'
import { createVoiceWithdrawal } from '../speak/withdrawn.ts'
import { createAssembling } from './assembling.ts'
import { dubGenerateRoutes } from './generate.routes.ts'
import { createDubGenerating } from './generate.service.ts'
import { createGenerateJobs } from './generate-job.ts'
import { createDubPreviews } from './preview.service.ts'

type Needs = Pick<AreaApis, 'engines' | 'pronunciation' | 'speech' | 'tools' | 'voices' | 'watermark' | 'workers'>
/** The operation whose machine the owner chooses. */
const OPERATION = 'dub'

export function openGeneration(core: DubCore, platform: Platform, needs: Needs) {
  const { jobs, artifacts, media, inference, offered, clock, random } = platform
  const { engines, pronunciation, speech, tools, voices, watermark, workers } = needs
  const target = () => workers.targetOf(OPERATION)
  const engine = () => engines.active('tts')
  const { files } = core
  const casting = createDubCasting({ speech, files, inference, offered, target })
  const speakGroup = createSpeakDubGroup({ speech, casting })
  const takeFiles = createTakeFiles({ core, clock })
  const effects = createDubEffects({ files, media })
  const planning = createSpeakPlanning({ core, casting, pronunciation })
  const speaking = createSpeaking({ casting, speakGroup, takeFiles, clock })
  const assembling = createAssembling({ core, takeFiles, effects, clock })
  const requests = createDubRequests(core)
  const generateJobs = createGenerateJobs({
    core,
    jobs,
    artifacts,
    planning,
    speaking,
    assembling,
    requests,
    fallback: () => workers.fallbackOf(OPERATION),
    clock,
    random,
  })
  const generating = createDubGenerating({ core, jobs: generateJobs, speech, voices, tools, engine, target })
  const previews = createDubPreviews({ core, casting, speakGroup, pronunciation, media, watermark, engine })
  voices.onWithdrawn(createVoiceWithdrawal(core))
  return {
    routes: dubGenerateRoutes(generating, previews),
    ...{ generateJobs, generating, repairing: { planning, speaking, assembling, takeFiles, requests } },
  }
}
