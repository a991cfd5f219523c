// Every engine: what it is called, what it can do, which licence it has, how it is packaged and which host process runs it. The studio lists
// engines from this table, and the agent declares its engines with these ids. Whether an engine works is not in this table: machines report
// that as capabilities.

import type { OperationId } from '#shared/operations/table.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const ENGINE_FAMILIES = ['tts', 'asr', 'llm'] as const
/** The lists of GET /engines. */
export type EngineFamily = (typeof ENGINE_FAMILIES)[number]

/**
 * `built-in`: part of the agent; its weights come from the model store or with the packages of the agent. `program`: a program of the
 * operating system. `sidecar`: a separate process that the owner installs. `endpoint`: a service on the network. `none`: no adapter exists.
 */
export type Packaging = 'built-in' | 'program' | 'sidecar' | 'endpoint' | 'none'

export type EngineRow<Id extends string = string> = {
  readonly id: Id
  readonly name: string
  /** The list of GET /engines that always contains it; null: listed only where a machine offers it. */
  readonly family: EngineFamily | null
  readonly operations: readonly OperationId[]
  /** ISO 639-1 codes; ['*']: many, depending on the model; []: known only once it is installed. */
  readonly languages: readonly string[]
  /** SPDX expression for the weights, or for the program when there are none; '' when it depends on the model or there is no adapter. */
  readonly licence: string
  readonly packaging: Packaging
  /** Engines of one group share a host process; null: no host process of the agent runs it. */
  readonly group: string | null
  /** Device families that the engine can compute on, best first. Built-in engines ask for exactly these (agent/engine/seam/devices.ts). */
  readonly gpu: readonly string[]
  readonly cloning?: boolean
  /** False: it clones from the sound of a reference alone, so the reference is neither transcribed nor cut for the transcript. */
  readonly readsTranscript?: false
  readonly emotion?: boolean
  /** The engine whose models it uses. */
  readonly modelsOf?: string
  /** Makes a voice from a description in `instruct`. */
  readonly designs?: true
  /** Slowest and fastest speed that its voices support, if the agent makes the sound itself. Equal values: they have one pace. */
  readonly speeds?: readonly [slowest: number, fastest: number]
  /**
   * Texts whose figures and abbreviations it gets in words: `all`, or `tables`: those in languages with tables of their own, because it reads the
   * figures of others itself. Absent: it reads all of them itself.
   */
  readonly spells?: 'all' | 'tables'
  /** Its voices can be blended, as in `af_bella(2)+af_sky(1)`. */
  readonly blends?: true
  /** First letters of the ids of voices whose language it cannot pronounce, with that language. */
  readonly unpronounced?: Readonly<Record<string, string>>
  /** It speaks a text in the length that `duration` asks for. */
  readonly takesDuration?: true
  /** Tags in square brackets for sounds that are no words. */
  readonly reactions?: readonly string[]
  /** A recogniser that can also return what it hears in English. */
  readonly translates?: boolean
  /** A recogniser that detects the language among those that a task expects. */
  readonly expectsLanguages?: true
  /** A recogniser that mistakes many words, so that what it hears is no transcript of a voice. */
  readonly guesses?: true
  readonly minVramGb?: number
  /** Installation instructions, if the usual hint of its packaging does not suffice. */
  readonly installHint?: string
}

type Details = Omit<EngineRow, 'id' | 'name' | 'family' | 'operations'>
const rowOf =
  (family: EngineFamily | null, ...operations: OperationId[]) =>
  <const Id extends string>(id: Id, name: string, details: Details): EngineRow<Id> => ({ id, name, family, operations, ...details })
const tts = rowOf('tts', 'tts')
const asr = rowOf('asr', 'asr')
const llm = rowOf('llm')
const translate = rowOf(null, 'translate')
const separate = rowOf(null, 'separate')

/** Packagings whose languages and licence depend on the installed engine. */
const SIDECAR = { languages: [], licence: '', packaging: 'sidecar', group: null } as const
const UNADAPTED = { languages: [], licence: '', packaging: 'none', group: null } as const
const ENDPOINT = { licence: '', packaging: 'endpoint', gpu: [] } as const
const BUILT_IN = { packaging: 'built-in', gpu: ['cpu'] } as const
const ON_CUDA = { gpu: ['cuda', 'cpu'] } as const
const WHISPER = {
  languages: ['*'],
  licence: '',
  packaging: 'built-in',
  group: 'whisper',
  gpu: ['cuda', 'cpu'],
  translates: true,
  expectsLanguages: true,
} as const

