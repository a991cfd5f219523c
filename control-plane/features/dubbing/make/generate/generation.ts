// Speaking and assembling of dubs, put together.

import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubCasting } from '#control-plane/features/dubbing/voice/speak/casting.service.ts'
import { createDubEffects } from '#control-plane/features/dubbing/voice/speak/effects.service.ts'
import { createSpeakPlanning } from '#control-plane/features/dubbing/voice/speak/plan.service.ts'
import { createSpeakDubGroup } from '#control-plane/features/dubbing/voice/speak/speak-group.ts'
import { createPlaceFor, createSpeaking } from '#control-plane/features/dubbing/voice/speak/speaking.ts'
import { createTakeFiles } from '#control-plane/features/dubbing/voice/speak/take-files.ts'
import { createVoiceWithdrawal } from '#control-plane/features/dubbing/voice/speak/withdrawn.ts'
import { createDubMeasures } from '#control-plane/features/dubbing/voice/voices/measures.service.ts'
import { createDubPresets } from '#control-plane/features/dubbing/voice/voices/presets.service.ts'
import { createSecondTakes } from '#control-plane/features/dubbing/voice/voices/second-takes.service.ts'
import { createSpokenTakes } from '#control-plane/features/dubbing/voice/voices/spoken-takes.service.ts'
import type { AreaApis } from '#control-plane/kernel/define.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { createDubRequests } from '../repair/requests.ts'
import { createTrialTakes } from '../repair/trial-takes.ts'
import { createAssembling } from './assembling.ts'
import { dubGenerateRoutes } from './generate.routes.ts'
import { createDubGenerating } from './generate.service.ts'
import { createGenerateJobs } from './generate-job.ts'
import { createDubPreviews } from './preview.service.ts'

type Needs = Pick<AreaApis, 'engines' | 'pronunciation' | 'speech' | 'tools' | 'profiles' | 'watermark' | 'workers'>
/** The operation whose machine the owner chooses. */
const OPERATION = 'dub'

type Work = {
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
  readonly abort: Pick<AbortDub, 'requireNoOtherTracks' | 'startAlone'>
  /** Ends the exports of a dub. */
  readonly stopExports: (dubId: string) => boolean
}

export function openGeneration(core: DubCore, platform: Platform, needs: Needs, { requireSound, abort, stopExports }: Work) {
  const { jobs, artifacts, media, inference, offered, clock, random } = platform
  const { engines, pronunciation, speech, tools, profiles: voices, watermark, workers } = needs
  const target = () => workers.targetOf(OPERATION)
  const engine = () => engines.active('tts')
  const { files } = core
  const voiceClaims = createVoiceWithdrawal({ core, stopExports })
  const measures = createDubMeasures({ core, requireSound })
  const presets = createDubPresets({ core, measures })
  const isUsable = (id: string) => workers.isUsable(id, OPERATION)
  const casting = createDubCasting({ speech, files, inference, offered, target, isUsable, presets })
  const speakGroup = createSpeakDubGroup({ speech, casting })
  const takeFiles = createTakeFiles({ core, clock })
  const effects = createDubEffects({ files, media, voiceClaims })
  const placeFor = createPlaceFor({ casting, clock })
  const secondTakes = createSecondTakes({ core, casting, placeFor, speakGroup, takeFiles, voiceClaims })
  const planning = createSpeakPlanning({ core, casting, pronunciation })
  const speaking = createSpeaking({ casting, speakGroup, takeFiles, voiceClaims, clock })
  const spokenTakes = createSpokenTakes({ core, takeFiles, secondTakes, effects, measures })
  const assembling = createAssembling({ core, spokenTakes, voiceClaims, clock })
  const requests = createDubRequests(core)
  const trials = createTrialTakes(core)
  const generateJobs = createGenerateJobs({
    core,
    jobs,
    artifacts,
    planning,
    speaking,
    spokenTakes,
    secondTakes,
    assembling,
    requests,
    trials,
    fallback: () => workers.fallbackOf(OPERATION),
    clock,
    random,
  })
  const generating = createDubGenerating({ core, jobs: generateJobs, abort, casting, speech, voices, tools, engine, target })
  const previews = createDubPreviews({ core, casting, speakGroup, pronunciation, media, watermark, engine })
  voices.onWithdrawn(voiceClaims.withdraw)
  return {
    routes: dubGenerateRoutes(generating, previews),
    ...{ generateJobs, generating, repairing: { planning, speaking, secondTakes, assembling, takeFiles, requests, trials } },
  }
}
