// Speech models.
import type { CatalogueModel } from './model.ts'
import {
  HIBARI,
  KITTEN,
  KOKORO,
  KOKORO_GRAPHS,
  MOSS,
  MOSS_CODEC,
  OMNIVOICE_BACKBONE,
  OMNIVOICE_DECODER,
  OMNIVOICE_ENDS,
  OMNIVOICE_TEXT,
  POCKET_FRENCH,
  POCKET_SPACE,
  SUPERTONIC,
} from './pins.ts'
import { from, held, known, listed, pinned, row, sized } from './rows.ts'

const GiB = 1024 ** 3
const NC = 'The weights may be used for non-commercial purposes only.'
/** The weights, and the codec: https://huggingface.co/bosonai/higgs-audio-v2-tokenizer. */
const OMNIVOICE_LICENCE = 'CC-BY-NC-4.0 AND LicenseRef-Boson-Higgs-Audio-2-Community'
const HIGGS =
  'The codec is under the Boson Higgs Audio 2 Community License: products with it must show its attribution, and above 100,000 annual active users it needs another licence.'

/** Its backbone is exported as a causal model and is wrong; what stands around the backbone, and the codec, are exact. */
const OMNIVOICE_REPO = 'onnx-community/OmniVoice-Onnx'
const omnivoice = (precision: 'bf16' | 'fp32' | 'int4', told: Pick<CatalogueModel, 'id' | 'sizeGb' | 'memoryBytes' | 'note' | 'sources'>) =>
  row({
    ...told,
    label: `OmniVoice (${precision})`,
    role: 'TTS',
    engine: 'svc-engine',
    model: `omnivoice-${precision}`,
    precision,
    licence: OMNIVOICE_LICENCE,
    // The one that is held to digests wherever a voice is not to be followed, so it is the one that is proposed.
    required: precision === 'fp32',
    curatedOn: precision === 'fp32' ? ['gpu'] : [],
    note: `646 languages, voice cloning; a graphics card is needed for useful speed. ${told.note} ${NC} ${HIGGS}`,
    sources: [
      ...told.sources,
      pinned(OMNIVOICE_REPO, OMNIVOICE_DECODER, 'codec/'),
      from(
        OMNIVOICE_REPO,
        [
          sized('audio_tokenizer/acoustic_encoder.onnx', 205_546_480),
          sized('audio_tokenizer/quantizer_encoder.onnx', 12_131_293),
          sized('audio_tokenizer/semantic_encoder.onnx', 436_736_856),
        ],
        { revision: OMNIVOICE_DECODER.revision, into: 'codec/' },
      ),
      pinned('k2-fsa/OmniVoice', OMNIVOICE_TEXT, 'text/'),
    ],
  })
const OMNIVOICE_FP32 = 'dellusional/OmniVoice-ONNX-bidirectional'
/** No project publishes digests of these files. */
const omnivoiceBidi = (precision: 'bf16' | 'int4', bytes: number, memoryBytes: number, note: string) =>
  omnivoice(precision, {
    id: `jiangzhuo9357/omnivoice-onnx-bidi-${precision}`,
    sizeGb: Math.round(bytes / 1e7 + 32) / 100,
    memoryBytes,
    note: `${note} It has no fixed version: it is downloaded as its authors publish it.`,
    sources: [from(`jiangzhuo9357/omnivoice-onnx-bidi-${precision}`, listed('*.onnx', '*.onnx_data', '*.onnx.data', '*.json'))],
  })

const kitten = (size: string, bytes: number, precision: string, note: string) =>
  row({
    id: `KittenML/kitten-tts-${size}`,
    label: `KittenTTS ${size}`,
    role: 'TTS',
    engine: 'kittentts',
    model: size === 'nano-0.8-fp32' ? '' : size,
    precision,
    licence: 'Apache-2.0',
    sizeGb: Math.round(bytes / 1e6) / 1000,
    curatedOn: size === 'nano-0.8-fp32' ? ['cpu'] : [],
    note,
    sources: [pinned(`KittenML/kitten-tts-${size}`, KITTEN[size]!)],
  })

/** Further voices of the engine whose first voice is part of the agent. */
const heart = (voice: string, label: string, note: string) =>
  row({
    id: `maureesewilliams/hibari:${voice.slice(3)}`,
    label: `Heart: ${label}`,
    role: 'TTS',
    engine: 'heart',
    model: voice,
    precision: 'int8',
    licence: 'Apache-2.0',
    sizeGb: 0.008,
    memoryBytes: 0.25 * GiB,
    note,
    sources: [from('maureesewilliams/hibari', known(HIBARI[voice]!))],
  })

const KOKORO_REPO = 'onnx-community/Kokoro-82M-v1.0-ONNX'
const kokoro = (precision: 'fp32' | 'fp16' | 'q8', sizeGb: number, note: string) =>
  row({
    id: precision === 'fp32' ? KOKORO_REPO : `${KOKORO_REPO}:${precision}`,
    label: `Kokoro 82M (${precision})`,
    role: 'TTS',
    engine: 'kokoro',
    model: precision === 'fp32' ? '' : precision,
    precision,
    licence: 'Apache-2.0',
    sizeGb,
    memoryBytes: 1.5 * GiB,
    curatedOn: precision === 'fp32' ? ['cpu'] : [],
    note,
    sources: [pinned(KOKORO_REPO, { ...KOKORO, lines: `${KOKORO_GRAPHS[precision]}${KOKORO.lines}` })],
  })

