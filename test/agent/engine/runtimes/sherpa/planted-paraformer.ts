// A streaming Paraformer with the names, shapes and metadata that the speech library expects: one token for each loud frame of 60 ms, none for a
// quiet one.
import { model, type Node, type ValueShape } from '#test/support/models/onnx-graph.ts'

const WIDTH = 8
const KERNEL = 3
const VOCABULARY = ['<blank>', '<s>', '</s>', 'a', '<unk>']
const TOKEN = VOCABULARY.indexOf('a')
/** Features of a frame: seven frames of 10 ms with 80 bands each. */
const FEATURES = 7 * 80
/** Mean log energy above which a frame is loud. */
const LOUD = 9
const floats = (name: string, dims: ValueShape['dims']): ValueShape => ({ name, type: 'float32', dims })
const node = (op: string, inputs: readonly string[], output: string, attributes: Node['attributes'] = {}): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes,
})
const numbers = (count: number, value: number): string => new Array<number>(count).fill(value).join()

const encoder = (): Uint8Array =>
  model({
    inputs: [floats('speech', [1, 'T', FEATURES]), { name: 'speech_lengths', type: 'int32', dims: [1] }],
    outputs: [floats('enc', [1, 'T', WIDTH]), { name: 'enc_len', type: 'int32', dims: [1] }, floats('alphas', [1, 'T'])],
    nodes: [
      node('ReduceMean', ['speech'], 'level', { axes: [2n], keepdims: 1 }),
      node('Expand', ['level', 'wide'], 'enc'),
      node('Identity', ['speech_lengths'], 'enc_len'),
      node('Squeeze', ['level', 'last'], 'levels'),
      node('Greater', ['levels', 'loud'], 'isLoud'),
      node('Cast', ['isLoud'], 'alphas', { to: 1 }),
    ],
    initializers: [
      { name: 'wide', type: 'int64', dims: [3], values: [1, 1, WIDTH] },
      { name: 'last', type: 'int64', dims: [1], values: [2] },
      { name: 'loud', type: 'float32', dims: [], values: [LOUD] },
    ],
    metadata: {
      model_type: 'paraformer',
      vocab_size: String(VOCABULARY.length),
      lfr_window_size: '7',
      lfr_window_shift: '6',
      encoder_output_size: String(WIDTH),
      decoder_num_blocks: '1',
      decoder_kernel_size: String(KERNEL),
      neg_mean: numbers(FEATURES, 0),
      inv_stddev: numbers(FEATURES, 1),
    },
  })

const decoder = (): Uint8Array =>
  model({
    inputs: [
      floats('enc', [1, 'T', WIDTH]),
      { name: 'enc_len', type: 'int32', dims: [1] },
      floats('acoustic_embeds', [1, 'N', WIDTH]),
      { name: 'acoustic_embeds_len', type: 'int32', dims: [1] },
      floats('in_cache_0', [1, WIDTH, KERNEL - 1]),
    ],
    outputs: [
      floats('logits', [1, 'N', VOCABULARY.length]),
      { name: 'sample_ids', type: 'int64', dims: [1, 'N'] },
      floats('out_cache_0', [1, WIDTH, KERNEL - 1]),
    ],
    nodes: [
      node('ReduceMean', ['acoustic_embeds'], 'mean', { axes: [2n], keepdims: 1 }),
      node('Expand', ['mean', 'wide'], 'logits'),
      node('Mul', ['mean', 'zero'], 'nothing'),
      node('Add', ['nothing', 'token'], 'tokens'),
      node('Squeeze', ['tokens', 'last'], 'flat'),
      node('Cast', ['flat'], 'sample_ids', { to: 7 }),
      node('Identity', ['in_cache_0'], 'out_cache_0'),
    ],
    initializers: [
      { name: 'wide', type: 'int64', dims: [3], values: [1, 1, VOCABULARY.length] },
      { name: 'last', type: 'int64', dims: [1], values: [2] },
      { name: 'zero', type: 'float32', dims: [], values: [0] },
      { name: 'token', type: 'float32', dims: [], values: [TOKEN] },
    ],
  })

/** The files of a planted streaming Paraformer. */
export const plantedParaformer = (): Record<string, Uint8Array> => ({
  'encoder.int8.onnx': encoder(),
  'decoder.int8.onnx': decoder(),
  'tokens.txt': Buffer.from(VOCABULARY.map((token, id) => `${token} ${id}\n`).join('')),
})
