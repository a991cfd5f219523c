// The seven models of dictation: which files each is made of, and what the library must be told to open it. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import { sherpaThreads } from './library.ts'
import type { ModelPlan } from './trial.ts'

export const SHERPA_ID = 'sherpa-onnx-asr'
export const SHERPA_SAMPLE_RATE = 16_000

type Kind = 'offline-transducer' | 'online-transducer' | 'online-paraformer' | 'offline-whisper'
export type SherpaModel = {
  readonly model: string
  readonly kind: Kind
  /** ISO 639-1; ['*']: whatever Whisper knows. */
  readonly languages: readonly string[]
  readonly memoryBytes: number
}
const MIB = 1024 ** 2
const EUROPEAN = 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro ru sk sl es sv uk'.split(' ')
/** What Whisper can be told; the library ends its process over any other. */
const WHISPER = new Set(
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'.split(
    ' ',
  ),
)

/** As the standard has it: Whisper has a code of its own for Javanese, and languages that have none of two letters. */
export function isoCode(named: string): string {
  const code = named === 'jw' ? 'jv' : named
  return WHISPER.has(named) && /^[a-z]{2}$/.test(code) ? code : ''
}

/** Memory: the files on disk and half of that for what is computed, until a host has measured it. */
const row = (model: string, kind: Kind, megabytes: number, languages: readonly string[]): SherpaModel => ({
  model,
  kind,
  languages,
  memoryBytes: Math.round(megabytes * 1.5 + 100) * MIB,
})
/** Those that know most languages first: who names none gets the first that is downloaded. */
export const SHERPA_MODELS: readonly SherpaModel[] = [
  row('parakeet-tdt-v3', 'offline-transducer', 670, EUROPEAN),
  row('parakeet-tdt-v2', 'offline-transducer', 660, ['en']),
  row('zipformer-bilingual-zh-en', 'online-transducer', 200, ['zh', 'en']),
  row('paraformer-bilingual-zh-en', 'online-paraformer', 240, ['zh', 'en']),
  row('zipformer-en-20m', 'online-transducer', 44, ['en']),
  row('zipformer-zh-14m', 'online-transducer', 25, ['zh']),
  row('whisper-tiny', 'offline-whisper', 104, ['*']),
]
/** Those that NeMo trained, as they were exported for this library. */
export const PARAKEET_MODELS = SHERPA_MODELS.filter(({ model }) => model.startsWith('parakeet-'))

/** The code to tell the model, null for none. INVALID_TASK_PARAMS when it does not know the language. */
export function modelLanguage({ model, languages }: SherpaModel, wished: string | null): string | null {
  const tag = (wished ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto') return languages.length === 1 && languages[0] !== '*' ? languages[0]! : null
  const code = tag.split(/[-_]/)[0]!
  if (languages[0] === '*' ? WHISPER.has(code) : languages.includes(code)) return code
  throw new Failure('INVALID_TASK_PARAMS', `language: ${model} does not understand "${tag.slice(0, 32)}"`)
}

/** The quantised graph where both were downloaded, except of a decoder, which is small and loses by it. */
function graph(files: ReadonlyMap<string, string>, part: string, wantsPlain = false): string {
  const named = [...files.keys()].filter((name) => new RegExp(`(^|[-/])${part}[^/]*\\.onnx$`).test(name)).sort()
  const small = (name: string) => name.endsWith('.int8.onnx')
  const name = named.find((one) => small(one) !== wantsPlain) ?? named[0]
  return pathOf(files, name, part)
}

function pathOf(files: ReadonlyMap<string, string>, name: string | undefined, part: string): string {
  const path = name === undefined ? undefined : files.get(name)
  if (path === undefined) throw new Failure('MODEL_NOT_DOWNLOADED', `its ${part} is missing; download the model again`)
  return path
}

/** For an `offline-whisper`, asked only which language is spoken. It needs no list of tokens. */
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
    'list of tokens',
  )
  const encoder = graph(files, 'encoder')
  const decoder = graph(files, 'decoder', kind.endsWith('transducer'))
  const network = { encoder, decoder }
  const transducer = () => ({ transducer: { ...network, joiner: graph(files, 'joiner') } })
  const described: Record<Kind, () => object> = {
    'offline-transducer': () => ({ ...transducer(), modelType: 'nemo_transducer' }),
    'online-transducer': transducer,
    'online-paraformer': () => ({ paraformer: network }),
    // A tail of silence, without which the last words of a full window are lost.
    'offline-whisper': () => ({ whisper: { ...network, language: language ?? '', task: 'transcribe', tailPaddings: -1 } }),
  }
  const config = {
    featConfig: { sampleRate: SHERPA_SAMPLE_RATE, featureDim: 80 },
    modelConfig: { ...described[kind](), tokens, numThreads: sherpaThreads(), provider: 'cpu', debug: 0 },
    decodingMethod: 'greedy_search',
  }
  return { kind: kind.startsWith('online') ? 'online' : 'offline', config, files: [...files.values()] }
}
