// Models for transcription and for speaker detection.
import type { CatalogueModel } from './model.ts'
import { DICTATION, EMBEDDING, MOONSHINE, SEGMENTATION, WAV2VEC2, WHISPER } from './pins.ts'
import { from, held, listed, pinned, row, sized } from './rows.ts'

const TOKENIZER = ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']
const SUFFIX = { fp32: '', q8: '_quantized', q4: '_q4' } as const

const filesOf = (size: string, precision: keyof typeof SUFFIX) => {
  const suffix = SUFFIX[precision]
  // Weights of more than 2 GB are stored beside their graph.
  const weights = size.startsWith('large') && precision === 'fp32' ? ['onnx/encoder_model.onnx_data'] : []
  return [...TOKENIZER, `onnx/encoder_model${suffix}.onnx`, ...weights, `onnx/decoder_model_merged${suffix}.onnx`]
}

const whisper = (size: string, precision: keyof typeof SUFFIX, sizeGb: number, more: Partial<CatalogueModel> = {}) => {
  const repo = `onnx-community/whisper-${size}_timestamped`
  const wanted = filesOf(size, precision)
  const { revision, lines } = WHISPER[size]!
  // The pin has the files of every precision.
  const mine = lines.split('\n').filter((line) => wanted.some((path) => line.endsWith(` ${path}`)))
  return row({
    id: precision === 'fp32' ? repo : `${repo}:${precision}`,
    label: `Whisper ${size} (${precision})`,
    role: 'ASR',
    engine: 'faster-whisper',
    model: precision === 'fp32' ? size : `${size}-${precision}`,
    precision,
    licence: size.startsWith('large') ? 'MIT' : 'Apache-2.0',
    sizeGb,
    note: '99 languages, with the times of words.',
    ...more,
    sources: [held(repo, { revision, lines: mine.join('\n') }, wanted)],
  })
}

/** The seven models of dictation, in the order in which they are shown. */
const dictation = (id: string, name: string, label: string, tag: string, sizeGb: number, note: string) =>
  row({
    id: `csukuangfj/${name}`,
    label,
    role: 'ASR',
    engine: 'sherpa-onnx-asr',
    model: id.replace('sherpa-', ''),
    precision: 'int8',
    // Each of them comes from another author; what the page of the repository says applies.
    licence: 'see repository',
    sizeGb,
    curatedOn: id === 'sherpa-whisper-tiny' ? ['cpu', 'gpu'] : [],
    note,
    dictationId: id,
    tag,
    sources: [pinned(`csukuangfj/${name}`, DICTATION[name]!)],
  })

export const RECOGNITION_MODELS = [
  whisper('tiny', 'fp32', 0.155),
  whisper('base', 'q8', 0.08, { curatedOn: ['cpu'] }),
  whisper('base', 'fp32', 0.295),
  whisper('small', 'fp32', 0.97),
  whisper('large-v3-turbo', 'fp32', 3.24, { curatedOn: ['gpu'], memoryBytes: 5 * 1024 ** 3 }),
  whisper('large-v3-turbo', 'q8', 1.088),
  whisper('large-v3-turbo', 'q4', 0.762),
  row({
    id: 'Xenova/wav2vec2-base-960h',
    label: 'Word alignment (English)',
    role: 'ASR',
    engine: 'whisperx',
    model: 'wav2vec2-base-960h',
    licence: 'Apache-2.0',
    sizeGb: 0.378,
    note: 'Finds the times of the words that WhisperX recognised; it transcribes nothing by itself.',
    sources: [
      from('Xenova/wav2vec2-base-960h', [...listed('config.json', 'vocab.json'), sized('onnx/model.onnx', 377_887_594)], {
        revision: WAV2VEC2,
      }),
    ],
  }),
  row({
    id: 'onnx-community/moonshine-base-ONNX',
    label: 'Moonshine base',
    role: 'ASR',
    engine: 'moonshine',
    licence: 'MIT',
    sizeGb: 0.25,
    note: 'English, quick on a plain processor.',
    sources: [pinned('onnx-community/moonshine-base-ONNX', MOONSHINE)],
  }),
  dictation(
    'sherpa-parakeet-tdt-v3',
    'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
    'Parakeet TDT v3',
    'offline',
    0.67,
    '25 European languages',
  ),
  dictation('sherpa-parakeet-tdt-v2', 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8', 'Parakeet TDT v2', 'offline', 0.66, 'English'),
  dictation(
    'sherpa-zipformer-bilingual-zh-en',
    'sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20',
    'Zipformer zh-en',
    'streaming',
    0.2,
    'Chinese + English',
  ),
  dictation(
    'sherpa-paraformer-bilingual-zh-en',
    'sherpa-onnx-streaming-paraformer-bilingual-zh-en',
    'Paraformer zh-en',
    'streaming',
    0.24,
    'Chinese + English',
  ),
  dictation(
    'sherpa-zipformer-en-20m',
    'sherpa-onnx-streaming-zipformer-en-20M-2023-02-17',
    'Zipformer English 20M',
    'streaming',
    0.045,
    'English',
  ),
  dictation(
    'sherpa-zipformer-zh-14m',
    'sherpa-onnx-streaming-zipformer-zh-14M-2023-02-23',
    'Zipformer Chinese 14M',
    'streaming',
    0.031,
    'Chinese',
  ),
  dictation('sherpa-whisper-tiny', 'sherpa-onnx-whisper-tiny', 'Whisper tiny', 'offline', 0.104, '90+ languages (auto-detect)'),
  row({
    id: 'csukuangfj/sherpa-onnx-pyannote-segmentation-3-0',
    label: 'Speaker detection',
    role: 'Diarisation',
    engine: 'pyannote',
    licence: 'MIT AND CC-BY-4.0',
    sizeGb: 0.033,
    curatedOn: ['cpu', 'gpu'],
    note: 'Who spoke when: segmentation by pyannote, voices by WeSpeaker.',
    sources: [
      pinned('csukuangfj/sherpa-onnx-pyannote-segmentation-3-0', SEGMENTATION, 'segmentation/'),
      pinned('csukuangfj/speaker-embedding-models', EMBEDDING, 'embedding/'),
    ],
  }),
]
