// A Supertonic with known results, and one with random weights at the real sizes; both with the real names, types and ranks.

import { type GraphText, model } from './onnx-graph.ts'

export const CHANNELS = 6
export const CHUNK = 8
export const RATE = 1_000
const STYLE = { ttl: [1, 2, 3], dp: [1, 2, 2] } as const
const dims = { ids: [1, 'n'], mask: [1, 1, 'n'], emb: [1, 4, 'n'], latent: [1, CHANNELS, 'l'], latentMask: [1, 1, 'l'] }
const slot = (name: string, shape: readonly (number | string)[], type: 'float32' | 'int64' = 'float32') => ({ name, type, dims: shape })
const ids = slot('text_ids', dims.ids, 'int64')
const textMask = slot('text_mask', dims.mask)
const ttl = slot('style_ttl', STYLE.ttl)

/** A tenth of a second per character (plus the first style value), each step halves the noise, and a sample equals its channel value. */
export const GRAPHS: Readonly<Record<string, GraphText>> = {
  duration_predictor: {
    inputs: [ids, slot('style_dp', STYLE.dp), textMask],
    outputs: [slot('duration', [1])],
    nodes: [
      { op: 'ReduceSum', inputs: ['text_mask', 'axes'], outputs: ['count'], attributes: { keepdims: 0 } },
      { op: 'ReduceMin', inputs: ['style_dp'], outputs: ['least'], attributes: { keepdims: 0 } },
      { op: 'Mul', inputs: ['count', 'tenth'], outputs: ['plain'] },
      { op: 'Add', inputs: ['plain', 'least'], outputs: ['duration'] },
    ],
    initializers: [
      { name: 'axes', type: 'int64', dims: [2], values: [1, 2] },
      { name: 'tenth', type: 'float32', dims: [], values: [0.1] },
    ],
  },
  text_encoder: {
    inputs: [ids, ttl, textMask],
    outputs: [slot('text_emb', dims.emb)],
    nodes: [
      { op: 'Cast', inputs: ['text_ids'], outputs: ['f'], attributes: { to: 1 } },
      { op: 'Reshape', inputs: ['f', 'shape'], outputs: ['r'] },
      { op: 'Expand', inputs: ['r', 'wide'], outputs: ['text_emb'] },
    ],
    initializers: [
      { name: 'shape', type: 'int64', dims: [3], values: [1, 1, -1] },
      { name: 'wide', type: 'int64', dims: [3], values: [1, 4, 1] },
    ],
  },
  vector_estimator: {
    inputs: [
      slot('noisy_latent', dims.latent),
      slot('text_emb', dims.emb),
      ttl,
      slot('latent_mask', dims.latentMask),
      textMask,
      slot('current_step', [1]),
      slot('total_step', [1]),
    ],
    outputs: [slot('denoised_latent', dims.latent)],
    nodes: [{ op: 'Mul', inputs: ['noisy_latent', 'half'], outputs: ['denoised_latent'] }],
    initializers: [{ name: 'half', type: 'float32', dims: [], values: [0.5] }],
  },
  vocoder: {
    inputs: [slot('latent', dims.latent)],
    outputs: [slot('wav_tts', [1, 'samples'])],
    nodes: [
      { op: 'ReduceMean', inputs: ['latent'], outputs: ['mean'], attributes: { axes: [1], keepdims: 0 } },
      { op: 'Unsqueeze', inputs: ['mean', 'last'], outputs: ['column'] },
      { op: 'Expand', inputs: ['column', 'chunk'], outputs: ['chunks'] },
      { op: 'Reshape', inputs: ['chunks', 'row'], outputs: ['wav_tts'] },
    ],
    initializers: [
      { name: 'last', type: 'int64', dims: [1], values: [2] },
      { name: 'chunk', type: 'int64', dims: [3], values: [1, 1, CHUNK] },
      { name: 'row', type: 'int64', dims: [2], values: [1, -1] },
    ],
  },
}

const style = (shift: number) => ({
  style_ttl: {
    dims: STYLE.ttl,
    data: [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
  },
  style_dp: {
    dims: STYLE.dp,
    data: [
      [
        [shift, 1],
        [1, 1],
      ],
    ],
  },
})

export const supertonicFiles = (more: Readonly<Record<string, Partial<GraphText>>> = {}): Record<string, Uint8Array | string> => ({
  ...Object.fromEntries(Object.entries(GRAPHS).map(([name, graph]) => [`onnx/${name}.onnx`, model({ ...graph, ...more[name] })])),
  'onnx/tts.json': JSON.stringify({ ae: { sample_rate: RATE, base_chunk_size: 4 }, ttl: { chunk_compress_factor: 2, latent_dim: 3 } }),
  // Every ASCII character maps to itself; all others are unknown.
  'onnx/unicode_indexer.json': JSON.stringify(Array.from({ length: 512 }, (_, code) => (code < 128 ? code : -1))),
  'voice_styles/F1.json': JSON.stringify(style(0)),
  'voice_styles/M1.json': JSON.stringify(style(0.5)),
})
