// Who listens: the engines of this machine that can, in the order of how well they hear. Recordings leave the machine only for the server
// that its owner has named and chosen.
import { Failure } from '#shared/protocol/failure.ts'
import { LOCAL } from '../../workers/worker.store.ts'
import type { Offered } from '../speech/backends.ts'

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

export type Listener = Offered & { readonly downloaded?: boolean }

const understands = ({ languages }: Listener, language: string | null): boolean =>
  language === null || languages.some((tag) => tag === '*' || tag.split('-')[0] === language.toLowerCase().split(/[-_]/)[0])

const asrMissing = (message: string) =>
  new Failure('MODEL_NOT_INSTALLED', message, { detail: { error: 'asr_model_missing', message, recommended: RECOMMENDED } })

export const onThisMachine = (offered: readonly Listener[], operation: string): Listener[] =>
  offered.filter(
    (one) => one.workerId === LOCAL && one.operation === operation && one.supported && one.installed && one.downloaded !== false,
  )

/** The engine for `model`, and why it is another one where it is. Throws NOT_READY, MODEL_NOT_INSTALLED with the payload that clients read. */
export function chooseListener(
  offered: readonly Listener[],
  model: string,
  language: string | null,
  /** Who listens where the caller names nobody and this one can. */
  isPreferred: (one: Listener) => boolean = () => false,
): { readonly listener: Listener; readonly instead: string | null } {
  if (!offered.some(({ workerId }) => workerId === LOCAL))
    throw new Failure('NOT_READY', 'The engines of this machine are starting; try again in a moment.')
  const all = onThisMachine(offered, 'asr')
  const able = all.filter((one) => understands(one, language))
  const named = able.find(({ engine }) => engine === model)
  if (named) return { listener: named, instead: null }
  // Nobody knows what is spoken: whoever knows one or two languages is asked after those who know many.
  const isNarrow = ({ languages }: Listener) => language === null && languages.length < 3 && !languages.includes('*')
  const rank = (one: Listener) => (isPreferred(one) ? -1 : LAST.includes(one.engine) ? 2 : isNarrow(one) ? 1 : 0)
  const [listener] = able.filter((one) => !ONLY_CHOSEN.includes(one.engine) || isPreferred(one)).sort((a, b) => rank(a) - rank(b))
  if (!listener) {
    const others = all.some(({ engine }) => !ONLY_CHOSEN.includes(engine))
    throw asrMissing(
      others
        ? `No recogniser on this machine understands "${language}". Download a model that does.`
        : 'There is no recogniser on this machine. Download a model, or run ./studio setup for English without a download.',
    )
  }
  const instead = model === ACTIVE ? null : `${model.slice(0, 64)} is not installed on this machine; ${listener.engine} listened instead.`
  return { listener, instead }
}