/** The licence of each voice is on its card. Its networks cannot shorten a symbol below a frame, so they are not twice as fast. */
const PIPER = {
  ...BUILT_IN,
  languages: ['*'],
  licence: '',
  group: 'piper',
  cloning: false,
  takesDuration: true,
  speeds: [0.5, 1.5],
  spells: 'all',
} as const

const MOSS_LANGUAGES = 'zh en de es fr ja it hu ko ru fa ar pl pt cs da sv el tr nl'.split(' ')
const SUPERTONIC_LANGUAGES = 'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(' ')
const APPLE = 'It needs Apple silicon and its Metal programs; borrow such a machine and install it there as a sidecar.'
const PARAKEET = `Download one of its models, which dictation uses too: ${COMMAND} models install csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8 for 25 European languages, or csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8 for English.`

const TABLE = [
  tts('svc-engine', 'Voice Studio engine', {
    ...BUILT_IN,
    languages: ['*'],
    licence: 'CC-BY-NC-4.0 AND LicenseRef-Boson-Higgs-Audio-2-Community',
    group: 'svc-engine',
    gpu: ['cuda', 'webgpu', 'cpu'],
    cloning: true,
    designs: true,
    takesDuration: true,
    reactions:
      'laughter sigh confirmation-en question-en question-ah question-oh question-ei question-yi surprise-ah surprise-oh surprise-wa surprise-yo dissatisfaction-hnn'.split(
        ' ',
      ),
    minVramGb: 4,
    spells: 'all',
  }),
  tts('cosyvoice', 'CosyVoice', { ...SIDECAR, gpu: ['cuda'], cloning: true, emotion: true, minVramGb: 6 }),
  tts('kittentts', 'KittenTTS', {
    ...BUILT_IN,
    languages: ['en'],
    licence: 'Apache-2.0',
    group: 'kittentts',
    cloning: false,
    speeds: [0.5, 2],
    spells: 'all',
  }),
  tts('mlx-audio', 'MLX Audio', { ...SIDECAR, gpu: ['mps'], installHint: APPLE }),
  tts('voxcpm2', 'VoxCPM2', { ...SIDECAR, gpu: ['cuda'], cloning: true, minVramGb: 12 }),
  tts('moss-tts-nano', 'MOSS-TTS-Nano', {
    ...BUILT_IN,
    languages: MOSS_LANGUAGES,
    licence: 'Apache-2.0',
    group: 'moss-tts-nano',
    gpu: ['cuda', 'cpu'],
    cloning: true,
    readsTranscript: false,
    speeds: [1, 1],
    spells: 'tables',
  }),
  tts('gpt-sovits', 'GPT-SoVITS', { ...UNADAPTED, gpu: ['cuda', 'cpu'], cloning: true }),
  // The voices of `piper`, with which this program speaks too.
  tts('sherpa-onnx', 'sherpa-onnx', { ...PIPER, modelsOf: 'piper' }),
  tts('indextts2', 'IndexTTS 2', { ...SIDECAR, gpu: ['cuda'], cloning: true, emotion: true, minVramGb: 8 }),
  tts('svc-engine-gguf', 'Voice Studio engine (GGUF)', { ...UNADAPTED, gpu: ['cuda', 'cpu'], cloning: true }),
  tts('supertonic3', 'Supertonic 3', {
    ...BUILT_IN,
    languages: SUPERTONIC_LANGUAGES,
    licence: 'OpenRAIL-M',
    group: 'supertonic',
    cloning: false,
    // At most 2 with the factor 1.05 of its normal speed, as upstream.
    speeds: [0.5, 1.9],
    spells: 'tables',
  }),
  tts('moss-tts-v15', 'MOSS-TTS 1.5', { ...UNADAPTED, gpu: ['cuda'], cloning: true }),
  tts('dots-tts', 'dots.tts', { ...UNADAPTED, gpu: ['cuda'], cloning: true }),
  tts('svc-engine-subprocess', 'Voice Studio engine (own process)', { ...UNADAPTED, gpu: ['cuda', 'cpu'], cloning: true }),
  tts('pockettts', 'Pocket TTS', {
    ...BUILT_IN,
    languages: ['en', 'fr', 'de', 'it', 'pt', 'es'],
    licence: 'CC-BY-4.0',
    group: 'pockettts',
    cloning: true,
    readsTranscript: false,
    speeds: [1, 1],
    spells: 'tables',
  }),
  tts('confucius4-tts', 'Confucius4 TTS', { ...UNADAPTED, gpu: ['cuda'], cloning: true }),
  tts('kokoro', 'Kokoro', {
    ...BUILT_IN,
    languages: ['en', 'es', 'fr', 'hi', 'it', 'pt'],
    licence: 'Apache-2.0',
    group: 'kokoro',
    gpu: ['cuda', 'cpu'],
    cloning: false,
    blends: true,
    unpronounced: { j: 'Japanese', z: 'Chinese' },
    speeds: [0.5, 2],
    spells: 'all',
  }),

  // Its own model only aligns words.
  asr('whisperx', 'WhisperX', { ...WHISPER, modelsOf: 'faster-whisper' }),
  asr('faster-whisper', 'Whisper', WHISPER),
  asr('mlx-whisper', 'MLX Whisper', { ...SIDECAR, gpu: ['mps'], installHint: APPLE }),
  asr('pytorch-whisper', 'PyTorch Whisper', { ...UNADAPTED, gpu: ['cuda', 'mps', 'cpu'] }),
  asr('nemo-parakeet', 'NeMo Parakeet', { ...BUILT_IN, languages: ['*'], licence: '', group: 'sherpa', installHint: PARAKEET }),
  asr('parakeet-mlx', 'Parakeet MLX', { ...SIDECAR, gpu: ['mps'], installHint: APPLE }),
  asr('moonshine', 'Moonshine', { ...BUILT_IN, languages: ['en'], licence: 'MIT', group: 'moonshine' }),
  asr('funasr', 'FunASR', { ...UNADAPTED, gpu: ['cuda', 'cpu'] }),
  asr('sherpa-onnx-asr', 'sherpa-onnx recognition', { ...BUILT_IN, languages: ['*'], licence: '', group: 'sherpa' }),
  asr('openai-compat-asr', 'OpenAI-compatible recognition', {
    ...ENDPOINT,
    languages: ['*'],
    group: 'endpoint',
    installHint: 'Name an endpoint for recognition in the settings.',
  }),
  rowOf('asr', 'asr', 'align')('pocketsphinx', 'PocketSphinx', {
    languages: ['en'],
    licence: 'BSD-2-Clause',
    packaging: 'program',
    group: 'pocketsphinx',
    gpu: ['cpu'],
    guesses: true,
    installHint: 'Install the Debian packages pocketsphinx and pocketsphinx-en-us, then start the agent again.',
  }),

  llm('openai-compat', 'OpenAI-compatible endpoint', {
    ...ENDPOINT,
    languages: [],
    group: null,
    installHint: 'Name an endpoint for language models in the settings.',
  }),
  llm('off', 'Off', { ...ENDPOINT, languages: [], group: null }),

  rowOf(null, 'tts')('espeak-ng', 'eSpeak NG', {
    languages: ['*'],
    licence: 'GPL-3.0-or-later',
    packaging: 'program',
    group: 'espeak-ng',
    takesDuration: true,
    spells: 'tables',
    gpu: ['cpu'],
  }),
  rowOf(null, 'tts')('flite', 'Flite', {
    ...BUILT_IN,
    languages: ['en'],
    licence: 'LicenseRef-CMU-Flite',
    group: 'flite',
    takesDuration: true,
    spells: 'tables',
  }),
  rowOf(null, 'tts')('heart', 'Heart', {
    ...BUILT_IN,
    languages: ['en'],
    licence: 'Apache-2.0',
    group: 'heart',
    takesDuration: true,
    speeds: [0.25, 4],
    spells: 'all',
  }),
  rowOf(null, 'tts')('piper', 'Piper', PIPER),
  translate('apertium', 'Apertium', {
    languages: ['*'],
    licence: 'GPL-2.0-or-later',
    packaging: 'program',
    group: 'apertium',
    gpu: ['cpu'],
  }),
  translate('opus-mt', 'OPUS-MT', { ...BUILT_IN, ...ON_CUDA, languages: ['*'], licence: 'Apache-2.0 AND CC-BY-4.0', group: 'translation' }),
  translate('m2m100', 'M2M-100', { ...BUILT_IN, ...ON_CUDA, languages: ['*'], licence: 'MIT', group: 'translation' }),
  separate('mdx-net', 'MDX-Net', { ...BUILT_IN, languages: ['*'], licence: '', group: 'mdx-net', gpu: ['cuda', 'webgpu', 'cpu'] }),
  separate('htdemucs', 'HTDemucs', { ...BUILT_IN, languages: ['*'], licence: '', group: 'htdemucs', gpu: ['cuda', 'webgpu', 'cpu'] }),
  rowOf(null, 'vad')('silero', 'Silero VAD', { ...BUILT_IN, languages: ['*'], licence: 'MIT', group: 'silero' }),
  rowOf(null, 'denoise')('rnnoise', 'RNNoise', { ...BUILT_IN, languages: ['*'], licence: 'BSD-3-Clause', group: 'rnnoise' }),
  rowOf(null, 'diarize')('pyannote', 'pyannote', { ...BUILT_IN, languages: ['*'], licence: 'MIT AND CC-BY-4.0', group: 'diarization' }),
  rowOf(null, 'identify')('sherpa-onnx-lid', 'Whisper language identification', {
    ...BUILT_IN,
    languages: ['*'],
    licence: 'MIT',
    group: 'language-identification',
  }),
  rowOf(null, 'tts', 'asr')('tone', 'Test tone', { ...BUILT_IN, languages: ['*'], licence: 'Apache-2.0', group: 'tone' }),
] as const

