// The seven models of dictation: their files, and the configuration with which the library opens them. Pure.

import { Failure } from '#shared/protocol/failure.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { sherpaThreads } from './library.ts'
import type { ModelPlan } from './trial.ts'

export const SHERPA_ID = 'sherpa-onnx-asr'
export const SHERPA_SAMPLE_RATE = 16_000

export type SherpaKind = 'offline-transducer' | 'online-transducer' | 'online-paraformer' | 'offline-whisper'
export type SherpaModel = {
  readonly model: string
  readonly kind: SherpaKind
  /** ISO 639-1; ['*']: all languages of Whisper. */
  readonly languages: readonly string[]
  readonly memoryBytes: number
}
const EUROPEAN_LANGUAGES = 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro ru sk sl es sv uk'.split(' ')
/** Languages that Whisper accepts; the library ends its process for any other code. */
const WHISPER_LANGUAGES = new Set(
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'.split(
    ' ',
  ),
)

/** The ISO 639-1 code for a code of Whisper, which has its own code for Javanese; '' for languages without a two-letter code. */
export function isoCode(named: string): string {
  const code = named === 'jw' ? 'jv' : named
  return WHISPER_LANGUAGES.has(named) && /^[a-z]{2}$/.test(code) ? code : ''
}

/** Memory is estimated as one and a half times the files plus 100 MiB, until a host has measured it. */
const row = (model: string, kind: SherpaKind, megabytes: number, languages: readonly string[]): SherpaModel => ({
  model,
  kind,
  languages,
  memoryBytes: Math.round(megabytes * 1.5 + 100) * MIB,
})
/** Models with most languages first: a request without a model uses the first downloaded one. */
export const SHERPA_MODELS: readonly SherpaModel[] = [
  row('parakeet-tdt-v3', 'offline-transducer', 670, EUROPEAN_LANGUAGES),
  row('parakeet-tdt-v2', 'offline-transducer', 660, ['en']),
  row('zipformer-bilingual-zh-en', 'online-transducer', 200, ['zh', 'en']),
  row('paraformer-bilingual-zh-en', 'online-paraformer', 240, ['zh', 'en']),
  row('zipformer-en-20m', 'online-transducer', 44, ['en']),
  row('zipformer-zh-14m', 'online-transducer', 25, ['zh']),
  row('whisper-tiny', 'offline-whisper', 104, ['*']),
]
const KINDS: readonly SherpaKind[] = ['offline-transducer', 'online-transducer', 'online-paraformer', 'offline-whisper']
/** A model that the owner of the machine added: its files lie in a folder that is named after its kind, and say nothing about its languages. */
export function ownSherpaModel(model: string, files: ReadonlyMap<string, string> | null): SherpaModel | null {
  const kind = KINDS.find((one) => [...(files?.keys() ?? [])].some((name) => name.startsWith(`${one}/`)))
  return kind ? { model, kind, languages: ['*'], memoryBytes: 0 } : null
}
/** The models of NeMo, exported for this library. */
export const PARAKEET_MODELS = SHERPA_MODELS.filter(({ model }) => model.startsWith('parakeet-'))

/** The language code to pass to the model; null to let it detect the language. Throws INVALID_TASK_PARAMS. */
export function modelLanguage({ model, languages }: SherpaModel, requested: string | null): string | null {
  const tag = (requested ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto') return languages.length === 1 && languages[0] !== '*' ? languages[0]! : null
  const code = tag.split(/[-_]/)[0]!
  if (languages[0] === '*' ? WHISPER_LANGUAGES.has(code) : languages.includes(code)) return code
  throw new Failure('INVALID_TASK_PARAMS', `language: ${model} does not understand "${tag.slice(0, 32)}".`)
}

/** Prefers the quantised graph, or the plain one with `wantsPlain`: a decoder is small and loses accuracy when quantised. */
function graph(files: ReadonlyMap<string, string>, part: string, wantsPlain = false): string {
  const isPart = (file: string) => file.endsWith('.onnx') && (file.startsWith(part) || file.includes(`-${part}`))
  const named = [...files.keys()].filter((name) => isPart(name.split('/').at(-1)!)).sort()
  const small = (name: string) => name.endsWith('.int8.onnx')
  const name = named.find((one) => small(one) !== wantsPlain) ?? named[0]
  return pathOf(files, name, part)
}

function pathOf(files: ReadonlyMap<string, string>, name: string | undefined, part: string): string {
  const path = name === undefined ? undefined : files.get(name)
  if (path === undefined) throw new Failure('MODEL_NOT_DOWNLOADED', `The ${part} of the model is missing. Download the model again.`)
  return path
}

/** Plan for language identification with an `offline-whisper` model, which needs no token list. */
export const identifierPlan = (files: ReadonlyMap<string, string>): ModelPlan => ({
  kind: 'identifier',
  config: {
    whisper: { encoder: graph(files, 'encoder'), decoder: graph(files, 'decoder') },
    numThreads: sherpaThreads(),
    provider: 'cpu',
    debug: 0,
  },
  files: [...files.values()],
})

/** `language`: of Whisper alone. MODEL_NOT_DOWNLOADED names the file that is missing. */
export function recogniserPlan({ kind }: SherpaModel, files: ReadonlyMap<string, string>, language: string | null = null): ModelPlan {
  const tokens = pathOf(
    files,
    [...files.keys()].find((name) => name.endsWith('tokens.txt')),
    'tokens file',
  )
  const encoder = graph(files, 'encoder')
  const decoder = graph(files, 'decoder', kind.endsWith('transducer'))
  const network = { encoder, decoder }
  const transducer = () => ({ transducer: { ...network, joiner: graph(files, 'joiner') } })
  const configs: Record<SherpaKind, () => object> = {
    'offline-transducer': () => ({ ...transducer(), modelType: 'nemo_transducer' }),
    'online-transducer': transducer,
    'online-paraformer': () => ({ paraformer: network }),
    // Appends silence, without which the last words of a full window are lost.
    'offline-whisper': () => ({ whisper: { ...network, language: language ?? '', task: 'transcribe', tailPaddings: -1 } }),
  }
  const config = {
    featConfig: { sampleRate: SHERPA_SAMPLE_RATE, featureDim: 80 },
    modelConfig: { ...configs[kind](), tokens, numThreads: sherpaThreads(), provider: 'cpu', debug: 0 },
    decodingMethod: 'greedy_search',
  }
  return { kind: kind.startsWith('online') ? 'online' : 'offline', config, files: [...files.values()] }
}
