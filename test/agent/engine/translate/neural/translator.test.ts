// The tokens that reach the network, with the tokenizer rules of the published files, and what its answers may contain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPipeline } from '#agent/engine/runtimes/transformers/library.ts'
import { m2mCode, opusFraming } from '#agent/engine/translate/neural/families.ts'
import { createTranslator, MAX_TOKENS, repeats, type TranslationPipeline } from '#agent/engine/translate/neural/translator.ts'
import { plantedMarian } from '#test/agent/engine/runtimes/transformers/planted-translators.ts'

const { signal } = new AbortController()
const END = 0
const UNKNOWN = 1
/** Words are tokens; the id of a word is its length. */
const tokenizer: TranslationPipeline['tokenizer'] = {
  tokenize: (text) => text.split(' ').filter(Boolean),
  convert_tokens_to_ids: (token) => (token === '<unk>' ? UNKNOWN : token === 'unknown' ? undefined : token.length + 10),
  decode: (ids) => ids.map((id) => `t${id}`).join(' '),
  eos_token_id: END,
  unk_token: '<unk>',
}
type Generated = { ids: number[]; options: Record<string, unknown> }
/** Answers with its start and the given ids. */
function open(answer: (ids: number[]) => number[], framing: { first: string | null; start: string | null } = { first: null, start: null }) {
  const generated: Generated[] = []
  const generate = async ({ input_ids, attention_mask, ...options }: Record<string, unknown>) => {
    const ids = Array.from(input_ids as BigInt64Array, Number)
    assert.equal((attention_mask as BigInt64Array).length, ids.length)
    generated.push({ ids, options })
    return { data: BigInt64Array.from([END, ...answer(ids)], BigInt) }
  }
  const translator = createTranslator({
    pipeline: { tokenizer, model: { generate } },
    toTensor: (values, dims) => {
      assert.deepEqual(dims, [1, values.length])
      return values
    },
    framing,
    source: 'en',
    stopping: null,
    signal,
  })
  return { ...translator, generated }
}

test('every word of a long text reaches the network, in pieces that fit', async () => {
  const { translate, generated } = open(() => [11, END])
  const words = Array.from({ length: 3_000 }, (_, at) => 'x'.repeat(1 + (at % 7)))
  await translate(words.join(' '))
  assert.ok(generated.length >= 3_000 / MAX_TOKENS && generated.every(({ ids }) => ids.length <= MAX_TOKENS + 1))
  assert.deepEqual(
    generated.flatMap(({ ids }) => ids.slice(0, -1)),
    words.map((word) => word.length + 10),
  )
  assert.ok(generated.every(({ ids }) => ids.at(-1) === END))
})

test('a long sentence is cut at clauses', async () => {
  const { translate, generated } = open(() => [11, END])
  const clause = `${Array<string>(149).fill('word').join(' ')} word,`
  await translate(Array<string>(4).fill(clause).join(' '))
  assert.deepEqual(
    generated.map(({ ids }) => ids.length - 1),
    [300, 300],
  )
})

test('the limit of the answer follows the length of the input', async () => {
  const { translate, generated } = open(() => [11, END])
  await translate('one two three')
  await translate(Array<string>(390).fill('word').join(' '))
  assert.deepEqual(
    generated.map(({ options }) => [options['max_new_tokens'], options['no_repeat_ngram_size']]),
    [
      [33, 6],
      [500, 0],
    ],
  )
})

test('a sentence whose answer has no end is translated in halves, and counted if that does not help', async () => {
  const endless = open((ids) => Array<number>(3 * (ids.length - 1) + 24).fill(11))
  await endless.translate('one two three four')
  assert.deepEqual(
    endless.generated.map(({ ids }) => ids.length - 1),
    [4, 2, 2],
  )
  assert.equal(endless.unfinished(), 2)
  const long = open((ids) => (ids.length > 3 ? Array<number>(36).fill(11) : [12, END]))
  assert.equal(await long.translate('one two three four'), 't0 t12 t0 t0 t12 t0')
  assert.equal(long.unfinished(), 0)
})

test('the tokens of the languages frame the input', async () => {
  const { translate, generated } = open(() => [11, END], { first: 'abc', start: 'abcd' })
  await translate('word unknown')
  assert.deepEqual(generated[0]!.ids, [13, 14, UNKNOWN, END])
  assert.equal(generated[0]!.options['forced_bos_token_id'], 14)
  assert.equal(await translate('12:30'), '12:30')
  assert.equal(generated.length, 1)
})

test('the target token of Chinese is one id, which the tokenizer of the published files would split', async (t) => {
  const letters = Object.fromEntries([...'>cmnHas_<'].map((letter) => [letter, -7]))
  const pieces = { '▁hello': -5, '▁': -6, ...letters, '>>cmn_Hans<<': -100, 你好: -5 }
  const { pipeline, library } = await openPipeline<TranslationPipeline & { dispose: () => Promise<unknown> }>(
    'translation',
    plantedMarian(t, { pair: 'en-zh', pieces, next: { '<start>': '你好' } }),
  )
  t.after(() => pipeline.dispose())
  const id = (token: string) => pipeline.tokenizer.convert_tokens_to_ids(token)!
  assert.ok(pipeline.tokenizer.tokenize('>>cmn_Hans<< hello').length > 10, 'the library splits it')
  const seen: number[][] = []
  const model = {
    generate: (options: Record<string, unknown>) => {
      seen.push(Array.from((options['input_ids'] as { data: BigInt64Array }).data, Number))
      return pipeline.model.generate(options)
    },
  }
  const toTensor = (values: BigInt64Array, dims: readonly number[]) => new library.Tensor('int64', values, dims)
  const framing = opusFraming('en-zh', 'zh')
  const translator = createTranslator({
    pipeline: { ...pipeline, tokenizer: pipeline.tokenizer, model },
    toTensor,
    framing,
    source: 'en',
    stopping: null,
    signal,
  })
  assert.equal(await translator.translate('hello Ж'), '你好')
  assert.deepEqual(seen, [[id('>>cmn_Hans<<'), id('▁hello'), id('▁'), id('<unk>'), END]])
})

test('codes of languages and kinds of Chinese', () => {
  assert.deepEqual(['nb', 'iw', 'fil', 'tl', 'jw', 'nso', 'cmn', 'pt-BR', 'en_US', 'zh-Hant', 'nn', 'tlh', 'constructor'].map(m2mCode), [
    'no',
    'he',
    'tl',
    'tl',
    'jv',
    'ns',
    'zh',
    'pt',
    'en',
    'zh',
    null,
    null,
    null,
  ])
  assert.equal(opusFraming('en-zh', 'zh-CN').first, '>>cmn_Hans<<')
  assert.equal(opusFraming('en-zh', 'zh_TW').first, '>>cmn_Hant<<')
  assert.equal(opusFraming('zh-en', 'en').first, null)
})

test('repeated runs are found', () => {
  assert.equal(repeats([1, 2, 3, 1, 2, 3], 3), true)
  assert.equal(repeats([1, 2, 3, 1, 2, 4], 3), false)
  assert.equal(repeats([1, 12, 11, 2], 2), false)
})
