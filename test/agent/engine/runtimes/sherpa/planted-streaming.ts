// A streaming transducer with the names, shapes and metadata that the speech library expects: low sounds are `la`, high ones `li`, silence is
// nothing. A word follows only after the other one, because the decoder lowers the word that came last.
import { model } from '#test/support/models/onnx-graph.ts'

const TOKENS = ['<blk>', '▁la', '▁li']
/** Frames of 10 ms in one step. */
const CHUNK = 8
/** Mean log energy below which a sound is silence. */
const SILENCE = -9
const identity = (from: string, to: string) => ({ op: 'Identity', inputs: [from], outputs: [to] })

const encoder = (): Uint8Array =>
  model({
    inputs: [
      { name: 'x', type: 'float32', dims: ['N', CHUNK, 80] },
      { name: 'h', type: 'float32', dims: [1, 'N', 4] },
      { name: 'c', type: 'float32', dims: [1, 'N', 4] },
    ],
    outputs: [
      { name: 'encoder_out', type: 'float32', dims: ['N', 2, 2] },
      { name: 'next_h', type: 'float32', dims: [1, 'N', 4] },
      { name: 'next_c', type: 'float32', dims: [1, 'N', 4] },
    ],
    nodes: [
      { op: 'Reshape', inputs: ['x', 'fours'], outputs: ['grouped'] },
      { op: 'ReduceMean', inputs: ['grouped'], outputs: ['mean'], attributes: { axes: [2n], keepdims: 0 } },
      { op: 'MatMul', inputs: ['mean', 'bands'], outputs: ['encoder_out'] },
      identity('h', 'next_h'),
      identity('c', 'next_c'),
    ],
    initializers: [
      // The library counts four frames for each result.
      { name: 'fours', type: 'int64', dims: [4], values: [-1, CHUNK / 4, 4, 80] },
      {
        name: 'bands',
        type: 'float32',
        dims: [80, 2],
        values: Array.from({ length: 80 }, (_, band) => [band < 20 ? 1 / 20 : 0, band >= 60 ? 1 / 20 : 0]).flat(),
      },
    ],
    metadata: {
      model_type: 'lstm',
      num_encoder_layers: '1',
      T: String(CHUNK),
      decode_chunk_len: String(CHUNK),
      rnn_hidden_size: '4',
      d_model: '4',
    },
  })

const decoder = (): Uint8Array =>
  model({
    inputs: [{ name: 'y', type: 'int64', dims: ['N', 2] }],
    outputs: [{ name: 'decoder_out', type: 'float32', dims: ['N', 3] }],
    nodes: [
      { op: 'Gather', inputs: ['y', 'last'], outputs: ['token'], attributes: { axis: 1 } },
      { op: 'Gather', inputs: ['table', 'token'], outputs: ['decoder_out'], attributes: { axis: 0 } },
    ],
    initializers: [
      { name: 'last', type: 'int64', dims: [], values: [1] },
      { name: 'table', type: 'float32', dims: [3, 3], values: [0, 0, 0, 0, -99, 0, 0, 0, -99] },
    ],
    metadata: { vocab_size: String(TOKENS.length), context_size: '2' },
  })

const joiner = (): Uint8Array =>
  model({
    inputs: [
      { name: 'encoder_out', type: 'float32', dims: ['N', 2] },
      { name: 'decoder_out', type: 'float32', dims: ['N', 3] },
    ],
    outputs: [{ name: 'logit', type: 'float32', dims: ['N', 3] }],
    nodes: [
      { op: 'MatMul', inputs: ['encoder_out', 'weights'], outputs: ['levels'] },
      { op: 'Add', inputs: ['levels', 'base'], outputs: ['raw'] },
      { op: 'Add', inputs: ['raw', 'decoder_out'], outputs: ['logit'] },
    ],
    initializers: [
      { name: 'weights', type: 'float32', dims: [2, 3], values: [0, 1, 0, 0, 0, 1] },
      { name: 'base', type: 'float32', dims: [3], values: [SILENCE, 0, 0] },
    ],
    metadata: { joiner_dim: '2' },
  })

/** The files of a planted streaming model. */
export const plantedStreaming = (): Record<string, Uint8Array> => ({
  'encoder.int8.onnx': encoder(),
  'decoder.onnx': decoder(),
  'joiner.int8.onnx': joiner(),
  'tokens.txt': Buffer.from(TOKENS.map((token, id) => `${token} ${id}\n`).join('')),
})
