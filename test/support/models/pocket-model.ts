// A Pocket-TTS with known results and the real names, types and ranks. The speech network counts its inputs: its cache state marks one
// position per voice row, token and frame; its step state counts them. It ends when the number of frames reaches the first value of the voice
// cache. The target of a frame is (frame number, step); the flow moves noise straight to it; a sample is the first value of the latent plus a
// tenth of the number of frames that the codec has decoded before.

import { type GraphText, type Initializer, model } from './onnx-graph.ts'
import { asciiTokenizer } from './sentencepiece-model.ts'

export const LATENT = 2
export const WIDTH = 4
export const FRAME = 5
export const CAPACITY = 60
export const RATE = 8_000
const slot = (name: string, dims: readonly (number | string)[], type: 'float32' | 'int64' | 'bool' = 'float32') => ({ name, type, dims })
const shape = (name: string, values: readonly number[]): Initializer => ({ name, type: 'int64', dims: [values.length], values })
const scalar = (name: string, value: number): Initializer => ({ name, type: 'float32', dims: [], values: [value] })
const index = (name: string, value: number): Initializer => ({ name, type: 'int64', dims: [], values: [value] })

const STOP = [1] as const
export const GRAPHS: Readonly<Record<string, GraphText>> = {
  text_conditioner: {
    inputs: [slot('token_ids', [1, 't'], 'int64')],
    outputs: [slot('embeddings', [1, 't', WIDTH])],
    nodes: [
      { op: 'Cast', inputs: ['token_ids'], outputs: ['f'], attributes: { to: 1 } },
      { op: 'Mul', inputs: ['f', 'nothing'], outputs: ['z'] },
      { op: 'Reshape', inputs: ['z', 'column'], outputs: ['c'] },
      { op: 'Expand', inputs: ['c', 'wide'], outputs: ['embeddings'] },
    ],
    initializers: [scalar('nothing', 0), shape('column', [1, -1, 1]), shape('wide', [1, 1, WIDTH])],
  },
  // state_0: the frame at which to stop; state_1: positions read; state_2: frames generated; state_3: the cache, unused.
  flow_lm_main: {
    inputs: [
      slot('sequence', [1, 's', LATENT]),
      slot('text_embeddings', [1, 't', WIDTH]),
      slot('state_0', STOP),
      slot('state_1', [1], 'int64'),
      slot('state_2', [1]),
      slot('state_3', [2, 1, CAPACITY, 1, 1]),
    ],
    outputs: [
      slot('conditioning', [1, WIDTH]),
      slot('eos_logit', [1, 1]),
      slot('out_state_0', STOP),
      slot('out_state_1', [1], 'int64'),
      slot('out_state_2', [1]),
      slot('out_state_3', [2, 1, CAPACITY, 1, 1]),
    ],
    nodes: [
      { op: 'Shape', inputs: ['sequence'], outputs: ['ss'] },
      { op: 'Gather', inputs: ['ss', 'one'], outputs: ['frames'] },
      { op: 'Shape', inputs: ['text_embeddings'], outputs: ['ts'] },
      { op: 'Gather', inputs: ['ts', 'one'], outputs: ['texts'] },
      { op: 'Add', inputs: ['frames', 'texts'], outputs: ['both'] },
      { op: 'Add', inputs: ['state_1', 'both'], outputs: ['out_state_1'] },
      { op: 'Cast', inputs: ['frames'], outputs: ['framesF'], attributes: { to: 1 } },
      { op: 'Add', inputs: ['state_2', 'framesF'], outputs: ['out_state_2'] },
      { op: 'ReduceSum', inputs: ['text_embeddings'], outputs: ['loud'], attributes: { keepdims: 0 } },
      { op: 'Add', inputs: ['state_0', 'loud'], outputs: ['out_state_0'] },
      { op: 'Identity', inputs: ['state_3'], outputs: ['out_state_3'] },
      { op: 'Sub', inputs: ['out_state_2', 'out_state_0'], outputs: ['over'] },
      { op: 'Mul', inputs: ['over', 'steep'], outputs: ['steeply'] },
      { op: 'Sub', inputs: ['steeply', 'low'], outputs: ['logit'] },
      { op: 'Reshape', inputs: ['logit', 'cell'], outputs: ['eos_logit'] },
      { op: 'Reshape', inputs: ['out_state_2', 'cell'], outputs: ['number'] },
      { op: 'Cast', inputs: ['out_state_1'], outputs: ['stepF'], attributes: { to: 1 } },
      { op: 'Reshape', inputs: ['stepF', 'cell'], outputs: ['step'] },
      { op: 'Concat', inputs: ['number', 'step', 'number', 'step'], outputs: ['conditioning'], attributes: { axis: 1 } },
    ],
    // One frame before the stop the logit is -9, at the stop -3.
    initializers: [index('one', 1), shape('cell', [1, 1]), scalar('steep', 6), scalar('low', 3)],
  },
  flow_lm_flow: {
    inputs: [slot('c', [1, WIDTH]), slot('s', [1, 1]), slot('t', [1, 1]), slot('x', [1, LATENT])],
    outputs: [slot('flow_dir', [1, LATENT])],
    // (goal - x) / (1 - s): at s = 0 a straight path, independent of the noise.
    nodes: [
      { op: 'Slice', inputs: ['c', 'from', 'to', 'axis'], outputs: ['goal'] },
      { op: 'Sub', inputs: ['goal', 'x'], outputs: ['way'] },
      { op: 'Sub', inputs: ['whole', 's'], outputs: ['left'] },
      { op: 'Div', inputs: ['way', 'left'], outputs: ['flow_dir'] },
    ],
    initializers: [shape('from', [0]), shape('to', [LATENT]), shape('axis', [1]), scalar('whole', 1)],
  },
  mimi_decoder: {
    inputs: [slot('latent', [1, 'l', LATENT]), slot('state_0', [1], 'bool'), slot('state_1', [1])],
    outputs: [slot('audio_frame', [1, 1, 'n']), slot('out_state_0', [1], 'bool'), slot('out_state_1', [1])],
    nodes: [
      { op: 'Gather', inputs: ['latent', 'zero'], outputs: ['first'], attributes: { axis: 2 } },
      { op: 'Mul', inputs: ['state_1', 'tenth'], outputs: ['past'] },
      { op: 'Add', inputs: ['first', 'past'], outputs: ['level'] },
      { op: 'Reshape', inputs: ['level', 'column'], outputs: ['c'] },
      { op: 'Expand', inputs: ['c', 'wide'], outputs: ['many'] },
      { op: 'Reshape', inputs: ['many', 'row'], outputs: ['audio_frame'] },
      { op: 'Shape', inputs: ['latent'], outputs: ['ls'] },
      { op: 'Gather', inputs: ['ls', 'one'], outputs: ['count'] },
      { op: 'Cast', inputs: ['count'], outputs: ['countF'], attributes: { to: 1 } },
      { op: 'Add', inputs: ['state_1', 'countF'], outputs: ['out_state_1'] },
      { op: 'Not', inputs: ['state_0'], outputs: ['out_state_0'] },
    ],
    initializers: [
      index('zero', 0),
      index('one', 1),
      scalar('tenth', 0.1),
      shape('column', [1, -1, 1]),
      shape('wide', [1, 1, FRAME]),
      shape('row', [1, 1, -1]),
    ],
  },
  // Two rows; together they add up to ten times the loudest sample.
  mimi_encoder: {
    inputs: [slot('audio', [1, 1, 'n'])],
    outputs: [slot('latents', [1, 'v', WIDTH])],
    nodes: [
      { op: 'ReduceMax', inputs: ['audio'], outputs: ['peak'], attributes: { keepdims: 0 } },
      { op: 'Mul', inputs: ['peak', 'ten'], outputs: ['loud'] },
      { op: 'Round', inputs: ['loud'], outputs: ['round'] },
      { op: 'Div', inputs: ['round', 'cells'], outputs: ['each'] },
      { op: 'Expand', inputs: ['each', 'rows'], outputs: ['latents'] },
    ],
    initializers: [scalar('ten', 10), scalar('cells', 2 * WIDTH), shape('rows', [1, 2, WIDTH])],
  },
}