export type EngineId = (typeof TABLE)[number]['id']
export const ENGINES: readonly EngineRow<EngineId>[] = TABLE

const familyRows = (family: EngineFamily): readonly EngineRow[] => ENGINES.filter((row) => row.family === family)
/** In the order of GET /engines. */
export const ENGINES_BY_FAMILY: Readonly<Record<EngineFamily, readonly EngineRow[]>> = {
  tts: familyRows('tts'),
  asr: familyRows('asr'),
  llm: familyRows('llm'),
}
export const TTS_ENGINES = ENGINES_BY_FAMILY.tts

/** The default engine for speech. */
export const NATIVE_ENGINE = 'svc-engine' satisfies EngineId
/** Speech engines that run as sidecars and have an installer. */
export const SIDECAR_ENGINES: readonly string[] = TTS_ENGINES.filter(({ packaging }) => packaging === 'sidecar').map(({ id }) => id)

/** The row of an engine; undefined for one that only a machine offers, such as a sidecar of its owner. */
export const engineRow = (id: string): EngineRow | undefined => ENGINES.find((row) => row.id === id)

/** Engines in the order in which one is chosen automatically from those that work. */
export const PREFERRED_ENGINES: Readonly<Record<EngineFamily, readonly EngineId[]>> = {
  tts: [
    NATIVE_ENGINE,
    'kokoro',
    'supertonic3',
    'pockettts',
    'moss-tts-nano',
    'piper',
    'sherpa-onnx',
    'kittentts',
    'heart',
    'flite',
    // After engines that are not in the table.
    'espeak-ng',
  ],
  asr: ['whisperx', 'faster-whisper', 'sherpa-onnx-asr', 'moonshine', 'openai-compat-asr', 'pocketsphinx'],
  llm: ['openai-compat', 'off'],
}

/** The language of a voice that the engine cannot pronounce; null for every other voice. */
export const unpronouncedLanguage = (engine: string, voice: string): string | null =>
  (/^[a-z][fm]_/i.test(voice) ? engineRow(engine)?.unpronounced?.[voice[0]!.toLowerCase()] : undefined) ?? null

/** The speeds of an engine that states them. */
export function speedsOf(engine: EngineId): readonly [slowest: number, fastest: number] {
  const speeds = engineRow(engine)?.speeds
  if (!speeds) throw new Error(`the table of engines has no speeds of ${engine}`)
  return speeds
}
