// Data folders with generated models, for `sharedWorld`: files that name the same function share a studio.
import { join } from 'node:path'
import { backboneFiles, codecFiles, tokenizerJson } from '#test/agent/engine/tts/omnivoice/tiny.ts'
import { placeModel } from './place-model.ts'

/** The model of the engine of the studio. */
export const placeOmnivoice = (dataDir: string): void =>
  placeModel(join(dataDir, 'local-agent/models'), 'svc-engine', '', {
    ...backboneFiles('none'),
    ...codecFiles(),
    'tokenizer.json': tokenizerJson(),
  })
