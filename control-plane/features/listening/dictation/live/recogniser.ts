// Chooses the recogniser of a dictation among the offers of its machine. Pure.

import { needOf } from '#control-plane/inference/needs/needs.ts'
import { isOwnOffer, type Offer, runs } from '#control-plane/inference/offers.ts'
import { CATALOGUE, findModel } from '#shared/models/catalogue.ts'
import { isOwnModel } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { canonical, DICTATION_ENGINE, DICTATION_MODELS } from '../dictation.service.ts'

/** Quickest first, after the models of dictation. */
const OTHERS = ['moonshine', 'faster-whisper', 'nemo-parakeet', 'pocketsphinx']
/** `instead`: the sentence that names a substitute; null for what was requested. `needs`: the model whose place it takes. */
export type LiveChoice = { readonly offer: Offer; readonly instead: string | null; readonly needs?: ModelNeed }

/**
 * `requested`: a model of dictation, the id of an own model, an engine, or '' for `chosen`, the model that the owner selected. A named recogniser is never replaced.
 * Throws BAD_REQUEST for an unknown name, NOT_READY while the machine has no engines yet, MODEL_NOT_INSTALLED with the payload that clients
 * read.
 */
export function chooseLive(offers: readonly Offer[], requested: string, chosen: string): LiveChoice {
  if (offers.length === 0) throw new Failure('NOT_READY', 'The engines of this machine are starting. Try again in a moment.')
  const able = offers.filter((offer) => offer.operation === 'asr' && runs(offer))
  const withId = (id: string) => able.find(({ engine, model }) => engine === DICTATION_ENGINE && canonical(model) === id)
  const wanted = canonical(requested)
  if (requested !== '' && wanted === null) {
    const offer = able.find((one) => one.engine === requested || isOwnOffer(one, requested))
    if (offer) return { offer, instead: offer.stands_in || null }
    const known = [...DICTATION_MODELS.map(({ id }) => id), ...new Set(able.map(({ engine }) => engine))]
    throw new Failure('BAD_REQUEST', `Unknown dictation model '${requested.slice(0, 64)}'. Use one of ${known.join(', ')}.`)
  }
  const selected = withId(wanted ?? chosen)
  if (selected) return { offer: selected, instead: null }
  if (wanted !== null) throw missing(wanted, `The model ${wanted} is not installed.`)
  const ranked = [
    ...DICTATION_MODELS.map(({ id }) => withId(id)),
    ...OTHERS.map((id) => able.find(({ engine, model }) => engine === id && !isOwnModel(model))),
  ]
  const offer = ranked.find((one) => one !== undefined)
  if (!offer) throw missing(chosen, 'There is no recogniser for dictation on this machine.')
  return { offer, instead: `The model ${chosen} is not installed, so ${nameOf(offer)} was used.`, needs: needIn(chosen) }
}

export const nameOf = ({ engine, model }: Offer): string => (model === '' ? engine : `${engine} (${model})`)

const modelOf = (id: string) => DICTATION_MODELS.find((model) => model.id === id)!
const needIn = (id: string): ModelNeed => needOf('dictation', findModel(CATALOGUE, modelOf(id).repo_id))

function missing(id: string, why: string): Failure {
  const { repo_id, label, size_gb } = modelOf(id)
  const message = `${why} Install it with ${COMMAND} models install ${repo_id}.`
  const recommended = { repo_id, label, size_gb, dictation_id: id }
  return new Failure('MODEL_NOT_INSTALLED', message, {
    detail: { error: 'asr_model_missing', message, recommended },
    needs: needIn(id),
  })
}
