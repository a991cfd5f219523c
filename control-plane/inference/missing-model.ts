// The failures for a missing model, and for an engine that cannot clone the voice of a recording. Pure.

import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { engineRow, TTS_ENGINES } from '#shared/engines.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { NeedKind } from '#shared/protocol/fields/model-need.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { kindOfEngine, needOf } from './needs/needs.ts'
import { type Offer, runs } from './offers.ts'

/** `target`: 'local', 'auto' or a worker id; `label`: its name for people. */
export type LabelledTarget = { readonly target: string; readonly label: string }
/** Clients divide the bytes by this and show the quotient as GB, beside `size_gb` of the catalogue, which they do not convert. Both are estimates. */
const GIBIBYTE = 1024 ** 3
export const HERE: LabelledTarget = { target: LOCAL, label: 'Local' }

/** `model`: what to install; undefined when no model of the catalogue helps. `kind`: work that it makes possible. */
export const modelMissing = (
  engine: string,
  message: string,
  model?: CatalogueModel,
  { target, label }: LabelledTarget = HERE,
  kind: NeedKind = kindOfEngine(engine),
): Failure =>
  new Failure('MODEL_NOT_DOWNLOADED', message, {
    needs: needOf(kind, model),
    detail: {
      error: 'model_not_downloaded',
      message,
      engine,
      repo_ids: model ? [model.id] : [],
      size_bytes: model ? Math.round(model.sizeGb * GIBIBYTE) : null,
      target,
      target_label: label,
      downloadable: model !== undefined,
    },
  })

/** The refusal of a request for an engine that is installed and has no model. `offers`: of every machine. */
export function downloadRefusal(engine: string, at: LabelledTarget, offers: readonly Offer[]): Failure {
  const model = installedModelOf(engine, offers) ?? firstModelOf(engine)
  const where = at.target === LOCAL ? 'on this machine' : at.target === 'auto' ? 'on any connected machine' : `on ${at.label}`
  const remedy = model ? `Install it with ${COMMAND} models install ${model.id}.` : 'Choose another engine.'
  return modelMissing(engine, `Engine '${engine}' is not available: its model is not installed ${where}. ${remedy}`, model, at)
}

/** The failure of an engine that cannot use its model. `there`: what its machine offers. Null without an installed model of the catalogue. */
export function modelBroken(engine: string, message: string, at: LabelledTarget, there: readonly Offer[]): Failure | null {
  const model = installedModelOf(engine, there)
  return model ? modelMissing(engine, `${message} The model is ${model.id}.`, model, at) : null
}

/** The model that an engine uses on these machines, the best of several. Undefined if none is installed, or the catalogue has no such model. */
function installedModelOf(engine: string, offers: readonly Offer[]): CatalogueModel | undefined {
  const installed = new Set(offers.filter((offer) => offer.engine === engine && offer.operation === 'verify').map(({ model }) => model))
  const models = CATALOGUE.filter((row) => row.engine === (engineRow(engine)?.modelsOf ?? engine) && installed.has(row.model))
  return models.find(({ model }) => model === '') ?? models[0]
}

/** The model to install first for an engine: the required one, else a recommended one. Undefined for an engine without models. */
export function firstModelOf(engine: string): CatalogueModel | undefined {
  const models = CATALOGUE.filter((row) => row.engine === (engineRow(engine)?.modelsOf ?? engine))
  return models.find(({ required }) => required) ?? models.find(({ curatedOn }) => curatedOn.length > 0) ?? models[0]
}

/**
 * The model without which the engine can speak on no connected machine. Null when it can, when the local agent has not described itself yet
 * (a request waits for it), and for an engine whose models are not in the catalogue.
 */
export function modelNeededBy(engine: string, offers: readonly Offer[]): CatalogueModel | null {
  const own = offers.filter((offer) => offer.engine === engine && offer.operation === 'tts')
  const isWaiting = own.some(({ workerId, supported, installed }) => workerId === LOCAL && supported && installed)
  return own.some(runs) || !isWaiting ? null : (firstModelOf(engine) ?? null)
}

/** Source of a voice: a recording, or a description of which no sample was rendered. */
export type VoiceSource = 'reference' | 'description'
const VOICE_NAMES: Readonly<Record<VoiceSource, string>> = { reference: 'a reference voice', description: 'a voice from a description' }

/** The refusal of a request with a voice of its own. Another voice must not be substituted for it. */
export function cloningRefusal(engine: string, at: LabelledTarget = HERE, source: VoiceSource = 'reference'): Failure {
  const able = TTS_ENGINES.filter(({ cloning }) => cloning === true)
  if (!able.some(({ id }) => id === engine)) {
    const names = able.filter(({ packaging }) => packaging !== 'none').map(({ id }) => id)
    const verb = source === 'reference' ? 'clone' : 'speak in'
    return new Failure(
      'BAD_REQUEST',
      `${engine.slice(0, 64)} cannot ${verb} ${VOICE_NAMES[source]}. These engines can: ${names.join(', ')}.`,
    )
  }
  return voiceNeeds(engine, at, source)
}

/** The refusal of a voice from a description while no engine can render it. */
export const designRefusal = (): Failure => voiceNeeds(TTS_ENGINES.find(({ designs }) => designs === true)!.id, HERE, 'description')

function voiceNeeds(engine: string, at: LabelledTarget, source: VoiceSource): Failure {
  const first = firstModelOf(engine)
  const remedy = first ? `Install it with ${COMMAND} models install ${first.id}, or send` : 'Send'
  const [letter, ...rest] = VOICE_NAMES[source]
  return modelMissing(
    engine,
    `${letter!.toUpperCase()}${rest.join('')} needs the model of ${engineRow(engine)?.name ?? engine}, which is not installed on the selected machine. ${remedy} the request without a ${source}.`,
    first,
    at,
    source === 'reference' ? 'cloning' : 'description',
  )
}
