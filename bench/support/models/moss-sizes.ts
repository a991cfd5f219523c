// MOSS-TTS-Nano at its published sizes: 12 layers of 12 heads of 64, 16 codebooks of 1024. The sizes of its codec caches are assumptions.

import { CODEC, MANIFEST, SPEECH } from '#test/support/models/moss-model.ts'
import type { GraphText, Initializer, Node } from '#test/support/models/onnx-graph.ts'
import { asciiTokenizer } from '#test/support/models/sentencepiece-model.ts'
import { layers, matrix } from './layers.ts'

const WIDTH = 768
const HEADS = 12
const EACH = WIDTH / HEADS
const CACHES = 12
const BOOKS = 16
const CLASSES = 1_024
const FRAME = 3_840
/** Layers of 768 x 768: the 85 million weights of the language model; the 16 passes of the local model; the codec. */
const LAYERS = { model: 144, frame: 64, codec: 16 }
export const mossFrames = 40

const slot = (name: string, dims: readonly (number | string)[], type: 'float32' | 'int32' = 'float32') => ({ name, type, dims })
const shape = (name: string, values: readonly number[]): Initializer => ({ name, type: 'int64', dims: [values.length], values })
const pasts = Array.from({ length: CACHES }, (_, at) => [`key_${at}`, `value_${at}`]).flat()
const cacheSlots = (when: string, size: string) => pasts.map((name) => slot(`${when}_${name}`, [1, size, HEADS, EACH]))
const embedded: Node[] = [
  { op: 'Cast', inputs: ['input_ids'], outputs: ['numbers'], attributes: { to: 1 } },
  { op: 'MatMul', inputs: ['numbers', 'embed'], outputs: ['in'] },
  { op: 'Reshape', inputs: ['in', 'heads'], outputs: ['cached'] },
]

function graphs(file: string): Record<string, GraphText> {
  const deep = (count: number, from: string, into: string) => layers({ count, width: WIDTH, from, into, file })
  const whole = deep(LAYERS.model, 'in', 'global_hidden')
  const local = deep(LAYERS.frame, 'global_hidden', 'out')
  const codec = deep(LAYERS.codec, 'in', 'out')
  const embedding = [matrix('embed', BOOKS + 1, WIDTH), shape('heads', [1, -1, HEADS, EACH])]
  return {
    [SPEECH.files.prefill]: {
      inputs: [slot('input_ids', [1, 's', BOOKS + 1], 'int32'), slot('attention_mask', [1, 's'], 'int32')],
      outputs: [slot('global_hidden', [1, 's', WIDTH]), ...cacheSlots('present', 's')],
      nodes: [
        ...embedded,
        ...whole.nodes,
        ...pasts.map((name): Node => ({ op: 'Identity', inputs: ['cached'], outputs: [`present_${name}`] })),
      ],
      initializers: [...embedding, ...whole.initializers],
    },
    [SPEECH.files.decode_step]: {
      inputs: [slot('input_ids', [1, 's', BOOKS + 1], 'int32'), slot('past_valid_lengths', [1], 'int32'), ...cacheSlots('past', 'p')],
      outputs: [slot('global_hidden', [1, 's', WIDTH]), ...cacheSlots('present', 't')],
      nodes: [
        ...embedded,
        ...whole.nodes,
        ...pasts.map(
          (name): Node => ({ op: 'Concat', inputs: [`past_${name}`, 'cached'], outputs: [`present_${name}`], attributes: { axis: 1 } }),
        ),
      ],
      initializers: [...embedding, ...whole.initializers],
    },
    [SPEECH.files.local_fixed_sampled_frame]: {
      inputs: [
        slot('global_hidden', [1, WIDTH]),
        slot('repetition_seen_mask', [1, BOOKS, CLASSES], 'int32'),
        slot('assistant_random_u', [1]),
        slot('audio_random_u', [1, BOOKS]),
      ],
      outputs: [slot('should_continue', [1, 1], 'int32'), slot('frame_token_ids', [1, BOOKS], 'int32')],
      nodes: [
        ...local.nodes,
        { op: 'ReduceMax', inputs: ['out'], outputs: ['most'], attributes: { keepdims: 1 } },
        { op: 'Less', inputs: ['most', 'two'], outputs: ['goes'] },
        { op: 'Cast', inputs: ['goes'], outputs: ['should_continue'], attributes: { to: 6 } },
        { op: 'Mul', inputs: ['audio_random_u', 'classes'], outputs: ['codes'] },
        { op: 'Cast', inputs: ['codes'], outputs: ['frame_token_ids'], attributes: { to: 6 } },
      ],
      initializers: [
        ...local.initializers,
        { name: 'two', type: 'float32', dims: [], values: [2] },
        { name: 'classes', type: 'float32', dims: [], values: [CLASSES] },
      ],
    },
    [CODEC.files.decode_step]: {
      inputs: [slot('audio_codes', [1, 'f', BOOKS], 'int32'), slot('audio_code_lengths', [1], 'int32'), ...codecStates('')],
      outputs: [slot('audio', [1, 2, 'n']), slot('audio_lengths', [1], 'int32'), ...codecStates('_out')],
      nodes: [
        { op: 'Cast', inputs: ['audio_codes'], outputs: ['numbers'], attributes: { to: 1 } },
        { op: 'MatMul', inputs: ['numbers', 'embed'], outputs: ['in'] },
        ...codec.nodes,
        { op: 'MatMul', inputs: ['out', 'wide'], outputs: ['samples'] },
        { op: 'Reshape', inputs: ['samples', 'stereo'], outputs: ['audio'] },
        { op: 'Mul', inputs: ['audio_code_lengths', 'each'], outputs: ['audio_lengths'] },
        ...codecStates('').map(({ name }): Node => ({ op: 'Identity', inputs: [name], outputs: [`${name}_out`] })),
      ],
      initializers: [
        matrix('embed', BOOKS, WIDTH),
        ...codec.initializers,
        matrix('wide', WIDTH, 2 * FRAME),
        shape('stereo', [1, 2, -1]),
        { name: 'each', type: 'int32', dims: [1], values: [FRAME] },
      ],
    },
  }
}

