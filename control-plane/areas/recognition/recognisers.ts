// Chooses the recogniser of this machine for a recording, in order of accuracy. Recordings leave the machine only for a server that the owner
// configured and selected.
import { Failure } from '#shared/protocol/failure.ts'
import { localOffers, type Offer } from '../../inference/offers.ts'
import { LOCAL } from '../../workers/worker.store.ts'

/** Used only if there is no other. */
const LAST = ['pocketsphinx']
/** Used only when a request or the owner selects them: the test engine, and an external server, which receives the recording. */
const ONLY_CHOSEN = ['tone', 'openai-compat-asr']
export const ACTIVE = 'whisper-1'
export const RECOMMENDED = {
  repo_id: 'onnx-community/whisper-base_timestamped:q8',
  label: 'Whisper base (q8)',
  size_gb: 0.08,
}

export const supportsLanguage = ({ languages }: Offer, language: string | null): boolean =>
  language === null || languages.some((tag) => tag === '*' || tag.split('-')[0] === language.toLowerCase().split(/[-_]/)[0])

/** Whether it detects the language itself. An explicit choice from ONLY_CHOSEN is not replaced either. */
export const detectsLanguage = ({ engine, languages }: Offer): boolean => languages.includes('*') || ONLY_CHOSEN.includes(engine)

const asrMissing = (message: string) =>
  new Failure('MODEL_NOT_INSTALLED', message, { detail: { error: 'asr_model_missing', message, recommended: RECOMMENDED } })

/** The owner's choice, used if the request names no engine and the choice supports the language. */
export type IsPreferred = (offer: Offer) => boolean
/** `instead`: the reason why another recogniser was chosen than the requested one, as a sentence; null otherwise. */
export type Chosen = { readonly recogniser: Offer; readonly instead: string | null }
const nonePreferred: IsPreferred = () => false

/** The engine for `model`, else the best that supports the language; null if none does. */
export function findRecogniser(
  offered: readonly Offer[],
  model: string,
  language: string | null,
  isPreferred: IsPreferred = nonePreferred,
): Chosen | null {
  const local = localOffers(offered, 'asr')
  const able = local.filter((offer) => supportsLanguage(offer, language))
  const named = able.find(({ engine }) => engine === model)
  if (named) return { recogniser: named, instead: null }
  // With an unknown language, a recogniser of one or two languages comes after those of many.
  const isNarrow = ({ languages }: Offer) => language === null && languages.length < 3 && !languages.includes('*')
  const rank = (offer: Offer) => (isPreferred(offer) ? -1 : LAST.includes(offer.engine) ? 2 : isNarrow(offer) ? 1 : 0)
  const [recogniser] = able.filter((offer) => !ONLY_CHOSEN.includes(offer.engine) || isPreferred(offer)).sort((a, b) => rank(a) - rank(b))
  if (!recogniser) return null
  const isInstalled = local.some(({ engine }) => engine === model)
  const why = isInstalled ? `does not support "${language}"` : 'is not installed on this machine'
  const instead = model === ACTIVE ? null : `${model.slice(0, 64)} ${why}. ${recogniser.engine} was used instead.`
  return { recogniser, instead }
}

/** Like `findRecogniser`. Throws NOT_READY, or MODEL_NOT_INSTALLED with the payload that clients read. */
export function chooseRecogniser(
  offered: readonly Offer[],
  model: string,
  language: string | null,
  isPreferred: IsPreferred = nonePreferred,
): Chosen {
  if (!offered.some(({ workerId }) => workerId === LOCAL))
    throw new Failure('NOT_READY', 'The engines of this machine are starting. Try again in a moment.')
  const found = findRecogniser(offered, model, language, isPreferred)
  if (found) return found
  const others = localOffers(offered, 'asr').some(({ engine }) => !ONLY_CHOSEN.includes(engine))
  throw asrMissing(
    others
      ? `No recogniser on this machine supports "${language}". Install one that does; ./studio models lists the models.`
      : `There is no recogniser on this machine. Install one with ./studio models install ${RECOMMENDED.repo_id}, or run ./studio setup for English only.`,
  )
}