const layer = 'transformer.layers.0.self_attn'
const state = (at: number, key: string, dims: readonly number[], dtype: string, fill: string, module = layer) => ({
  index: at,
  input_name: `state_${at}`,
  output_name: `out_state_${at}`,
  module,
  key,
  path: `${module}/${key}`,
  shape: dims,
  dtype,
  fill,
})
export const BUNDLE = {
  schema_version: 2,
  bundle_name: 'planted',
  language: 'english',
  sample_rate: RATE,
  frame_rate: 12.5,
  samples_per_frame: FRAME,
  latent_dim: LATENT,
  conditioning_dim: WIDTH,
  tokenizer_file: 'tokenizer.model',
  max_token_per_chunk: 20,
  pad_with_spaces_for_short_inputs: false,
  remove_semicolons: true,
  model_recommended_frames_after_eos: 2 as number | null,
  insert_bos_before_voice: true,
  bos_before_voice_file: 'bos_before_voice.npy',
  flow_lm_state_manifest: [
    state(0, 'stop', [1], 'float32', 'zeros'),
    state(1, 'step', [1], 'int64', 'zeros'),
    state(2, 'frames', [1], 'float32', 'zeros'),
    state(3, 'cache', [2, 1, CAPACITY, 1, 1], 'float32', 'nan'),
  ],
  mimi_state_manifest: [state(0, 'first', [1], 'bool', 'ones', 'decoder'), state(1, 'seen', [1], 'float32', 'zeros', 'decoder')],
}

