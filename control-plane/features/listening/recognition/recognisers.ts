// Chooses the recogniser of this machine for a recording, in order of accuracy. Recordings leave the machine only for a server that the owner
// configured and selected.

import { isRecognitionAlias, RECOGNITION_ALIASES } from '#control-plane/inference/aliases.ts'
import { downloadRefusal, firstModelOf, HERE } from '#control-plane/inference/missing-model.ts'
import { needFor } from '#control-plane/inference/needs/needs.ts'
import { isOwnOffer, localOffers, type Offer, requireLocal } from '#control-plane/inference/offers.ts'
import { ENGINES_BY_FAMILY, engineRow } from '#shared/engines.ts'
import { isOwnModel } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

/** Used only if there is no other. */
const LAST = ['pocketsphinx']
/** Used only when a request or the owner selects them: the test engine, and an external server, which receives the recording. */
const ONLY_CHOSEN = ['tone', 'openai-compat-asr']
export const RECOMMENDED = {
  repo_id: 'onnx-community/whisper-base_timestamped:q8',
  label: 'Whisper base (q8)',
  size_gb: 0.08,
}

/** True if it can return English text for speech in other languages. */
export const translates = ({ engine }: Offer): boolean => engineRow(engine)?.translates === true

const TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,3}$/i
/** False for a text that is not a language tag, such as a name. */
export const supportsLanguage = ({ languages }: Offer, language: string | null): boolean =>
  language === null ||
  (TAG.test(language) && languages.some((tag) => tag === '*' || tag.split('-')[0] === language.toLowerCase().split(/[-_]/)[0]))

/** True if it detects the language itself. An explicit choice from ONLY_CHOSEN is not replaced either. */
export const detectsLanguage = ({ engine, languages }: Offer): boolean => languages.includes('*') || ONLY_CHOSEN.includes(engine)

/** The payload that clients read when a model has to be installed. */
export const asrMissing = (message: string) =>
  new Failure('MODEL_NOT_INSTALLED', message, {
    detail: { error: 'asr_model_missing', message, recommended: RECOMMENDED },
    needs: needFor('recognition'),
  })

/** The owner's choice, used if the request names no engine and the choice supports the language. */
export type IsPreferred = (offer: Offer) => boolean
/** `instead`: the reason why another recogniser was chosen than the requested one, as a sentence; null otherwise. */
export type Chosen = { readonly recogniser: Offer; readonly instead: string | null }
const nonePreferred: IsPreferred = () => false

/** The engine for `model`, or the own model of that id, else the best that supports the language; null if none does. */
export function findRecogniser(
  offered: readonly Offer[],
  model: string,
  language: string | null,
  isPreferred: IsPreferred = nonePreferred,
): Chosen | null {
  const local = localOffers(offered, 'asr')
  const able = local.filter((offer) => supportsLanguage(offer, language))
  // An own model may be one that a studio sent: without its name it is used through the offer of its engine, or as the owner's choice.
  const hasUnnamed = offered.some((offer) => offer.engine === model && offer.model === '' && offer.operation === 'asr')
  const isNamed = (offer: Offer) => isOwnOffer(offer, model) || (offer.engine === model && !(hasUnnamed && isOwnModel(offer.model)))
  const named = able.find(isNamed)
  if (named) return { recogniser: named, instead: null }
  // With an unknown language, a recogniser of one or two languages comes after those of many.
  const isNarrow = ({ languages }: Offer) => language === null && languages.length < 3 && !languages.includes('*')
  const rank = (offer: Offer) => (isPreferred(offer) ? -1 : LAST.includes(offer.engine) ? 2 : isNarrow(offer) ? 1 : 0)
  const [recogniser] = able
    .filter((offer) => isPreferred(offer) || !(ONLY_CHOSEN.includes(offer.engine) || isOwnModel(offer.model)))
    .sort((a, b) => rank(a) - rank(b))
  if (!recogniser) return null
  const isInstalled = local.some((offer) => offer.engine === model || isOwnOffer(offer, model))
  const why = isInstalled ? `does not support "${language}"` : 'is not installed on this machine'
  const instead = isRecognitionAlias(model) ? null : `${model.slice(0, 64)} ${why}. ${recogniser.engine} was used instead.`
  return { recogniser, instead }
}

/**
 * Like `findRecogniser`. A language is a preference: if no recogniser supports it, the first choice without one is used. Throws NOT_READY, or
 * MODEL_NOT_INSTALLED with the payload that clients read.
 */
export function chooseRecogniser(
  offered: readonly Offer[],
  model: string,
  language: string | null,
  isPreferred: IsPreferred = nonePreferred,
): Chosen {
  requireLocal(offered)
  const found = findRecogniser(offered, model, language, isPreferred) ?? findRecogniser(offered, model, null, isPreferred)
  if (found) return found
  throw asrMissing(
    `There is no recogniser on this machine. Install one with ${COMMAND} models install ${RECOMMENDED.repo_id}, or run ${COMMAND} setup for English only.`,
  )
}

/**
 * Throws unless a request of the public API may name this model: MODEL_NOT_FOUND for a name that no recogniser has; NOT_READY, MODEL_NOT_INSTALLED or
 * MODEL_NOT_DOWNLOADED for a recogniser that this machine cannot use.
 */
export function requireNamed(offered: readonly Offer[], model: string): void {
  if (isRecognitionAlias(model) || localOffers(offered, 'asr').some((offer) => offer.engine === model || isOwnOffer(offer, model))) return
  if (!ENGINES_BY_FAMILY.asr.some(({ id }) => id === model)) {
    const names = [...RECOGNITION_ALIASES, ...new Set(localOffers(offered, 'asr').map(({ engine }) => engine))]
    throw new Failure('MODEL_NOT_FOUND', `Unknown model '${model.slice(0, 64)}'. Use one of ${names.join(', ')}.`)
  }
  requireLocal(offered)
  if (firstModelOf(model)) throw downloadRefusal(model, HERE, offered)
  const hint = engineRow(model)?.installHint ?? 'Choose another engine.'
  throw new Failure('MODEL_NOT_INSTALLED', `Engine '${model}' is not available: it is not installed on this machine.`, { hint })
}

/** The model names that a transcription can use now. */
export function recognitionModels(offered: readonly Offer[], isPreferred: IsPreferred): string[] {
  const aliases = findRecogniser(offered, RECOGNITION_ALIASES[0]!, null, isPreferred) ? RECOGNITION_ALIASES : []
  return [...aliases, ...new Set(localOffers(offered, 'asr').map(({ engine }) => engine))]
}
