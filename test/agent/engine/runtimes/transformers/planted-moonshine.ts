// A small Moonshine with the real file names, inputs, types and ranks: loud input gives "hello world", quiet input "again". The files
// preprocessor_config.json and generation_config.json are byte-identical to the real ones, as their digests in the catalogue require.
import type { TestContext } from 'node:test'
import { model, type Node, type ValueShape } from '#test/support/models/onnx-graph.ts'
import { type Files, written } from './planted.ts'

const HEADS = 2
const SIZE = 4
const WIDTH = HEADS * SIZE
/** A sample of what the real one takes for a frame. */
const FRAME = 384
const LOUD = 0.1
const TOKENS = ['<unk>', '<s>', '</s>', '▁hello', '▁world', '▁again']
const id = (token: string) => TOKENS.indexOf(token)

/** Pretty as the hub writes JSON. */
const json = (content: object, ending = '') => Buffer.from(JSON.stringify(content, null, 2) + ending)
export const PREPROCESSOR = json({
  feature_extractor_type: 'MoonshineFeatureExtractor',
  processor_class: 'MoonshineProcessor',
  sampling_rate: 16_000,
})
export const GENERATION = json(
  {
    _from_model_config: true,
    bos_token_id: 1,
    decoder_start_token_id: 1,
    eos_token_id: 2,
    transformers_version: '4.47.0.dev0',
  },
  '\n',
)

/** A merged decoder of one layer; which of two words comes first is told by how loud the frames are. */
function decoder(): Uint8Array {
  const cache = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']
  const shape = (name: string): ValueShape => ({ name, type: 'float32', dims: ['batch', HEADS, `length of ${name}`, SIZE] })
  const after = (first: string) => {
    const next = TOKENS.map(() => id('</s>'))
    next[id('<s>')] = id(first)
    next[id('▁hello')] = id('▁world')
    return next
  }
  const nodes: Node[] = [
    { op: 'ReduceMean', inputs: ['encoder_hidden_states'], outputs: ['loudness'], attributes: { keepdims: 0 } },
    { op: 'Greater', inputs: ['loudness', 'limit'], outputs: ['is loud'] },
    { op: 'Where', inputs: ['is loud', 'after loud', 'after quiet'], outputs: ['next'] },
    { op: 'Gather', inputs: ['next', 'input_ids'], outputs: ['following'] },
    { op: 'OneHot', inputs: ['following', 'depth', 'weights'], outputs: ['logits'] },
    ...cache.map((name) => ({ op: 'Identity', inputs: [`past_key_values.0.${name}`], outputs: [`present.0.${name}`] })),
  ]
  return model({
    inputs: [
      { name: 'input_ids', type: 'int64', dims: ['batch', 'tokens'] },
      { name: 'encoder_hidden_states', type: 'float32', dims: ['batch', 'frames', WIDTH] },
      ...cache.map((name) => shape(`past_key_values.0.${name}`)),
      { name: 'use_cache_branch', type: 'bool', dims: [1] },
    ],
    outputs: [
      { name: 'logits', type: 'float32', dims: ['batch', 'tokens', TOKENS.length] },
      ...cache.map((name) => shape(`present.0.${name}`)),
    ],
    nodes,
    initializers: [
      { name: 'limit', type: 'float32', dims: [], values: [LOUD] },
      { name: 'after loud', type: 'int64', dims: [TOKENS.length], values: after('▁hello') },
      { name: 'after quiet', type: 'int64', dims: [TOKENS.length], values: after('▁again') },
      { name: 'depth', type: 'int64', dims: [], values: [TOKENS.length] },
      { name: 'weights', type: 'float32', dims: [2], values: [0, 20] },
    ],
  })
}

/** Raw samples in, the mean of their absolute values in every frame out. */
const encoder = (): Uint8Array =>
  model({
    inputs: [{ name: 'input_values', type: 'float32', dims: ['batch', 'samples'] }],
    outputs: [{ name: 'last_hidden_state', type: 'float32', dims: ['batch', 'frames', WIDTH] }],
    nodes: [
      { op: 'Abs', inputs: ['input_values'], outputs: ['loud'] },
      { op: 'Unsqueeze', inputs: ['loud', 'one'], outputs: ['channel'] },
      {
        op: 'AveragePool',
        inputs: ['channel'],
        outputs: ['mean'],
        attributes: { kernel_shape: [BigInt(FRAME)], strides: [BigInt(FRAME)] },
      },
      { op: 'Transpose', inputs: ['mean'], outputs: ['frames'], attributes: { perm: [0n, 2n, 1n] } },
      { op: 'Tile', inputs: ['frames', 'times'], outputs: ['last_hidden_state'] },
    ],
    initializers: [
      { name: 'one', type: 'int64', dims: [1], values: [1] },
      { name: 'times', type: 'int64', dims: [3], values: [1, 1, WIDTH] },
    ],
  })

const special = ['<unk>', '<s>', '</s>'].map((content) => ({
  id: id(content),
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
}))

export const moonshineContents = (): Readonly<Record<string, Uint8Array>> => ({
  'config.json': json({
    model_type: 'moonshine',
    architectures: ['MoonshineForConditionalGeneration'],
    hidden_size: WIDTH,
    encoder_num_hidden_layers: 1,
    decoder_num_hidden_layers: 1,
    encoder_num_attention_heads: HEADS,
    decoder_num_attention_heads: HEADS,
    encoder_num_key_value_heads: HEADS,
    decoder_num_key_value_heads: HEADS,
    max_position_embeddings: 194,
    vocab_size: TOKENS.length,
    bos_token_id: id('<s>'),
    decoder_start_token_id: id('<s>'),
    eos_token_id: id('</s>'),
    is_encoder_decoder: true,
  }),
  'generation_config.json': GENERATION,
  'preprocessor_config.json': PREPROCESSOR,
  'tokenizer_config.json': json({
    tokenizer_class: 'PreTrainedTokenizerFast',
    bos_token: '<s>',
    eos_token: '</s>',
    unk_token: '<unk>',
    clean_up_tokenization_spaces: false,
  }),
  'tokenizer.json': json({
    version: '1.0',
    added_tokens: special,
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      fuse_unk: true,
      byte_fallback: true,
      vocab: Object.fromEntries(TOKENS.map((token, at) => [token, at])),
      merges: [],
    },
  }),
  'onnx/encoder_model.onnx': encoder(),
  'onnx/decoder_model_merged.onnx': decoder(),
})

export const plantedMoonshine = (t: TestContext): Files => written(t, 'moonshine', moonshineContents())
