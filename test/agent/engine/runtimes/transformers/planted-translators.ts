// Translation models with the real file names, inputs, outputs, types, ranks and tokenizer rules and with planted answers: a table determines
// the next token.
import type { TestContext } from 'node:test'
import { model, type ValueShape } from '#test/support/models/onnx-graph.ts'
import { decoder, type Files, HEADS, SIZE, written } from './planted.ts'

type Plan = {
  /** The name of the folder. */
  readonly name: string
  /** Pieces of the vocabulary with their scores, after the special tokens. */
  readonly pieces: Readonly<Record<string, number>>
  /** Token after each token; the end follows all others. `<start>` is the first token of every answer. */
  readonly next: Readonly<Record<string, string>>
  readonly modelType: 'marian' | 'm2m_100'
  readonly tokenizerClass: string
  /** Special tokens besides those of the end, of padding and of unknown characters. */
  readonly special?: readonly string[]
}

export function plantedTranslator(t: TestContext, { name, pieces, next, modelType, tokenizerClass, special = [] }: Plan): Files {
  const tokens = ['</s>', '<unk>', ',', ...Object.keys(pieces), ...special, '<pad>']
  const id = (token: string) => tokens.indexOf(token)
  const start = modelType === 'marian' ? '<pad>' : '</s>'
  const table = tokens.map(() => id('</s>'))
  for (const [token, following] of Object.entries(next)) table[id(token === '<start>' ? start : token)] = id(following)
  const added = ['</s>', '<unk>', ...special, '<pad>'].map((content) => ({
    id: id(content),
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }))
  const hidden: ValueShape = { name: 'encoder_hidden_states', type: 'float32', dims: ['batch', 'source', HEADS * SIZE] }
  const mask: ValueShape = { name: 'encoder_attention_mask', type: 'int64', dims: ['batch', 'source'] }
  const ids = { decoder_start_token_id: id(start), pad_token_id: id('<pad>'), eos_token_id: id('</s>') }
  return written(t, name, {
    'config.json': {
      model_type: modelType,
      architectures: [modelType === 'marian' ? 'MarianMTModel' : 'M2M100ForConditionalGeneration'],
      d_model: HEADS * SIZE,
      encoder_layers: 1,
      decoder_layers: 1,
      encoder_attention_heads: HEADS,
      decoder_attention_heads: HEADS,
      vocab_size: tokens.length,
      is_encoder_decoder: true,
      ...ids,
    },
    'generation_config.json': { ...ids, max_length: 512, forced_eos_token_id: id('</s>') },
    'tokenizer_config.json': {
      tokenizer_class: tokenizerClass,
      eos_token: '</s>',
      pad_token: '<pad>',
      unk_token: '<unk>',
      model_max_length: 512,
    },
    // The rules that the conversion script of the published files writes, the wrong id of the unknown token included.
    'tokenizer.json': {
      version: '1.0',
      added_tokens: added,
      normalizer: { type: 'Precompiled', precompiled_charsmap: null },
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', add_prefix_space: true }],
      },
      post_processor: {
        type: 'TemplateProcessing',
        single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '</s>', type_id: 0 } }],
        pair: [],
        special_tokens: { '</s>': { id: '</s>', ids: [id('</s>')], tokens: ['</s>'] } },
      },
      decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
      model: { type: 'Unigram', unk_id: 2, vocab: tokens.map((token) => [token, pieces[token] ?? (token === ',' ? -4 : 0)]) },
    },
    'onnx/encoder_model.onnx': model({
      inputs: [
        { name: 'input_ids', type: 'int64', dims: ['batch', 'source'] },
        { name: 'attention_mask', type: 'int64', dims: ['batch', 'source'] },
      ],
      outputs: [{ name: 'last_hidden_state', type: 'float32', dims: ['batch', 'source', HEADS * SIZE] }],
      nodes: [
        { op: 'Cast', inputs: ['input_ids'], outputs: ['floats'], attributes: { to: 1 } },
        { op: 'Unsqueeze', inputs: ['floats', 'last'], outputs: ['column'] },
        { op: 'Tile', inputs: ['column', 'times'], outputs: ['last_hidden_state'] },
      ],
      initializers: [
        { name: 'last', type: 'int64', dims: [1], values: [2] },
        { name: 'times', type: 'int64', dims: [3], values: [1, 1, HEADS * SIZE] },
      ],
    }),
    'onnx/decoder_model_merged.onnx': decoder(table, hidden, [mask]),
  })
}

type MarianPlan = { readonly pair?: string; readonly pieces?: Plan['pieces']; readonly next?: Plan['next'] }
/** A Marian network that answers "hallo welt" to everything, or what `next` says. */
export const plantedMarian = (t: TestContext, { pair = 'en-de', pieces, next }: MarianPlan = {}): Files =>
  plantedTranslator(t, {
    name: `opus-mt-${pair}`,
    pieces: pieces ?? { '▁hallo': -5, '▁welt': -5, '▁hello': -5 },
    next: next ?? { '<start>': '▁hallo', '▁hallo': '▁welt' },
    modelType: 'marian',
    tokenizerClass: 'MarianTokenizer',
  })

/** An M2M-100 network of German, English, Norwegian, Hebrew and Tagalog whose answer is the piece of its target language. */
export const plantedM2m = (t: TestContext): Files => {
  const languages = ['de', 'en', 'no', 'he', 'tl']
  const token = (language: string) => `__${language}__`
  return plantedTranslator(t, {
    name: 'm2m100-418m',
    pieces: { '▁hello': -5, ...Object.fromEntries(languages.map((language) => [`▁in-${language}`, -5])) },
    next: Object.fromEntries(languages.map((language) => [token(language), `▁in-${language}`])),
    modelType: 'm2m_100',
    tokenizerClass: 'M2M100Tokenizer',
    special: languages.map(token),
  })
}
