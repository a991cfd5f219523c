// A MOSS-TTS-Nano with known results and the real names, types and ranks. It generates as many frames as the smallest first code of its voice;
// the codes of frame n are n + 3, a draw of 32, and the number of first codes reported as used. A sample is half of (first code + number of
// frames decoded before this batch) / 64, so that a lost state changes the audio.

import { type GraphText, type Initializer, model } from './onnx-graph.ts'
import { asciiTokenizer } from './sentencepiece-model.ts'

export const BOOKS = 3
export const CLASSES = 32
export const HIDDEN = 4
export const FRAME = 4
export const RATE = 8_000
const PAD = 1_024
const slot = (name: string, dims: readonly (number | string)[], type: 'float32' | 'int32' = 'float32') => ({ name, type, dims })
const shape = (name: string, values: readonly number[]): Initializer => ({ name, type: 'int64', dims: [values.length], values })
const scalar = (name: string, value: number): Initializer => ({ name, type: 'float32', dims: [], values: [value] })
const index = (name: string, value: number): Initializer => ({ name, type: 'int64', dims: [], values: [value] })

const rows = slot('input_ids', [1, 's', BOOKS + 1], 'int32')
const cache = (name: string, size: string) => slot(name, [1, size, 1, 1])
const hidden = slot('global_hidden', [1, 'h', HIDDEN])

