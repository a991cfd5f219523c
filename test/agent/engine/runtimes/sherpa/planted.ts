// Networks with the names, shapes and metadata that the speech library expects and planted outputs: the pitch determines the word.
import { model } from '#test/support/models/onnx-graph.ts'

/** NeMo's transducer with durations: a low voice says `la`, a high one `li`, each for four frames of 80 ms; silence says nothing. */
const TOKENS = ['▁la', '▁li', '<blk>']
export const tokens = TOKENS.map((token, id) => `${token} ${id}\n`).join('')
const bands = (levels: number) =>
  Array.from({ length: 80 }, (_, band) =>
    Array.from({ length: levels }, (_, at) => ((at === 0 ? band < 20 : band >= 60 && at === 1) ? 1 / 20 : 0)),
  ).flat()

export const encoder = (levels = 2): Uint8Array =>
  model({
    inputs: [
      { name: 'audio_signal', type: 'float32', dims: ['N', 80, 'T'] },
      { name: 'length', type: 'int64', dims: ['N'] },
    ],
    outputs: [
      { name: 'outputs', type: 'float32', dims: ['N', levels, 'frames'] },
      { name: 'encoded_lengths', type: 'int64', dims: ['N'] },
    ],
    nodes: [
      { op: 'AveragePool', inputs: ['audio_signal'], outputs: ['slow'], attributes: { kernel_shape: [8n], strides: [8n] } },
      { op: 'Transpose', inputs: ['slow'], outputs: ['frames'], attributes: { perm: [0n, 2n, 1n] } },
      { op: 'MatMul', inputs: ['frames', 'bands'], outputs: ['levels'] },
      { op: 'Transpose', inputs: ['levels'], outputs: ['outputs'], attributes: { perm: [0n, 2n, 1n] } },
      { op: 'Div', inputs: ['length', 'eight'], outputs: ['encoded_lengths'] },
    ],
    initializers: [
      { name: 'bands', type: 'float32', dims: [80, levels], values: bands(levels) },
      { name: 'eight', type: 'int64', dims: [1], values: [8] },
    ],
    metadata: {
      model_type: 'EncDecRNNTBPEModel',
      url: 'planted tdt',
      vocab_size: String(TOKENS.length - 1),
      subsampling_factor: '8',
      normalize_type: '',
      pred_rnn_layers: '1',
      pred_hidden: '4',
      feat_dim: '80',
    },
  })

export const decoder = (): Uint8Array =>
  model({
    inputs: [
      { name: 'targets', type: 'int32', dims: ['N', 1] },
      { name: 'target_length', type: 'int32', dims: ['N'] },
      { name: 'states.1', type: 'float32', dims: [1, 'N', 4] },
      { name: 'states.2', type: 'float32', dims: [1, 'N', 4] },
    ],
    outputs: [
      { name: 'outputs', type: 'float32', dims: ['N', 1, 1] },
      { name: 'prednet_lengths', type: 'int32', dims: ['N'] },
      { name: 'states', type: 'float32', dims: [1, 'N', 4] },
      { name: 'more_states', type: 'float32', dims: [1, 'N', 4] },
    ],
    nodes: [
      { op: 'Identity', inputs: ['one'], outputs: ['outputs'] },
      { op: 'Identity', inputs: ['target_length'], outputs: ['prednet_lengths'] },
      { op: 'Identity', inputs: ['states.1'], outputs: ['states'] },
      { op: 'Identity', inputs: ['states.2'], outputs: ['more_states'] },
    ],
    initializers: [{ name: 'one', type: 'float32', dims: [1, 1, 1], values: [1] }],
  })

/** Levels in; two tokens, nothing, and five durations out. */
export const joiner = (): Uint8Array =>
  model({
    inputs: [
      { name: 'encoder_outputs', type: 'float32', dims: ['N', 2, 1] },
      { name: 'decoder_outputs', type: 'float32', dims: ['N', 1, 1] },
    ],
    outputs: [{ name: 'logits', type: 'float32', dims: ['N', 1, 1, 8] }],
    nodes: [
      { op: 'Transpose', inputs: ['encoder_outputs'], outputs: ['levels'], attributes: { perm: [0n, 2n, 1n] } },
      { op: 'MatMul', inputs: ['levels', 'weights'], outputs: ['raw'] },
      { op: 'Add', inputs: ['raw', 'base'], outputs: ['sum'] },
      { op: 'Reshape', inputs: ['sum', 'shape'], outputs: ['logits'] },
    ],
    initializers: [
      { name: 'weights', type: 'float32', dims: [2, 8], values: [1, 0, 0, 0, 0, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 0, 0.5] },
      { name: 'base', type: 'float32', dims: [8], values: [0, 0, -15, -99, -15, -99, -99, 0] },
      { name: 'shape', type: 'int64', dims: [4], values: [1, 1, 1, 8] },
    ],
  })
