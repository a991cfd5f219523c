// The one list of models that can be installed. A row is added here and nowhere else.

import type { CatalogueModel } from './model.ts'
import { PIPER_MODELS } from './piper-voices.ts'
import { RECOGNITION_MODELS } from './recognition-models.ts'
import { from, listed, row } from './rows.ts'
import { SEPARATION_MODELS } from './separation-models.ts'
import { SPEECH_MODELS } from './speech-models.ts'
import { TRANSLATION_MODELS } from './translation-models.ts'

export const CATALOGUE: readonly CatalogueModel[] = [
  ...SPEECH_MODELS,
  ...PIPER_MODELS,
  ...RECOGNITION_MODELS,
  ...SEPARATION_MODELS,
  ...TRANSLATION_MODELS,
]

/** Model of the test voice, which exists in development only. */
const DEVELOPMENT: readonly CatalogueModel[] = [
  row({
    id: 'voice-studio/tone',
    label: 'Test tone',
    role: 'TTS',
    engine: 'tone',
    model: 'weighed',
    licence: 'Apache-2.0',
    sizeGb: 0.001,
    note: 'For tests of the installation itself.',
    sources: [from('voice-studio/tone', listed('model.onnx', 'config.json', 'voices/*.bin'))],
  }),
]

/** `development` adds the model of the test voice. */
export const catalogueOf = (development: boolean): readonly CatalogueModel[] => (development ? [...CATALOGUE, ...DEVELOPMENT] : CATALOGUE)

/** By its id, on this kind of system or not. */
export const findModel = (models: readonly CatalogueModel[], id: string): CatalogueModel | undefined =>
  models.find((model) => model.id === id)

/** The pairs of neighbouring characters of a text, without regard to case. */
const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2).toLowerCase()))

/** At most `count` models whose ids share the most pairs of characters with `id`, for a message about an unknown id. */
export function similarModels(models: readonly CatalogueModel[], id: string, count: number): readonly CatalogueModel[] {
  const wanted = pairsOf(id.slice(0, 200))
  const rank = new Map(models.map((model) => [model, [...pairsOf(model.id)].filter((pair) => wanted.has(pair)).length]))
  return models.toSorted((left, right) => rank.get(right)! - rank.get(left)! || left.id.length - right.id.length).slice(0, count)
}

export const runsOn = (model: CatalogueModel, platform: string): boolean =>
  model.platforms.length === 0 || model.platforms.includes(platform)
