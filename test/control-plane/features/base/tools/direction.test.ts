// Directions: by their words, and by a language model that may answer anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceOf, replyTokens, textTokens } from '#control-plane/features/base/tools/direction/direction.rules.ts'
import { createDirection } from '#control-plane/features/base/tools/direction/direction.service.ts'
import { SYNONYMS, TAXONOMY } from '#control-plane/features/base/tools/direction/taxonomy.ts'
import { LlmFailure } from '#control-plane/llm/failure.ts'

const signal = new AbortController().signal
function withModel(answer: (() => Promise<string>) | null) {
  const asked: string[] = []
  const skills = {
    state: () => ({ ready: answer !== null, reason: answer ? null : ('no_provider' as const) }),
    ask: async (id: string, { messages }: { messages: readonly { content: string }[] }) => {
      asked.push(`${id}: ${messages.at(-1)!.content}`)
      return { text: await answer!(), model: 'm', latencyMs: 1 }
    },
  }
  return { asked, direction: createDirection({ skills }) }
}

test('words and synonyms become tokens in the order of the taxonomy', () => {
  for (const [text, tokens] of [
    ['Urgent and surprised', { energy: ['urgent'], emotion: ['surprised'] }],
    ['softly, SLOWLY; a bit sad…', { emotion: ['sad'], pace: ['slow'], intimacy: ['intimate'] }],
    ['Laid-back but formal', { energy: ['relaxed'], formality: ['formal'] }],
    ['frantic, calm', { energy: ['calm', 'frantic'] }],
    ['neutral', { emotion: ['neutral'] }],
    ['not angry, never too fast, without any fear; not at all sad, just warm', { emotion: ['warm'] }],
    ['unfriendly scold slowness', {}],
    ['', {}],
    ['灰色の声', {}],
  ] as const)
    assert.deepEqual(textTokens(text), tokens, text)
})

test('every synonym belongs to a value of the taxonomy, and to one only', () => {
  const seen = new Set(Object.values(TAXONOMY).flat() as string[])
  for (const [key, words] of Object.entries(SYNONYMS)) {
    const [dimension, value] = key.split('.') as [keyof typeof TAXONOMY, string]
    assert.ok((TAXONOMY[dimension] as readonly string[]).includes(value), key)
    for (const word of words) {
      assert.ok(!seen.has(word), word)
      seen.add(word)
    }
  }
})

test('the advice names each word once and has one of three rates', () => {
  const advice = adviceOf({ energy: ['calm'], emotion: ['neutral'], pace: ['conversational'], intimacy: ['conversational'] })
  assert.equal(advice.instruct_prompt, 'neutral, calm, conversational')
  assert.match(advice.translate_hint, /neutral, calm, conversational/)
  assert.equal(advice.rate_bias, 0.92)
  assert.equal(adviceOf({ energy: ['calm'], pace: ['rushed'] }).rate_bias, 1.1)
  assert.deepEqual(adviceOf({}), { instruct_prompt: '', translate_hint: '', rate_bias: 1 })
})

test('of a reply only values of the taxonomy are kept', () => {
  assert.deepEqual(replyTokens('Sure! ```json\n{"emotion": ["SAD ", "evil"], "pace": null, "mood": ["x"], "energy": []}\n```'), {
    emotion: ['sad'],
  })
  for (const reply of [
    '',
    'no json',
    '[]',
    '{"emotion": "sad"}',
    '{"emotion": [1]}',
    '{',
    `{"emotion": ["${'x'.repeat(20_000)}"]}`,
    'null',
    '}{',
  ])
    assert.equal(replyTokens(reply), null, reply.slice(0, 40))
  assert.deepEqual(replyTokens('{"__proto__": ["sad"], "constructor": ["sad"]}'), {})
})

test('a model that is ready is asked; its failures are named and the words are used', async () => {
  const good = withModel(async () => '{"emotion":["hopeful"]}')
  const read = await good.direction.parse('as if the sun rises', signal)
  assert.deepEqual([read.method, read.error, read.tokens, read.instruct_prompt], ['llm', null, { emotion: ['hopeful'] }, 'hopeful'])
  assert.deepEqual(good.asked, ['direction_parse: as if the sun rises'])
  assert.deepEqual(read.taxonomy, TAXONOMY)

  const off = await withModel(null).direction.parse('sad', signal)
  assert.deepEqual([off.method, off.error, off.tokens], ['heuristic', null, { emotion: ['sad'] }])
  const blank = withModel(async () => '{}')
  await blank.direction.parse('  ', signal)
  assert.deepEqual(blank.asked, [])
  for (const [answer, error] of [
    [async () => 'I cannot do that.', /requested JSON/],
    [() => Promise.reject(new LlmFailure('auth')), /rejected the key/],
    [() => Promise.reject(new LlmFailure('network')), /cannot be reached/],
  ] as const) {
    const failed = await withModel(answer).direction.parse('sad', signal)
    assert.deepEqual([failed.method, failed.tokens], ['heuristic', { emotion: ['sad'] }])
    assert.match(failed.error!, error)
  }
  await assert.rejects(withModel(() => Promise.reject(new Error('a fault'))).direction.parse('sad', signal), /a fault/)
})
