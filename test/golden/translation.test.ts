// The tokens and the answers of translation models against transformers 5.24.0: a MarianTokenizer whose SentencePiece model was trained on
// documents of this project, in the form that the published conversion has, and greedy decoding with its processors of logits.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { openPipeline } from '#agent/engine/runtimes/transformers/library.ts'
import { createTranslator, type TranslationPipeline } from '#agent/engine/translate/neural/translator.ts'
import { HEADS, SIZE } from '../agent/engine/runtimes/transformers/planted.ts'
import { plantedMarian } from '../agent/engine/runtimes/transformers/planted-translators.ts'
import { model } from '../support/models/onnx-graph.ts'
import { golden } from './golden.ts'

type Golden = {
  readonly vocabulary: readonly (readonly [piece: string, score: number])[]
  readonly texts: readonly (readonly [text: string, ids: number[]])[]
  readonly generation: {
    readonly size: number
    readonly pad: number
    readonly end: number
    /** Logits after each token, for each seed. */
    readonly tables: readonly (readonly number[][])[]
    readonly runs: readonly {
      readonly seed: number
      readonly ngram: number
      readonly forced: number | null
      readonly most: number
      readonly ids: number[]
    }[]
  }
}
const { vocabulary, texts, generation } = golden<Golden>('translation.json')
type Pipe = TranslationPipeline & { readonly dispose: () => Promise<unknown> }
const { signal } = new AbortController()

/** A Marian network with these pieces, in which `logits` decides what follows a token. */
async function opened(t: TestContext, pieces: Golden['vocabulary'], logits: readonly (readonly number[])[] | null) {
  const files = plantedMarian(t)
  const id = (token: string) => pieces.findIndex(([piece]) => piece === token)
  const special = ['</s>', '<unk>', '<pad>']
  const ids = { decoder_start_token_id: id('<pad>'), pad_token_id: id('<pad>'), eos_token_id: id('</s>'), vocab_size: pieces.length }
  const sizes = { model_type: 'marian', architectures: ['MarianMTModel'], d_model: HEADS * SIZE, encoder_layers: 1, decoder_layers: 1 }
  const heads = { encoder_attention_heads: HEADS, decoder_attention_heads: HEADS, is_encoder_decoder: true }
  const write = (name: string, content: object) => writeFileSync(files.get(name)!, JSON.stringify(content))
  write('config.json', { ...sizes, ...heads, ...ids })
  write('generation_config.json', {
    ...ids,
    max_length: 512,
    forced_eos_token_id: id('</s>'),
    bad_words_ids: [[id('<pad>')]],
    num_beams: 4,
  })
  const flags = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false }
  write('tokenizer.json', {
    version: '1.0',
    added_tokens: special.map((content) => ({ id: id(content), content, ...flags })),
    normalizer: { type: 'Precompiled', precompiled_charsmap: null },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', add_prefix_space: true }],
    },
    post_processor: { type: 'TemplateProcessing', single: [{ Sequence: { id: 'A', type_id: 0 } }], pair: [], special_tokens: {} },
    decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
    model: { type: 'Unigram', unk_id: 2, vocab: pieces },
  })
  if (logits) writeFileSync(files.get('onnx/decoder_model_merged.onnx')!, tableDecoder(logits))
  const { pipeline, library } = await openPipeline<Pipe>('translation', files)
  t.after(() => pipeline.dispose())
  return { pipeline, library }
}

function tableDecoder(logits: readonly (readonly number[])[]): Uint8Array {
  const cache = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']
  const shape = (name: string) => ({ name, type: 'float32' as const, dims: ['batch', HEADS, `length of ${name}`, SIZE] })
  return model({
    inputs: [
      { name: 'input_ids', type: 'int64', dims: ['batch', 'tokens'] },
      { name: 'encoder_hidden_states', type: 'float32', dims: ['batch', 'source', HEADS * SIZE] },
      { name: 'encoder_attention_mask', type: 'int64', dims: ['batch', 'source'] },
      ...cache.map((name) => shape(`past_key_values.0.${name}`)),
      { name: 'use_cache_branch', type: 'bool', dims: [1] },
    ],
    outputs: [
      { name: 'logits', type: 'float32', dims: ['batch', 'tokens', logits.length] },
      ...cache.map((name) => shape(`present.0.${name}`)),
    ],
    nodes: [
      { op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['logits'] },
      ...cache.map((name) => ({ op: 'Identity', inputs: [`past_key_values.0.${name}`], outputs: [`present.0.${name}`] })),
    ],
    initializers: [{ name: 'table', type: 'float32', dims: [logits.length, logits.length], values: logits.flat() }],
  })
}

test('a text has the ids of the reference', async (t) => {
  const { pipeline } = await opened(t, vocabulary, null)
  const seen: number[][] = []
  const generate = async ({ input_ids }: Record<string, unknown>) => {
    seen.push(Array.from(input_ids as BigInt64Array, Number))
    return { data: BigInt64Array.of(0n) }
  }
  const translator = createTranslator({
    pipeline: { tokenizer: pipeline.tokenizer, model: { generate } },
    toTensor: (values) => values,
    framing: { first: null, start: null },
    stopping: null,
    signal,
  })
  assert.equal(texts.length, 60)
  for (const [text, ids] of texts) {
    seen.length = 0
    await translator.translate(text)
    assert.deepEqual(
      seen.flatMap((framed) => framed.slice(0, -1)),
      ids,
      text,
    )
  }
})

test('an answer has the tokens of the reference: greedy, with its penalties and forced tokens', async (t) => {
  const { size, tables, runs, end, pad } = generation
  const pieces = Array.from({ length: size }, (_, at): [string, number] => [at === end ? '</s>' : at === pad ? '<pad>' : at === 1 ? '<unk>' : `▁t${at}`, -5]) // biome-ignore format: one line
  for (const [seed, table] of tables.entries()) {
    const { pipeline, library } = await opened(t, pieces, table)
    const tensor = (values: readonly number[]) => new library.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
    for (const { ngram, forced, most, ids } of runs.filter((run) => run.seed === seed)) {
      const answer = await pipeline.model.generate({
        input_ids: tensor([3, 4, end]),
        attention_mask: tensor([1, 1, 1]),
        max_new_tokens: most,
        no_repeat_ngram_size: ngram,
        ...(forced !== null && { forced_bos_token_id: forced }),
      })
      assert.deepEqual(Array.from(answer.data, Number), ids, `seed ${seed}, ${ngram}, ${forced}`)
    }
  }
})