/** No digests are published for these files; they come from the listing of the commit. */
const POCKET_FILES = [
  'bundle.json',
  'tokenizer.model',
  'bos_before_voice.npy',
  'text_conditioner_int8.onnx',
  'flow_lm_main_int8.onnx',
  'flow_lm_flow_int8.onnx',
  'mimi_encoder_int8.onnx',
  'mimi_decoder_int8.onnx',
  'voices.bin',
]
const pocket = (language: string, folder: string, label: string) =>
  row({
    id: `KevinAHM/pocket-tts-web:${language}`,
    label: `Pocket-TTS ${label}`,
    role: 'TTS',
    engine: 'pockettts',
    model: language === 'en' ? '' : language,
    precision: 'int8',
    licence: 'CC-BY-4.0',
    gated: true,
    sizeGb: 0.199,
    note: 'Eight voices, cloning and streaming on a plain processor. Two of the voices, cosette and jean, were recorded for non-commercial use.',
    sources: [
      held(
        'spaces/KevinAHM/pocket-tts-web',
        { revision: POCKET_SPACE, lines: '' },
        POCKET_FILES.map((name) => `onnx/${folder}/${name}`),
      ),
    ],
  })

export const SPEECH_MODELS = [
  omnivoice('fp32', {
    id: OMNIVOICE_FP32,
    sizeGb: 2.87,
    memoryBytes: 4.5 * GiB,
    note: 'Its files are checked by digest; three that only cloning needs, by version and size.',
    sources: [pinned(OMNIVOICE_FP32, OMNIVOICE_BACKBONE), pinned(OMNIVOICE_REPO, OMNIVOICE_ENDS, 'ends/')],
  }),
  omnivoiceBidi('bf16', 1_995_363_769, 3.5 * GiB, 'Faster on CUDA.'),
  omnivoiceBidi('int4', 1_352_217_204, 2.5 * GiB, 'The smallest, and on CUDA the slowest.'),
  row({
    id: 'Supertone/supertonic-3',
    label: 'Supertonic 3',
    role: 'TTS',
    engine: 'supertonic3',
    licence: 'OpenRAIL-M',
    gated: true,
    sizeGb: 0.4,
    curatedOn: ['cpu', 'gpu'],
    note: '31 languages, ten voices, many times faster than real time on a plain processor. The licence restricts what it may be used for.',
    sources: [pinned('Supertone/supertonic-3', SUPERTONIC)],
  }),
  kokoro(
    'fp32',
    0.354,
    '41 voices in 6 languages; on a processor the fastest of the three. Its 13 Japanese and Chinese voices cannot be used yet.',
  ),
  kokoro('fp16', 0.191, 'Its vocoder can divide by zero: some sentences are repeated in fp32.'),
  kokoro('q8', 0.12, 'Smaller; on a processor slower than fp32.'),
  heart('bf_emma', 'Emma', 'A British voice of a woman, many times faster than real time on a plain processor.'),
  heart('bm_fable', 'Fable', 'A British voice of a man, many times faster than real time on a plain processor.'),
  heart('am_fenrir', 'Fenrir', 'An American voice of a man, many times faster than real time on a plain processor.'),
  heart('af_kore', 'Kore', 'An American voice of a woman, many times faster than real time on a plain processor.'),
  kitten('nano-0.8-fp32', 60_045_997, 'fp32', 'English, eight voices.'),
  kitten('nano-0.8-int8', 27_648_873, 'int8', 'Small; slower than fp32 on many processors, and users complain of its sound.'),
  kitten('micro-0.8', 44_663_872, 'int8', 'English, eight voices; slower than nano in fp32 on many processors.'),
  kitten('mini-0.8', 81_546_918, 'int8', 'English, eight voices; the largest of the family, and the slowest.'),
  row({
    id: 'OpenMOSS-Team/MOSS-TTS-Nano-100M-ONNX',
    label: 'MOSS-TTS Nano',
    role: 'TTS',
    engine: 'moss-tts-nano',
    licence: 'Apache-2.0',
    sizeGb: 0.763,
    memoryBytes: 2 * GiB,
    note: '20 languages, voice cloning, 48 kHz stereo; about real time on a plain processor.',
    sources: [
      pinned('OpenMOSS-Team/MOSS-TTS-Nano-100M-ONNX', MOSS),
      pinned('OpenMOSS-Team/MOSS-Audio-Tokenizer-Nano-ONNX', MOSS_CODEC, 'codec/'),
    ],
  }),
  pocket('en', 'english_2026-04', 'English'),
  // The space has no French one, and the repository that has it comes without stored voices.
  row({
    id: 'KevinAHM/pocket-tts-onnx:fr',
    label: 'Pocket-TTS French',
    role: 'TTS',
    engine: 'pockettts',
    model: 'fr',
    precision: 'int8',
    licence: 'CC-BY-4.0',
    gated: true,
    sizeGb: 0.394,
    note: 'Cloning only: it comes without voices of its own. Streaming on a plain processor; larger than the other languages.',
    sources: [
      from(
        'KevinAHM/pocket-tts-onnx',
        [...known(POCKET_FRENCH.lines), ...listed('onnx/french_24l/mimi_encoder.onnx', 'onnx/french_24l/bos_before_voice.npy')],
        { revision: POCKET_FRENCH.revision },
      ),
    ],
  }),
  pocket('de', 'german', 'German'),
  pocket('it', 'italian', 'Italian'),
  pocket('pt', 'portuguese', 'Portuguese'),
  pocket('es', 'spanish', 'Spanish'),
]
