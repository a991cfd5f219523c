// Missing models by the work that they make possible, as clients offer them. Pure.

import { engineRow } from '#shared/engines.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { type ModelNeed, NEED_KINDS, type NeedKind } from '#shared/protocol/fields/model-need.ts'
import { type Offer, runs } from '../offers.ts'

const BYTES_PER_GB = 1e9
export const needOf = (kind: NeedKind, ...models: readonly (CatalogueModel | undefined)[]): ModelNeed => ({
  for: kind,
  models: models.flatMap((model) =>
    model ? [{ repo_id: model.id, label: model.label, size_bytes: Math.round(model.sizeGb * BYTES_PER_GB) }] : [],
  ),
})

const withId = (id: string) => CATALOGUE.find((model) => model.id === id)
const ofRole = (role: CatalogueModel['role']) => CATALOGUE.filter((model) => model.role === role && model.curatedOn.length > 0)
/** The kind of work of an engine that has no model. */
export const kindOfEngine = (engine: string): NeedKind => {
  const operations = engineRow(engine)?.operations ?? []
  if (operations.includes('asr')) return 'recognition'
  if (operations.includes('translate')) return 'translation'
  if (operations.includes('separate')) return 'background'
  return operations.includes('diarize') ? 'speakers' : 'speech'
}

const recogniser = () => needOf('recognition', withId('onnx-community/whisper-base_timestamped:q8'))
/** Models for a translation; that of the pair of languages comes first. */
export const translationNeed = (source = '', target = ''): ModelNeed =>
  needOf('translation', withId(`Xenova/opus-mt-${source}-${target}`), withId('Xenova/m2m100_418M'))

const MODELS: Readonly<Record<NeedKind, () => ModelNeed>> = {
  // The largest of them also clones voices, which most people do not need to hear a natural one.
  speech: () => needOf('speech', ...ofRole('TTS').filter(({ required }) => !required)),
  cloning: () => needOf('cloning', ...CATALOGUE.filter(({ engine, role }) => role === 'TTS' && engineRow(engine)?.cloning === true)),
  description: () =>
    needOf('description', ...CATALOGUE.filter(({ engine, role }) => role === 'TTS' && engineRow(engine)?.designs === true)),
  recognition: recogniser,
  dictation: () => needOf('dictation', withId('csukuangfj/sherpa-onnx-whisper-tiny')),
  speakers: () => needOf('speakers', ...CATALOGUE.filter(({ role }) => role === 'Diarisation')),
  background: () => needOf('background', ...CATALOGUE.filter(({ role }) => role === 'Separation')),
  translation: () => translationNeed(),
}
/** The models that make one kind of work possible. */
export const needFor = (kind: NeedKind): ModelNeed => MODELS[kind]()

let offers: ReadonlyMap<string, readonly NeedKind[]> | null = null
/** Kinds of work that this model is offered for. Computed once for the whole catalogue. */
export function offeredFor(id: string): readonly NeedKind[] {
  if (offers === null) {
    const found = new Map<string, NeedKind[]>()
    for (const kind of NEED_KINDS) for (const { repo_id } of needFor(kind).models) found.set(repo_id, [...(found.get(repo_id) ?? []), kind])
    offers = found
  }
  return offers.get(id) ?? []
}

/** Recognises speech of a few hundred words; it understands no film. */
const WEAK_RECOGNISERS = ['pocketsphinx']
const isReal = (offer: Offer): boolean => runs(offer) && offer.stands_in === ''

/** Kinds of work that cannot be done now for want of a model. `speaking`: offers of the machines that may speak; `local`: those of this machine. */
export function missingNow(speaking: readonly Offer[], local: readonly Offer[]): ModelNeed[] {
  const has = (operation: string, isOne: (offer: Offer) => boolean = () => true) =>
    (operation === 'tts' ? speaking : local).some((offer) => offer.operation === operation && isReal(offer) && isOne(offer))
  const hasModel = ({ engine }: Offer) => CATALOGUE.some((model) => model.engine === (engineRow(engine)?.modelsOf ?? engine))
  const isHere: Readonly<Record<NeedKind, boolean>> = {
    speech: has('tts', (offer) => hasModel(offer) && offer.engine !== 'heart'),
    cloning: has('tts', ({ cloning }) => cloning),
    description: has('tts', ({ engine }) => engineRow(engine)?.designs === true),
    recognition: has('asr', ({ engine }) => !WEAK_RECOGNISERS.includes(engine)),
    dictation: has('asr', ({ engine }) => !WEAK_RECOGNISERS.includes(engine)),
    speakers: has('diarize'),
    background: has('separate'),
    translation: has('translate'),
  }
  return NEED_KINDS.filter((kind) => !isHere[kind]).map(needFor)
}
