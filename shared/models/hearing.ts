// Models that write down what was said, and who said it.
import type { CatalogueModel } from './model.ts'
import { PARAKEET } from './pins.ts'
import { from, listed, pinned, row } from './rows.ts'

const TOKENIZER = [
  'config.json',
  'generation_config.json',
  'preprocessor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
]

const whisper = (size: string, precision: 'fp32' | 'q4', sizeGb: number, more: Partial<CatalogueModel> = {}) => {
  const repo = `onnx-community/whisper-${size}_timestamped`
  const suffix = precision === 'fp32' ? '' : `_${precision}`
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
    sources: [from(repo, listed(...TOKENIZER, `onnx/encoder_model${suffix}.onnx`, `onnx/decoder_model_merged${suffix}.onnx`))],
  })
}

/** The seven models of dictation, in the order in which they are shown. */
const dictation = (id: string, name: string, label: string, tag: string, sizeGb: number, note: string, files: readonly string[]) =>
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
    sources: [from(`csukuangfj/${name}`, listed(...files, '*tokens.txt'))],
  })
const TRANSDUCER = ['encoder*.int8.onnx', 'decoder*.onnx', 'joiner*.int8.onnx']

export const HEARING = [
  whisper('tiny', 'fp32', 0.155),
  whisper('base', 'fp32', 0.295, { curatedOn: ['cpu'] }),
  whisper('small', 'fp32', 0.97),
  whisper('large-v3-turbo', 'fp32', 1.6, { curatedOn: ['gpu'], memoryBytes: 3 * 1024 ** 3 }),
  whisper('large-v3-turbo', 'q4', 0.563),
  row({
    id: 'Xenova/wav2vec2-base-960h',
    label: 'Word alignment (English)',
    role: 'ASR',
    engine: 'whisperx',
    model: 'wav2vec2-base-960h',
    licence: 'Apache-2.0',
    sizeGb: 0.378,
    note: 'Lays the words of whisperx over the sound; it hears nothing by itself.',
    sources: [from('Xenova/wav2vec2-base-960h', listed('config.json', 'vocab.json', 'onnx/model.onnx'))],
  }),
  row({
    id: 'istupakov/parakeet-tdt-0.6b-v3-onnx',
    label: 'Parakeet TDT 0.6B v3 (int8)',
    role: 'ASR',
    engine: 'nemo-parakeet',
    precision: 'int8',
    licence: 'CC-BY-4.0',
    sizeGb: 0.67,
    note: '25 European languages, with the times of words.',
    sources: [pinned('istupakov/parakeet-tdt-0.6b-v3-onnx', PARAKEET)],
  }),
  row({
    id: 'onnx-community/moonshine-base-ONNX',
    label: 'Moonshine base',
    role: 'ASR',
    engine: 'moonshine',
    licence: 'MIT',
    sizeGb: 0.25,
    note: 'English, quick on a plain processor.',
    sources: [
      from(
        'onnx-community/moonshine-base-ONNX',
        listed(
          'config.json',
          'generation_config.json',
          'preprocessor_config.json',
          'tokenizer.json',
          'tokenizer_config.json',
          'onnx/encoder_model.onnx',
          'onnx/decoder_model_merged.onnx',
        ),
      ),
    ],
  }),
  dictation(
    'sherpa-parakeet-tdt-v3',
    'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
    'Parakeet TDT v3',
    'offline',
    0.67,
    '25 European languages',
    TRANSDUCER,
  ),
  dictation(
    'sherpa-parakeet-tdt-v2',
    'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8',
    'Parakeet TDT v2',
    'offline',
    0.66,
    'English',
    TRANSDUCER,
  ),
  dictation(
    'sherpa-zipformer-bilingual-zh-en',
    'sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20',
    'Zipformer zh-en',
    'streaming',
    0.2,
    'Chinese + English',
    TRANSDUCER,
  ),
  dictation(
    'sherpa-paraformer-bilingual-zh-en',
    'sherpa-onnx-streaming-paraformer-bilingual-zh-en',
    'Paraformer zh-en',
    'streaming',
    0.24,
    'Chinese + English',
    ['encoder.int8.onnx', 'decoder.int8.onnx'],
  ),
  dictation(
    'sherpa-zipformer-en-20m',
    'sherpa-onnx-streaming-zipformer-en-20M-2023-02-17',
    'Zipformer English 20M',
    'streaming',
    0.044,
    'English',
    TRANSDUCER,
  ),
  dictation(
    'sherpa-zipformer-zh-14m',
    'sherpa-onnx-streaming-zipformer-zh-14M-2023-02-23',
    'Zipformer Chinese 14M',
    'streaming',
    0.025,
    'Chinese',
    TRANSDUCER,
  ),
  dictation('sherpa-whisper-tiny', 'sherpa-onnx-whisper-tiny', 'Whisper tiny', 'offline', 0.104, '90+ languages (auto-detect)', [
    'tiny-encoder.int8.onnx',
    'tiny-decoder.int8.onnx',
  ]),
  row({
    id: 'csukuangfj/sherpa-onnx-pyannote-segmentation-3-0',
    label: 'Speaker diarisation',
    role: 'Diarisation',
    engine: 'pyannote',
    licence: 'MIT AND CC-BY-4.0',
    sizeGb: 0.033,
    curatedOn: ['cpu', 'gpu'],
    note: 'Who spoke when: segmentation by pyannote, voices by WeSpeaker.',
    sources: [
      from('csukuangfj/sherpa-onnx-pyannote-segmentation-3-0', listed('model.onnx'), { into: 'segmentation/' }),
      from('csukuangfj/speaker-embedding-models', listed('wespeaker_en_voxceleb_resnet34_LM.onnx'), { into: 'embedding/' }),
    ],
  }),
]
