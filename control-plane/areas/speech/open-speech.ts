// The services of the speech area.
import { createGenerate } from './generate.service.ts'
import { loadProvenance } from './provenance.ts'
import { createSpeech } from './speech.service.ts'

type Deps = Omit<Parameters<typeof createGenerate>[0], 'provenance'> & { readonly dataDir: string }

export function openSpeech({ dataDir, ...deps }: Deps) {
  const provenance = loadProvenance(dataDir)
  return { speech: createSpeech({ ...deps, provenance }), takes: createGenerate({ ...deps, provenance }) }
}