export type PlantedTensor = { readonly code: number; readonly dims: readonly number[]; readonly bytes: Uint8Array }
export const floatTensor = (dims: readonly number[], values: readonly number[]): PlantedTensor => ({
  code: 0,
  dims,
  bytes: Buffer.from(Float32Array.from(values).buffer),
})
export const longTensor = (value: number): PlantedTensor => ({
  code: 1,
  dims: [1],
  bytes: Buffer.from(BigInt64Array.of(BigInt(value)).buffer),
})

export function voicesFile(voices: Readonly<Record<string, Readonly<Record<string, PlantedTensor>>>>): Buffer {
  const number = (value: number, width: 1 | 2 | 4) => {
    const out = Buffer.alloc(width)
    out.writeUIntLE(value, 0, width)
    return out
  }
  const named = (name: string) => Buffer.concat([number(name.length, 2), Buffer.from(name)])
  return Buffer.concat([
    Buffer.from('PTVB1'),
    number(Object.keys(voices).length, 4),
    ...Object.entries(voices).flatMap(([name, tensors]) => [
      named(name),
      number(Object.keys(tensors).length, 2),
      ...Object.entries(tensors).flatMap(([key, { code, dims, bytes }]) => [
        named(key),
        number(code, 1),
        number(dims.length, 1),
        ...dims.map((size) => number(size, 4)),
        number(bytes.length, 4),
        Buffer.from(bytes),
      ]),
    ]),
  ])
}

/** A voice that stops after the given number of frames; its cache has three positions. */
export const voice = (stop: number) => ({
  [`${layer}/stop`]: floatTensor([1], [stop]),
  [`${layer}/cache`]: floatTensor([2, 1, 3, 1, 1], [1, 2, 3, 4, 5, 6]),
  [`${layer}/offset`]: longTensor(3),
})

export function npy(dims: readonly number[], values: readonly number[]): Buffer {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${dims.join(', ')}), }`
  const header = Buffer.from(`${text.padEnd(117)}\n`)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(header.length)
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, header, Buffer.from(Float32Array.from(values).buffer)])
}

export const pocketFiles = (more: Readonly<Record<string, Partial<GraphText>>> = {}): Record<string, Uint8Array | string> => ({
  ...Object.fromEntries(Object.entries(GRAPHS).map(([name, graph]) => [`${name}.onnx`, model({ ...graph, ...more[name] })])),
  'bundle.json': JSON.stringify(BUNDLE),
  'tokenizer.model': asciiTokenizer(),
  'bos_before_voice.npy': npy([1, 1, WIDTH], [0, 0, 0, 0]),
  'voices.bin': voicesFile({ alba: voice(4), jean: voice(9) }),
})