export const GRAPHS: Readonly<Record<string, GraphText>> = {
  'moss_tts_prefill.onnx': {
    inputs: [rows, slot('attention_mask', [1, 's'], 'int32')],
    outputs: [hidden, cache('present_key_0', 's'), cache('present_value_0', 's')],
    nodes: [
      { op: 'Cast', inputs: ['input_ids'], outputs: ['f'], attributes: { to: 1 } },
      { op: 'Gather', inputs: ['f', 'one'], outputs: ['first'], attributes: { axis: 2 } },
      { op: 'ReduceMin', inputs: ['first'], outputs: ['stop'], attributes: { keepdims: 0 } },
      { op: 'Reshape', inputs: ['stop', 'cell'], outputs: ['stopCell'] },
      { op: 'Mul', inputs: ['first', 'nothing'], outputs: ['zeros'] },
      { op: 'Reshape', inputs: ['zeros', 'column'], outputs: ['zeroColumn'] },
      { op: 'Add', inputs: ['zeroColumn', 'stopCell'], outputs: ['stopColumn'] },
      {
        op: 'Concat',
        inputs: ['zeroColumn', 'stopColumn', 'zeroColumn', 'zeroColumn'],
        outputs: ['global_hidden'],
        attributes: { axis: 2 },
      },
      { op: 'Reshape', inputs: ['first', 'past'], outputs: ['present_key_0'] },
      { op: 'Reshape', inputs: ['zeros', 'past'], outputs: ['present_value_0'] },
    ],
    initializers: [
      index('one', 1),
      scalar('nothing', 0),
      shape('cell', [1, 1, 1]),
      shape('column', [1, -1, 1]),
      shape('past', [1, -1, 1, 1]),
    ],
  },
  // The number of steps, and with it the stop, is derived from the cache alone.
  'moss_tts_decode_step.onnx': {
    inputs: [rows, slot('past_valid_lengths', [1], 'int32'), cache('past_key_0', 'p'), cache('past_value_0', 'p')],
    outputs: [hidden, cache('present_key_0', 't'), cache('present_value_0', 't')],
    nodes: [
      { op: 'Concat', inputs: ['past_value_0', 'mark'], outputs: ['present_value_0'], attributes: { axis: 1 } },
      { op: 'Concat', inputs: ['past_key_0', 'pad'], outputs: ['present_key_0'], attributes: { axis: 1 } },
      { op: 'ReduceSum', inputs: ['present_value_0'], outputs: ['steps'], attributes: { keepdims: 0 } },
      { op: 'ReduceMin', inputs: ['present_key_0'], outputs: ['stop'], attributes: { keepdims: 0 } },
      { op: 'Reshape', inputs: ['steps', 'cell'], outputs: ['stepCell'] },
      { op: 'Reshape', inputs: ['stop', 'cell'], outputs: ['stopCell'] },
      { op: 'Concat', inputs: ['stepCell', 'stopCell', 'rest'], outputs: ['global_hidden'], attributes: { axis: 2 } },
    ],
    initializers: [
      { name: 'mark', type: 'float32', dims: [1, 1, 1, 1], values: [1] },
      { name: 'pad', type: 'float32', dims: [1, 1, 1, 1], values: [PAD] },
      { name: 'rest', type: 'float32', dims: [1, 1, 2], values: [0, 0] },
      shape('cell', [1, 1, 1]),
    ],
  },
  'moss_tts_local_fixed_sampled_frame.onnx': {
    inputs: [
      slot('global_hidden', ['b', HIDDEN]),
      slot('repetition_seen_mask', ['b', BOOKS, CLASSES], 'int32'),
      slot('assistant_random_u', ['b']),
      slot('audio_random_u', ['b', BOOKS]),
    ],
    outputs: [slot('should_continue', ['b', 1], 'int32'), slot('frame_token_ids', ['b', BOOKS], 'int32')],
    nodes: [
      { op: 'Gather', inputs: ['global_hidden', 'zero'], outputs: ['steps'], attributes: { axis: 1 } },
      { op: 'Gather', inputs: ['global_hidden', 'one'], outputs: ['stop'], attributes: { axis: 1 } },
      { op: 'Less', inputs: ['steps', 'stop'], outputs: ['goes'] },
      { op: 'Cast', inputs: ['goes'], outputs: ['goesWhole'], attributes: { to: 6 } },
      { op: 'Reshape', inputs: ['goesWhole', 'cell'], outputs: ['should_continue'] },
      { op: 'Add', inputs: ['steps', 'three'], outputs: ['code0'] },
      { op: 'Gather', inputs: ['audio_random_u', 'one'], outputs: ['u'], attributes: { axis: 1 } },
      { op: 'Mul', inputs: ['u', 'classes'], outputs: ['code1'] },
      { op: 'Cast', inputs: ['repetition_seen_mask'], outputs: ['mask'], attributes: { to: 1 } },
      { op: 'Gather', inputs: ['mask', 'zero'], outputs: ['mask0'], attributes: { axis: 1 } },
      { op: 'ReduceSum', inputs: ['mask0'], outputs: ['seen'], attributes: { keepdims: 0 } },
      { op: 'Reshape', inputs: ['code0', 'cell'], outputs: ['c0'] },
      { op: 'Reshape', inputs: ['code1', 'cell'], outputs: ['c1'] },
      { op: 'Reshape', inputs: ['seen', 'cell'], outputs: ['c2'] },
      { op: 'Concat', inputs: ['c0', 'c1', 'c2'], outputs: ['codes'], attributes: { axis: 1 } },
      { op: 'Cast', inputs: ['codes'], outputs: ['frame_token_ids'], attributes: { to: 6 } },
    ],
    initializers: [index('zero', 0), index('one', 1), scalar('three', 3), scalar('classes', CLASSES), shape('cell', [1, 1])],
  },
  // Two frames of codes that are ten times the loudest sample.
  'moss_audio_tokenizer_encode.onnx': {
    inputs: [slot('waveform', ['b', 2, 'n']), slot('input_lengths', ['b'], 'int32')],
    outputs: [slot('audio_codes', ['b', 't', BOOKS], 'int32'), slot('audio_code_lengths', ['b'], 'int32')],
    nodes: [
      { op: 'ReduceMax', inputs: ['waveform'], outputs: ['peak'], attributes: { keepdims: 0 } },
      { op: 'Mul', inputs: ['peak', 'ten'], outputs: ['loud'] },
      { op: 'Round', inputs: ['loud'], outputs: ['code'] },
      { op: 'Expand', inputs: ['code', 'codes'], outputs: ['many'] },
      { op: 'Cast', inputs: ['many'], outputs: ['audio_codes'], attributes: { to: 6 } },
      { op: 'Identity', inputs: ['two'], outputs: ['audio_code_lengths'] },
    ],
    initializers: [scalar('ten', 10), shape('codes', [1, 2, BOOKS]), { name: 'two', type: 'int32', dims: [1], values: [2] }],
  },
  'moss_audio_tokenizer_decode_step.onnx': {
    inputs: [
      slot('audio_codes', ['b', 'f', BOOKS], 'int32'),
      slot('audio_code_lengths', ['b'], 'int32'),
      slot('transformer_offset_0', [1], 'int32'),
      slot('attention_offset_0', [1], 'int32'),
      slot('cached_keys_0', [1, 1, 2, 1]),
      slot('cached_values_0', [1, 1, 2, 1]),
      slot('cached_positions_0', [1, 2], 'int32'),
    ],
    outputs: [
      slot('audio', ['b', 2, 'n']),
      slot('audio_lengths', ['b'], 'int32'),
      slot('transformer_offset_out_0', [1], 'int32'),
      slot('attention_offset_out_0', [1], 'int32'),
      slot('cached_keys_out_0', [1, 1, 2, 1]),
      slot('cached_values_out_0', [1, 1, 2, 1]),
      slot('cached_positions_out_0', [1, 2], 'int32'),
    ],
    nodes: [
      { op: 'Gather', inputs: ['audio_codes', 'zero'], outputs: ['first'], attributes: { axis: 2 } },
      { op: 'Cast', inputs: ['first'], outputs: ['f'], attributes: { to: 1 } },
      { op: 'Reshape', inputs: ['f', 'column'], outputs: ['c'] },
      { op: 'Expand', inputs: ['c', 'wide'], outputs: ['many'] },
      { op: 'Reshape', inputs: ['many', 'row'], outputs: ['left'] },
      { op: 'Cast', inputs: ['transformer_offset_0'], outputs: ['before'], attributes: { to: 1 } },
      { op: 'Mul', inputs: ['left', 'nothing'], outputs: ['zeros'] },
      { op: 'Add', inputs: ['zeros', 'before'], outputs: ['right'] },
      { op: 'Concat', inputs: ['left', 'right'], outputs: ['both'], attributes: { axis: 1 } },
      { op: 'Div', inputs: ['both', 'scale'], outputs: ['audio'] },
      { op: 'Mul', inputs: ['audio_code_lengths', 'each'], outputs: ['audio_lengths'] },
      { op: 'Add', inputs: ['transformer_offset_0', 'audio_code_lengths'], outputs: ['transformer_offset_out_0'] },
      { op: 'Add', inputs: ['attention_offset_0', 'audio_code_lengths'], outputs: ['attention_offset_out_0'] },
      { op: 'Identity', inputs: ['cached_keys_0'], outputs: ['cached_keys_out_0'] },
      { op: 'Identity', inputs: ['cached_values_0'], outputs: ['cached_values_out_0'] },
      { op: 'Identity', inputs: ['cached_positions_0'], outputs: ['cached_positions_out_0'] },
    ],
    initializers: [
      index('zero', 0),
      shape('column', [1, -1, 1]),
      shape('wide', [1, 1, FRAME]),
      shape('row', [1, 1, -1]),
      scalar('nothing', 0),
      scalar('scale', 64),
      { name: 'each', type: 'int32', dims: [1], values: [FRAME] },
    ],
  },
}

