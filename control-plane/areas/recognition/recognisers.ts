// Who listens: the engines of this machine that can, in the order of how well they hear. Recordings leave the machine only for the server
// that its owner has named and chosen.
import { Failure } from '#shared/protocol/failure.ts'
import type { Offer } from '../../inference/substitutes.ts'
import { LOCAL } from '../../workers/worker.store.ts'

/** The last are asked only when nobody else is there. */
const LAST = ['pocketsphinx']
/** Asked only by their names or when they were chosen: the test voice, and the server of somebody else, to which the recording goes. */
const ONLY_CHOSEN = ['tone', 'openai-compat-asr']
export const ACTIVE = 'whisper-1'
export const RECOMMENDED = {
  repo_id: 'onnx-community/whisper-base_timestamped:q8',
  label: 'Whisper base (q8)',
  size_gb: 0.08,
}

export type Listener = Offer & { readonly downloaded?: boolean }

export const understands = ({ languages }: Listener, language: string | null): boolean =>
  language === null || languages.some((tag) => tag === '*' || tag.split('-')[0] === language.toLowerCase().split(/[-_]/)[0])

/** Whether it says by itself which language it hears. Those that are asked only by their names are not second-guessed either. */
export const tellsLanguage = ({ engine, languages }: Listener): boolean => languages.includes('*') || ONLY_CHOSEN.includes(engine)

const asrMissing = (message: string) =>
  new Failure('MODEL_NOT_INSTALLED', message, { detail: { error: 'asr_model_missing', message, recommended: RECOMMENDED } })

export const onThisMachine = (offered: readonly Listener[], operation: string): Listener[] =>
  offered.filter(
    (one) => one.workerId === LOCAL && one.operation === operation && one.supported && one.installed && one.downloaded !== false,
  )

/** Who listens where the caller names nobody and this one can. */
export type IsPreferred = (one: Listener) => boolean
/** `instead`: why it is not the one that was asked for, where it is not. */
export type Chosen = { readonly listener: Listener; readonly instead: string | null }
const nobody: IsPreferred = () => false

/** The engine for `model`, else the best of those that understand the language; null: none does. */
export function findListener(
  offered: readonly Listener[],
  model: string,
  language: string | null,
  isPreferred: IsPreferred = nobody,
): Chosen | null {
  const here = onThisMachine(offered, 'asr')
  const able = here.filter((one) => understands(one, language))
  const named = able.find(({ engine }) => engine === model)
  if (named) return { listener: named, instead: null }
  // Nobody knows what is spoken: whoever knows one or two languages is asked after those who know many.
  const isNarrow = ({ languages }: Listener) => language === null && languages.length < 3 && !languages.includes('*')
  const rank = (one: Listener) => (isPreferred(one) ? -1 : LAST.includes(one.engine) ? 2 : isNarrow(one) ? 1 : 0)
  const [listener] = able.filter((one) => !ONLY_CHOSEN.includes(one.engine) || isPreferred(one)).sort((a, b) => rank(a) - rank(b))
  if (!listener) return null
  const isHere = here.some(({ engine }) => engine === model)
  const why = isHere ? `does not understand "${language}"` : 'is not installed on this machine'
  const instead = model === ACTIVE ? null : `${model.slice(0, 64)} ${why}; ${listener.engine} listened instead.`
  return { listener, instead }
}

/** The same. Throws NOT_READY, MODEL_NOT_INSTALLED with the payload that clients read. */
export function chooseListener(
  offered: readonly Listener[],
  model: string,
  language: string | null,
  isPreferred: IsPreferred = nobody,
): Chosen {
  if (!offered.some(({ workerId }) => workerId === LOCAL))
    throw new Failure('NOT_READY', 'The engines of this machine are starting; try again in a moment.')
  const found = findListener(offered, model, language, isPreferred)
  if (found) return found
  const others = onThisMachine(offered, 'asr').some(({ engine }) => !ONLY_CHOSEN.includes(engine))
  throw asrMissing(
    others
      ? `No recogniser on this machine understands "${language}". Download a model that does.`
      : 'There is no recogniser on this machine. Download a model, or run ./studio setup for English without a download.',
  )
}
