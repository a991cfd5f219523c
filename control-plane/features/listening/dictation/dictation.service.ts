// Dictation: the available models, and the owner's three preferences.

import { type Offer, runs } from '#control-plane/inference/offers.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { DEFAULT_MODEL, dictationSettings } from './dictation.settings.ts'

type Choices = Pick<OwnerSettings, 'read' | 'write'>
type Deps = {
  readonly settings: Choices
  readonly offered: () => readonly Offer[]
  /** True if the model is being installed on the local agent. */
  readonly isInstalling: (repoId: string) => boolean
}
type Model = {
  readonly id: string
  readonly repo_id: string
  readonly label: string
  readonly tag: 'offline' | 'streaming'
  readonly recommended: boolean
  readonly size_gb: number
  readonly languages: string
  readonly kind: 'offline-transducer' | 'online-transducer' | 'online-paraformer' | 'offline-whisper'
}
export type Dictation = ReturnType<typeof createDictation>
export type PrefsChange = { readonly enabled?: boolean | null; readonly mode?: string | null; readonly model_id?: string | null }

export const DICTATION_ENGINE = 'sherpa-onnx-asr'
const MODES = ['toggle', 'hold'] as const

const row = (id: string, repo: string, label: string, kind: Model['kind'], size_gb: number, languages: string): Model => ({
  id,
  repo_id: `csukuangfj/sherpa-onnx-${repo}`,
  label,
  tag: kind.startsWith('online') ? 'streaming' : 'offline',
  recommended: id === DEFAULT_MODEL,
  size_gb,
  languages,
  kind,
})
export const DICTATION_MODELS: readonly Model[] = [
  row('sherpa-parakeet-tdt-v3', 'nemo-parakeet-tdt-0.6b-v3-int8', 'Parakeet TDT v3', 'offline-transducer', 0.67, '25 European languages'),
  row('sherpa-parakeet-tdt-v2', 'nemo-parakeet-tdt-0.6b-v2-int8', 'Parakeet TDT v2', 'offline-transducer', 0.66, 'English'),
  row(
    'sherpa-zipformer-bilingual-zh-en',
    'streaming-zipformer-bilingual-zh-en-2023-02-20',
    'Zipformer, bilingual',
    'online-transducer',
    0.2,
    'Chinese + English',
  ),
  row(
    'sherpa-paraformer-bilingual-zh-en',
    'streaming-paraformer-bilingual-zh-en',
    'Paraformer, bilingual',
    'online-paraformer',
    0.24,
    'Chinese + English',
  ),
  row('sherpa-zipformer-en-20m', 'streaming-zipformer-en-20M-2023-02-17', 'Zipformer, English', 'online-transducer', 0.044, 'English'),
  row('sherpa-zipformer-zh-14m', 'streaming-zipformer-zh-14M-2023-02-23', 'Zipformer, Chinese', 'online-transducer', 0.025, 'Chinese'),
  row(DEFAULT_MODEL, 'whisper-tiny', 'Whisper tiny', 'offline-whisper', 0.104, '90+ languages (auto-detect)'),
]

/** The id of a model by its id, its id without the prefix, or its repository; null for anything else. */
export const canonical = (name: string): string | null =>
  DICTATION_MODELS.find(({ id, repo_id }) => name === id || `sherpa-${name}` === id || name === repo_id)?.id ?? null
const isMode = (word: string | null): word is (typeof MODES)[number] => (MODES as readonly (string | null)[]).includes(word)

/** The selected model; the default if the selected one no longer exists. */
export const chosenModel = (settings: Pick<Choices, 'read'>): string => canonical(settings.read(dictationSettings.model)) ?? DEFAULT_MODEL

/** True if the owner selected a model; false for the default. */
export const hasChosenModel = (settings: Pick<OwnerSettings, 'stored'>): boolean =>
  canonical(settings.stored(dictationSettings.model) ?? '') !== null

/** True if this offer is the model that the owner selected for dictation. */
export const chosenForDictation =
  (settings: Pick<Choices, 'read'>) =>
  ({ engine, model }: Pick<Offer, 'engine' | 'model'>): boolean =>
    engine === DICTATION_ENGINE && canonical(model) === chosenModel(settings)

export function createDictation({ settings, offered, isInstalling }: Deps) {
  // A stored mode or model that no longer exists is reported as the default.
  const prefs = () => ({
    enabled: settings.read(dictationSettings.enabled),
    mode: settings.read(dictationSettings.mode),
    model_id: chosenModel(settings),
  })

  return {
    models() {
      const mine = offered().filter(
        ({ engine, operation, workerId }) => engine === DICTATION_ENGINE && operation === 'asr' && workerId === 'local',
      )
      const available = mine.some(({ supported, installed }) => supported && installed)
      return {
        models: DICTATION_MODELS.map((model) => ({
          ...model,
          installed: mine.some((one) => runs(one) && canonical(one.model) === model.id),
          installing: isInstalling(model.repo_id),
        })),
        engine_available: available,
        engine_reason: available ? null : 'The recogniser for dictation is not installed on this machine.',
        default_model_id: DEFAULT_MODEL,
      }
    },
    prefs,
    /** Validates every field before any is written. Throws BAD_REQUEST. */
    async change({ enabled, mode, model_id }: PrefsChange) {
      const wantedMode = mode ?? null
      if (wantedMode !== null && !isMode(wantedMode))
        throw new Failure('BAD_REQUEST', `Unknown mode '${wantedMode}'. Use one of ${MODES.join(', ')}.`)
      const model = model_id == null ? null : canonical(model_id)
      if (model_id != null && model === null)
        throw new Failure('BAD_REQUEST', `Unknown model '${model_id}'. Use one of ${DICTATION_MODELS.map(({ id }) => id).join(', ')}.`)
      await Promise.all([
        enabled != null && settings.write(dictationSettings.enabled, enabled),
        wantedMode !== null && settings.write(dictationSettings.mode, wantedMode),
        model !== null && settings.write(dictationSettings.model, model),
      ])
      return prefs()
    },
  }
}
