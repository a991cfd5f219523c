// Networks with the names, shapes and metadata that the speech library expects and planted outputs: the pitch determines the speaker.
import { model } from '#test/support/models/onnx-graph.ts'

const SHIFT = 270
const WINDOW = 160_000

/**
 * pyannote's: ten seconds in, for each frame one of seven sets of speakers out. A low voice is the first one's, a high one the second's.
 */
export const segmentation = (): Uint8Array =>
  model({
    inputs: [{ name: 'x', type: 'float32', dims: ['N', 1, 'T'] }],
    outputs: [{ name: 'y', type: 'float32', dims: ['N', 'frames', 7] }],
    nodes: [
      { op: 'Conv', inputs: ['x', 'difference'], outputs: ['steep'], attributes: { kernel_shape: [2n], pads: [1n, 0n] } },
      { op: 'Concat', inputs: ['x', 'steep'], outputs: ['both'], attributes: { axis: 1 } },
      { op: 'Abs', inputs: ['both'], outputs: ['loud'] },
      { op: 'AveragePool', inputs: ['loud'], outputs: ['mean'], attributes: { kernel_shape: [991n], strides: [BigInt(SHIFT)] } },
      { op: 'Transpose', inputs: ['mean'], outputs: ['frames'], attributes: { perm: [0n, 2n, 1n] } },
      { op: 'MatMul', inputs: ['frames', 'scale'], outputs: ['scaled'] },
      { op: 'Add', inputs: ['scaled', 'base'], outputs: ['y'] },
    ],
    initializers: [
      { name: 'difference', type: 'float32', dims: [1, 1, 2], values: [-1, 1] },
      { name: 'scale', type: 'float32', dims: [2, 7], values: [0, 100, 0, 0, 0, 0, 0, 0, -300, 100, 0, 0, 0, 0] },
      { name: 'base', type: 'float32', dims: [7], values: [1, 0, -9, -9, -9, -9, -9] },
    ],
    metadata: {
      model_type: 'pyannote-segmentation-3.0',
      num_speakers: '3',
      powerset_max_classes: '2',
      num_classes: '7',
      sample_rate: '16000',
      window_size: String(WINDOW),
      receptive_field_size: '991',
      receptive_field_shift: String(SHIFT),
    },
  })

/**
 * WeSpeaker's: eighty bands of each frame in, one direction per voice out: here the mean of the bands, without what they have in common.
 */
export const embedding = (): Uint8Array =>
  model({
    inputs: [{ name: 'feats', type: 'float32', dims: ['N', 'T', 80] }],
    outputs: [{ name: 'embs', type: 'float32', dims: ['N', 80] }],
    nodes: [
      { op: 'ReduceMean', inputs: ['feats'], outputs: ['bands'], attributes: { axes: [1n], keepdims: 0 } },
      { op: 'ReduceMean', inputs: ['bands'], outputs: ['level'], attributes: { axes: [1n], keepdims: 1 } },
      { op: 'Sub', inputs: ['bands', 'level'], outputs: ['embs'] },
    ],
    metadata: {
      framework: 'wespeaker',
      language: 'English',
      url: 'planted',
      comment: 'planted',
      sample_rate: '16000',
      output_dim: '80',
      normalize_samples: '1',
      feature_normalize_type: '',
    },
  })

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
