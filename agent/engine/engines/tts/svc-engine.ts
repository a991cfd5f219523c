// The native engine: OmniVoice once its weights are downloaded, until then the embedded voice as a substitute.

import type { EngineDefinition } from '../../seam/define.ts'
import { realOrSubstitute } from '../../seam/real-or-substitute.ts'
import { flite } from './flite/engine.ts'
import { omniVoice } from './omnivoice/engine.ts'

export const svcEngine: EngineDefinition = { ...omniVoice, create: (deps) => realOrSubstitute(omniVoice.create(deps), flite.create()) }
