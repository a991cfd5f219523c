// Puts the parts of speech together, so that the root of the studio reads as a table of contents.

import { createSynthesis } from '../../inference/synthesis.ts'
import { createGenerate } from './generate.service.ts'
import { loadProvenance } from './provenance.ts'
import { createSpeech } from './speech.service.ts'

type Deps = Parameters<typeof createSynthesis>[0] &
  Omit<Parameters<typeof createGenerate>[0], 'synthesis' | 'provenance'> & { readonly dataDir: string }

export function openSpeech(deps: Deps) {
  const synthesis = createSynthesis(deps)
  const provenance = loadProvenance(deps.dataDir)
  return { synthesis, speech: createSpeech({ ...deps, synthesis, provenance }), takes: createGenerate({ ...deps, synthesis, provenance }) }
}
