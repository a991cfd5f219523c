// Pocket-TTS at its published sizes: 6 layers of 16 heads of 64 with caches of 1000 positions, latents of 32. The sizes of its codec states are
// assumptions.

import type { GraphText, Initializer, Node } from '#test/support/models/onnx-graph.ts'
import { BUNDLE, npy, voicesFile } from '#test/support/models/pocket-model.ts'
import { asciiTokenizer } from '#test/support/models/sentencepiece-model.ts'
import { layers, matrix } from './layers.ts'

const WIDTH = 1_024
const LATENT = 32
const FRAME = 1_920
const CACHE = [2, 1, 1_000, 16, 64]
const CACHES = 6
const CODEC_STATES = 24
/** Layers of 1024 x 1024: about 75 million weights of the speech network; the flow; the codec. */
const LAYERS = { main: 72, flow: 10, codec: 20 }

const slot = (name: string, dims: readonly (number | string)[], type: 'float32' | 'int64' = 'float32') => ({ name, type, dims })
const shape = (name: string, values: readonly number[]): Initializer => ({ name, type: 'int64', dims: [values.length], values })
const caches = Array.from({ length: CACHES }, (_, at) => `state_${at}`)
const codecs = Array.from({ length: CODEC_STATES }, (_, at) => `state_${at}`)
const CODEC_STATE = [1, 512, 16]
const carried = (names: readonly string[]) => names.map((name): Node => ({ op: 'Identity', inputs: [name], outputs: [`out_${name}`] }))

function graphs(file: string): Record<string, GraphText> {
  const deep = (count: number) => layers({ count, width: WIDTH, from: 'in', into: 'out', file })
  const [main, flow, codec] = [deep(LAYERS.main), deep(LAYERS.flow), deep(LAYERS.codec)]
  return {
    'text_conditioner.onnx': {
      inputs: [slot('token_ids', [1, 't'], 'int64')],
      outputs: [slot('embeddings', [1, 't', WIDTH])],
      nodes: [
        { op: 'Cast', inputs: ['token_ids'], outputs: ['f'], attributes: { to: 1 } },
        { op: 'Reshape', inputs: ['f', 'column'], outputs: ['c'] },
        { op: 'MatMul', inputs: ['c', 'embed'], outputs: ['embeddings'] },
      ],
      initializers: [shape('column', [1, -1, 1]), matrix('embed', 1, WIDTH)],
    },
    'flow_lm_main.onnx': {
      inputs: [slot('sequence', [1, 's', LATENT]), slot('text_embeddings', [1, 't', WIDTH]), ...caches.map((name) => slot(name, CACHE))],
      outputs: [slot('conditioning', [1, WIDTH]), slot('eos_logit', [1, 1]), ...caches.map((name) => slot(`out_${name}`, CACHE))],
      nodes: [
        // The first latent is NaN, and this graph has no other layer that would handle it.
        { op: 'IsNaN', inputs: ['sequence'], outputs: ['begins'] },
        { op: 'Where', inputs: ['begins', 'zero', 'sequence'], outputs: ['real'] },
        { op: 'MatMul', inputs: ['real', 'up'], outputs: ['frames'] },
        { op: 'Concat', inputs: ['text_embeddings', 'frames'], outputs: ['in'], attributes: { axis: 1 } },
        ...main.nodes,
        { op: 'ReduceMean', inputs: ['out'], outputs: ['conditioning'], attributes: { axes: [1], keepdims: 0 } },
        { op: 'ReduceMin', inputs: ['conditioning'], outputs: ['least'], attributes: { keepdims: 1 } },
        { op: 'Sub', inputs: ['least', 'ten'], outputs: ['eos_logit'] },
        ...carried(caches),
      ],
      initializers: [
        matrix('up', LATENT, WIDTH),
        ...main.initializers,
        { name: 'zero', type: 'float32', dims: [], values: [0] },
        { name: 'ten', type: 'float32', dims: [], values: [10] },
      ],
    },
    'flow_lm_flow.onnx': {
      inputs: [slot('c', [1, WIDTH]), slot('s', [1, 1]), slot('t', [1, 1]), slot('x', [1, LATENT])],
      outputs: [slot('flow_dir', [1, LATENT])],
      nodes: [
        { op: 'MatMul', inputs: ['x', 'up'], outputs: ['wide'] },
        { op: 'Add', inputs: ['wide', 'c'], outputs: ['in'] },
        ...flow.nodes,
        { op: 'MatMul', inputs: ['out', 'down'], outputs: ['flow_dir'] },
      ],
      initializers: [matrix('up', LATENT, WIDTH), ...flow.initializers, matrix('down', WIDTH, LATENT)],
    },
    'mimi_decoder.onnx': {
      inputs: [slot('latent', [1, 'l', LATENT]), ...codecs.map((name) => slot(name, CODEC_STATE))],
      outputs: [slot('audio_frame', [1, 1, 'n']), ...codecs.map((name) => slot(`out_${name}`, CODEC_STATE))],
      nodes: [
        { op: 'MatMul', inputs: ['latent', 'up'], outputs: ['in'] },
        ...codec.nodes,
        { op: 'MatMul', inputs: ['out', 'wide'], outputs: ['samples'] },
        { op: 'Reshape', inputs: ['samples', 'row'], outputs: ['audio_frame'] },
        ...carried(codecs),
      ],
      initializers: [matrix('up', LATENT, WIDTH), ...codec.initializers, matrix('wide', WIDTH, FRAME), shape('row', [1, 1, -1])],
    },
  }
}

const state = (input_name: string, shape: readonly number[], key: string) => ({
  input_name,
  output_name: `out_${input_name}`,
  module: input_name,
  key,
  shape,
  dtype: 'float32',
  fill: 'zeros',
})

export function pocketFiles(file: string) {
  const bundle = {
    ...BUNDLE,
    sample_rate: 24_000,
    samples_per_frame: FRAME,
    latent_dim: LATENT,
    conditioning_dim: WIDTH,
    max_token_per_chunk: 200,
    flow_lm_state_manifest: caches.map((name) => state(name, CACHE, 'cache')),
    mimi_state_manifest: codecs.map((name) => state(name, CODEC_STATE, 'previous')),
  }
  const files = {
    ...graphs(file),
    'bundle.json': JSON.stringify(bundle),
    'tokenizer.model': asciiTokenizer(),
    'bos_before_voice.npy': npy([1, 1, WIDTH], Array(WIDTH).fill(0)),
    'voices.bin': voicesFile({ random: {} }),
  }
  return { files, width: WIDTH, layers: LAYERS.main }
}