export const MANIFEST = {
  format_version: 1,
  tts_config: {
    n_vq: BOOKS,
    audio_pad_token_id: PAD,
    audio_start_token_id: 6,
    audio_end_token_id: 7,
    audio_user_slot_token_id: 8,
    audio_assistant_slot_token_id: 9,
  },
  prompt_templates: {
    user_prompt_prefix_token_ids: [4, 11],
    user_prompt_after_reference_token_ids: [12],
    assistant_prompt_prefix_token_ids: [5, 13],
  },
  generation_defaults: { max_new_frames: 20, do_sample: true, sample_mode: 'fixed' },
  builtin_voices: [
    {
      voice: 'Junhao',
      display_name: 'Planted one',
      prompt_audio_codes: [
        [5, 1, 2],
        [6, 1],
      ],
    },
    { voice: 'Ava', prompt_audio_codes: [[9, 1, 2]] },
    { voice: 'Endless', prompt_audio_codes: [[31, 1, 2]] },
  ],
}
export const SPEECH = {
  files: {
    prefill: 'moss_tts_prefill.onnx',
    decode_step: 'moss_tts_decode_step.onnx',
    local_fixed_sampled_frame: 'moss_tts_local_fixed_sampled_frame.onnx',
  },
  model_config: { n_vq: BOOKS, hidden_size: HIDDEN, audio_codebook_sizes: Array(BOOKS).fill(CLASSES) },
  onnx: {
    prefill_output_names: ['global_hidden', 'present_key_0', 'present_value_0'],
    decode_input_names: ['input_ids', 'past_valid_lengths', 'past_key_0', 'past_value_0'],
    decode_output_names: ['global_hidden', 'present_key_0', 'present_value_0'],
  },
}
export const CODEC = {
  files: { encode: 'moss_audio_tokenizer_encode.onnx', decode_step: 'moss_audio_tokenizer_decode_step.onnx' },
  codec_config: { sample_rate: RATE, channels: 2, num_quantizers: BOOKS },
  streaming_decode: {
    transformer_offsets: [{ input_name: 'transformer_offset_0', output_name: 'transformer_offset_out_0', shape: [1] }],
    attention_caches: [
      {
        offset_input_name: 'attention_offset_0',
        offset_output_name: 'attention_offset_out_0',
        offset_shape: [1],
        cached_keys_input_name: 'cached_keys_0',
        cached_keys_output_name: 'cached_keys_out_0',
        cached_values_input_name: 'cached_values_0',
        cached_values_output_name: 'cached_values_out_0',
        cache_shape: [1, 1, 2, 1],
        cached_positions_input_name: 'cached_positions_0',
        cached_positions_output_name: 'cached_positions_out_0',
        positions_shape: [1, 2],
      },
    ],
  },
}

export const mossFiles = (more: Readonly<Record<string, Partial<GraphText>>> = {}): Record<string, Uint8Array | string> => ({
  ...Object.fromEntries(
    Object.entries(GRAPHS).map(([name, graph]) => [
      name.startsWith('moss_audio') ? `codec/${name}` : name,
      model({ ...graph, ...more[name] }),
    ]),
  ),
  'tokenizer.model': asciiTokenizer(),
  'browser_poc_manifest.json': JSON.stringify(MANIFEST),
  'tts_browser_onnx_meta.json': JSON.stringify(SPEECH),
  'codec/codec_browser_onnx_meta.json': JSON.stringify(CODEC),
})
