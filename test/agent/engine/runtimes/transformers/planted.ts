// Small models with the real file names, inputs, outputs, types and ranks and planted outputs: a table determines the next token. They test
// the code that loads and runs the real models.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { model, type Node, type ValueShape } from '#test/support/models/onnx-graph.ts'

export const HEADS = 2
export const SIZE = 4

export type Files = ReadonlyMap<string, string>

export function written(t: TestContext, name: string, contents: Readonly<Record<string, object | Uint8Array>>): Files {
  const root = mkdtempSync(join(tmpdir(), 'studio-planted-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return new Map(
    Object.entries(contents).map(([file, content]) => {
      const path = join(root, name, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content instanceof Uint8Array ? content : JSON.stringify(content))
      return [file, path]
    }),
  )
}

/** `rowOf[token]` is the row of `rows` that every head returns for that token: its attention to each frame. */
type PlantedAttention = { readonly rowOf: readonly number[]; readonly rows: readonly (readonly number[])[] }

/** A merged decoder of one layer: `next[token]` follows `token` for any input. */
export function decoder(
  next: readonly number[],
  hidden: ValueShape,
  more: readonly ValueShape[] = [],
  logit = 20,
  attention: PlantedAttention | null = null,
): Uint8Array {
  const vocabulary = next.length
  const cache = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']
  const shape = (name: string): ValueShape => ({ name, type: 'float32', dims: ['batch', HEADS, `length of ${name}`, SIZE] })
  const nodes: Node[] = [
    { op: 'Gather', inputs: ['next', 'input_ids'], outputs: ['following'] },
    { op: 'OneHot', inputs: ['following', 'depth', 'weights'], outputs: ['logits'] },
    ...cache.map((name) => ({ op: 'Identity', inputs: [`past_key_values.0.${name}`], outputs: [`present.0.${name}`] })),
    ...(attention
      ? [
          { op: 'Gather', inputs: ['row of', 'input_ids'], outputs: ['row'] },
          { op: 'Gather', inputs: ['rows', 'row'], outputs: ['attention'] },
          { op: 'Unsqueeze', inputs: ['attention', 'axis of heads'], outputs: ['of one head'] },
          { op: 'Concat', inputs: Array<string>(HEADS).fill('of one head'), outputs: ['cross_attentions.0'], attributes: { axis: 1 } },
        ]
      : []),
  ]
  const frames = attention?.rows[0]?.length ?? 0
  return model({
    inputs: [
      { name: 'input_ids', type: 'int64', dims: ['batch', 'tokens'] },
      hidden,
      ...more,
      ...cache.map((name) => shape(`past_key_values.0.${name}`)),
      { name: 'use_cache_branch', type: 'bool', dims: [1] },
    ],
    outputs: [
      { name: 'logits', type: 'float32', dims: ['batch', 'tokens', vocabulary] },
      ...cache.map((name) => shape(`present.0.${name}`)),
      ...(attention ? [{ name: 'cross_attentions.0', type: 'float32', dims: ['batch', HEADS, 'tokens', frames] } as const] : []),
    ],
    nodes,
    initializers: [
      { name: 'next', type: 'int64', dims: [vocabulary], values: next },
      { name: 'depth', type: 'int64', dims: [], values: [vocabulary] },
      { name: 'weights', type: 'float32', dims: [2], values: [0, logit] },
      ...(attention
        ? ([
            { name: 'row of', type: 'int64', dims: [vocabulary], values: attention.rowOf },
            { name: 'rows', type: 'float32', dims: [attention.rows.length, frames], values: attention.rows.flat() },
            { name: 'axis of heads', type: 'int64', dims: [1], values: [1] },
          ] as const)
        : []),
    ],
  })
}

const WORDS = ['Ġhello', 'Ġworld', 'Ġagain', 'ä½łå¥½', 'åĨįè§ģ']
const SPECIAL = '<|endoftext|> <|startoftranscript|> <|en|> <|de|> <|jw|> <|translate|> <|transcribe|> <|nospeech|> <|notimestamps|>'.split(
  ' ',
)
export const stamp = (seconds: number) => `<|${seconds.toFixed(2)}|>`
const HELLO = [stamp(0), 'Ġhello', 'Ġworld', stamp(1), stamp(1.02), 'Ġagain', stamp(2), '<|endoftext|>']
type Planted = {
  /** Each token is followed by the next one; the last one by itself if it is not the end. */
  readonly chain?: readonly string[]
  readonly detected?: string
  /** The decoder has one. */
  readonly encoderLayers?: number
  /** Tokens of a prefix and its output. */
  readonly maxLength?: number
  /** The logit of the planted token; that of the other tokens is 0. */
  readonly logit?: number
  /** When each token of a word is spoken, in seconds: the decoder attends to it there when it predicts that token. */
  readonly spoken?: Readonly<Record<string, readonly [number, number]>>
}

/** A Whisper that recognises "hello world" from 0 s to 1 s and "again" from 1 s to 2 s in any sound, in German unless requested otherwise. */
export function plantedWhisper(
  t: TestContext,
  { chain = HELLO, detected = '<|de|>', encoderLayers = 1, maxLength = 448, logit = 20, spoken }: Planted = {},
): Files {
  const stamps = Array.from({ length: 1501 }, (_, at) => stamp(at * 0.02))
  const tokens = [...WORDS, ...SPECIAL, ...stamps]
  const id = (token: string) => tokens.indexOf(token)
  const next = tokens.map(() => id('<|endoftext|>'))
  for (const [at, token] of chain.slice(0, -1).entries()) next[id(token)] = id(chain[at + 1]!)
  for (const task of ['<|transcribe|>', '<|translate|>']) next[id(task)] = id(chain[0]!)
  next[id('<|startoftranscript|>')] = id(detected)
  const attention = spoken && plantedAttention(tokens, spoken)
  const added = [...SPECIAL, ...stamps].map((content) => ({
    id: id(content),
    content,
    special: SPECIAL.includes(content),
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }))
  return written(t, 'whisper-tiny', {
    'config.json': {
      model_type: 'whisper',
      architectures: ['WhisperForConditionalGeneration'],
      d_model: HEADS * SIZE,
      encoder_layers: encoderLayers,
      decoder_layers: 1,
      encoder_attention_heads: HEADS,
      decoder_attention_heads: HEADS,
      max_source_positions: 1500,
      max_target_positions: maxLength,
      num_mel_bins: 80,
      vocab_size: tokens.length,
      decoder_start_token_id: id('<|startoftranscript|>'),
      eos_token_id: id('<|endoftext|>'),
      pad_token_id: id('<|endoftext|>'),
      is_encoder_decoder: true,
    },
    'generation_config.json': {
      is_multilingual: true,
      lang_to_id: Object.fromEntries(['<|en|>', '<|de|>', '<|jw|>'].map((token) => [token, id(token)])),
      task_to_id: { transcribe: id('<|transcribe|>'), translate: id('<|translate|>') },
      no_timestamps_token_id: id('<|notimestamps|>'),
      decoder_start_token_id: id('<|startoftranscript|>'),
      eos_token_id: id('<|endoftext|>'),
      pad_token_id: id('<|endoftext|>'),
      max_length: 448,
      return_timestamps: false,
      ...(attention && { alignment_heads: [[0, 0], [0, 1]] }), // biome-ignore format: one line
      // As in the published files.
      suppress_tokens: [id('<|nospeech|>')],
    },
    'preprocessor_config.json': {
      feature_extractor_type: 'WhisperFeatureExtractor',
      processor_class: 'WhisperProcessor',
      feature_size: 80,
      n_fft: 400,
      hop_length: 160,
      chunk_length: 30,
      n_samples: 480_000,
      nb_max_frames: 3000,
      sampling_rate: 16_000,
    },
    'tokenizer_config.json': { tokenizer_class: 'WhisperTokenizer', eos_token: '<|endoftext|>' },
    'tokenizer.json': {
      version: '1.0',
      added_tokens: added,
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
      post_processor: null,
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: 'BPE',
        unk_token: null,
        ignore_merges: true,
        vocab: Object.fromEntries(WORDS.map((word, at) => [word, at])),
        merges: [],
      },
    },
    'onnx/encoder_model.onnx': model({
      inputs: [{ name: 'input_features', type: 'float32', dims: ['batch', 80, 3000] }],
      outputs: [{ name: 'last_hidden_state', type: 'float32', dims: ['batch', 1500, HEADS * SIZE] }],
      nodes: [
        { op: 'ReduceSum', inputs: ['input_features'], outputs: ['sum'], attributes: { keepdims: 0 } },
        { op: 'Expand', inputs: ['sum', 'shape'], outputs: ['last_hidden_state'] },
      ],
      initializers: [{ name: 'shape', type: 'int64', dims: [3], values: [1, 1500, HEADS * SIZE] }],
    }),
    'onnx/decoder_model_merged.onnx': decoder(
      next,
      { name: 'encoder_hidden_states', type: 'float32', dims: ['batch', 'frames', HEADS * SIZE] },
      [],
      logit,
      attention ?? null,
    ),
  })
}

/** A token attends to the sound of the one that follows it in the text, which is that of `spoken` in its order. */
function plantedAttention(tokens: readonly string[], spoken: NonNullable<Planted['spoken']>): PlantedAttention {
  const FRAMES = 1500
  const words = Object.keys(spoken)
  const rowOf = tokens.map(() => words.length)
  for (const at of words.keys()) rowOf[tokens.indexOf(words[at - 1] ?? '<|notimestamps|>')] = at
  const ofWord = words.map((word) => {
    const [start, end] = spoken[word]!.map((seconds) => Math.round(seconds * 50)) as [number, number]
    return Array.from({ length: FRAMES }, (_, frame) => (frame >= start && frame < end ? 1 : 0))
  })
  return { rowOf, rows: [...ofWord, Array<number>(FRAMES).fill(0)] }
}