const CACHE = [1, HEADS, 128, EACH]
const POSITIONS = [1, 128]
const codecStates = (ending: string) =>
  Array.from({ length: 4 }, (_, at) => [
    slot(`offset_${at}${ending}`, [1], 'int32'),
    slot(`keys_${at}${ending}`, CACHE),
    slot(`values_${at}${ending}`, CACHE),
    slot(`positions_${at}${ending}`, POSITIONS, 'int32'),
  ]).flat()

export function mossFiles(file: string) {
  const caches = Array.from({ length: 4 }, (_, at) => ({
    offset_input_name: `offset_${at}`,
    offset_output_name: `offset_${at}_out`,
    offset_shape: [1],
    cached_keys_input_name: `keys_${at}`,
    cached_keys_output_name: `keys_${at}_out`,
    cached_values_input_name: `values_${at}`,
    cached_values_output_name: `values_${at}_out`,
    cache_shape: CACHE,
    cached_positions_input_name: `positions_${at}`,
    cached_positions_output_name: `positions_${at}_out`,
    positions_shape: POSITIONS,
  }))
  const names = (when: string) => pasts.map((name) => `${when}_${name}`)
  const json = {
    'browser_poc_manifest.json': {
      ...MANIFEST,
      tts_config: { ...MANIFEST.tts_config, n_vq: BOOKS },
      generation_defaults: { max_new_frames: mossFrames },
      builtin_voices: [{ voice: 'Random', prompt_audio_codes: Array(100).fill(Array(BOOKS).fill(7)) }],
    },
    'tts_browser_onnx_meta.json': {
      ...SPEECH,
      model_config: { hidden_size: WIDTH, audio_codebook_sizes: Array(BOOKS).fill(CLASSES) },
      onnx: {
        prefill_output_names: ['global_hidden', ...names('present')],
        decode_input_names: ['input_ids', 'past_valid_lengths', ...names('past')],
        decode_output_names: ['global_hidden', ...names('present')],
      },
    },
    'codec_browser_onnx_meta.json': {
      ...CODEC,
      codec_config: { sample_rate: 48_000, channels: 2, num_quantizers: BOOKS },
      streaming_decode: { transformer_offsets: [], attention_caches: caches },
    },
  }
  const written = Object.fromEntries(Object.entries(json).map(([name, content]) => [name, JSON.stringify(content)]))
  return { files: { ...graphs(file), ...written, 'tokenizer.model': asciiTokenizer() }, width: WIDTH, layers: LAYERS.model }
}
