// Every engine that has a public id, whether or not a machine here can run it: what it is called, what it computes on, how it comes.
// Which of them work is not said here; rows.ts tells it from what the machines offer.

export const FAMILIES = ['tts', 'asr', 'llm'] as const
export type Family = (typeof FAMILIES)[number]
export const OPERATION: Readonly<Record<Exclude<Family, 'llm'>, 'tts' | 'asr'>> = { tts: 'tts', asr: 'asr' }

/**
 * built in: part of the agent, its weights come from the model store. program: a program of the system. sidecar: a program of its own
 * beside the agent. endpoint: a service somewhere in the network. none: no adapter exists.
 */
export type Way = 'built-in' | 'program' | 'sidecar' | 'endpoint' | 'none'
export type Known = {
  readonly id: string
  readonly name: string
  /** What the engine itself can compute on. */
  readonly gpu: readonly string[]
  readonly way: Way
  readonly cloning?: boolean
  readonly emotion?: boolean
  readonly minVramGb?: number
  /** What to do where it is missing, beyond what its way says. */
  readonly install?: string
}

export const NATIVE = 'svc-engine'
const APPLE = 'It needs Apple silicon and its Metal programs; borrow such a machine and install it there as a sidecar.'
const UNADAPTED = 'Choose another engine.'
const PARAKEET =
  'Download one of its models, which are those of dictation: ./studio models install csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8 for 25 European languages, or csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8 for English.'

export const TTS: readonly Known[] = [
  { id: NATIVE, name: 'Voice Studio engine', gpu: ['cuda', 'webgpu', 'cpu'], way: 'built-in', cloning: true, minVramGb: 4 },
  { id: 'cosyvoice', name: 'CosyVoice', gpu: ['cuda'], way: 'sidecar', cloning: true, emotion: true, minVramGb: 6 },
  { id: 'kittentts', name: 'KittenTTS', gpu: ['cpu'], way: 'built-in', cloning: false },
  { id: 'mlx-audio', name: 'MLX Audio', gpu: ['mps'], way: 'sidecar', install: APPLE },
  { id: 'voxcpm2', name: 'VoxCPM2', gpu: ['cuda'], way: 'sidecar', cloning: true, minVramGb: 12 },
  { id: 'moss-tts-nano', name: 'MOSS-TTS-Nano', gpu: ['cuda', 'cpu'], way: 'built-in', cloning: true },
  { id: 'gpt-sovits', name: 'GPT-SoVITS', gpu: ['cuda', 'cpu'], way: 'none', cloning: true },
  { id: 'sherpa-onnx', name: 'sherpa-onnx', gpu: ['cpu'], way: 'none', cloning: false },
  { id: 'indextts2', name: 'IndexTTS 2', gpu: ['cuda'], way: 'sidecar', cloning: true, emotion: true, minVramGb: 8 },
  { id: 'svc-engine-gguf', name: 'Voice Studio engine (GGUF)', gpu: ['cuda', 'cpu'], way: 'none', cloning: true },
  { id: 'supertonic3', name: 'Supertonic 3', gpu: ['webgpu', 'cpu'], way: 'built-in', cloning: false },
  { id: 'moss-tts-v15', name: 'MOSS-TTS 1.5', gpu: ['cuda'], way: 'none', cloning: true },
  { id: 'dots-tts', name: 'dots.tts', gpu: ['cuda'], way: 'none', cloning: true },
  { id: 'svc-engine-subprocess', name: 'Voice Studio engine (own process)', gpu: ['cuda', 'cpu'], way: 'none', cloning: true },
  { id: 'pockettts', name: 'Pocket TTS', gpu: ['cpu'], way: 'built-in', cloning: true },
  { id: 'confucius4-tts', name: 'Confucius4 TTS', gpu: ['cuda'], way: 'none', cloning: true },
  { id: 'kokoro', name: 'Kokoro', gpu: ['webgpu', 'cpu'], way: 'built-in', cloning: false },
]

export const ASR: readonly Known[] = [
  { id: 'whisperx', name: 'WhisperX', gpu: ['cuda', 'cpu'], way: 'built-in' },
  { id: 'faster-whisper', name: 'Whisper', gpu: ['cuda', 'cpu'], way: 'built-in' },
  { id: 'mlx-whisper', name: 'MLX Whisper', gpu: ['mps'], way: 'sidecar', install: APPLE },
  { id: 'pytorch-whisper', name: 'PyTorch Whisper', gpu: ['cuda', 'mps', 'cpu'], way: 'none' },
  { id: 'nemo-parakeet', name: 'NeMo Parakeet', gpu: ['cpu'], way: 'built-in', install: PARAKEET },
  { id: 'parakeet-mlx', name: 'Parakeet MLX', gpu: ['mps'], way: 'sidecar', install: APPLE },
  { id: 'moonshine', name: 'Moonshine', gpu: ['cpu'], way: 'built-in' },
  { id: 'funasr', name: 'FunASR', gpu: ['cuda', 'cpu'], way: 'none' },
  { id: 'sherpa-onnx-asr', name: 'sherpa-onnx recognition', gpu: ['cpu'], way: 'built-in' },
  {
    id: 'openai-compat-asr',
    name: 'OpenAI-compatible recognition',
    gpu: [],
    way: 'endpoint',
    install: 'Name an endpoint for recognition in the settings.',
  },
  {
    id: 'pocketsphinx',
    name: 'PocketSphinx',
    gpu: ['cpu'],
    way: 'program',
    install: 'Install the Debian packages pocketsphinx and pocketsphinx-en-us, then start the agent again.',
  },
]

export const LLM: readonly Known[] = [
  {
    id: 'openai-compat',
    name: 'OpenAI-compatible endpoint',
    gpu: [],
    way: 'endpoint',
    install: 'Name an endpoint for language models in the settings.',
  },
  { id: 'off', name: 'Off', gpu: [], way: 'endpoint' },
]

export const KNOWN: Readonly<Record<Family, readonly Known[]>> = { tts: TTS, asr: ASR, llm: LLM }

/** Engines that run as sidecars and have an installer here. */
export const SIDECARS: readonly string[] = TTS.filter(({ way }) => way === 'sidecar').map(({ id }) => id)

export function installHint({ way, install }: Known): string {
  if (install !== undefined) return install
  if (way === 'built-in') return 'Download its model: ./studio models install, or POST /models/install.'
  if (way === 'sidecar') return 'Install it as a sidecar from a folder that you have: POST /engines/sidecar/{engine_id}/install.'
  return UNADAPTED
}

/** Engines in the order in which the best of those that work is chosen while nobody has chosen. */
export const PREFERRED: Readonly<Record<Family, readonly string[]>> = {
  tts: [NATIVE],
  asr: ['whisperx', 'faster-whisper', 'sherpa-onnx-asr', 'moonshine', 'openai-compat-asr', 'pocketsphinx'],
  llm: ['openai-compat', 'off'],
}
