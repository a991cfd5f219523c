// Lines that have to fit into a slot, with a language model that may answer anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf, ratioOf } from '#control-plane/features/base/tools/rate-fit/rate-fit.rules.ts'
import { createRateFit } from '#control-plane/features/base/tools/rate-fit/rate-fit.service.ts'
import { LlmFailure } from '#control-plane/llm/failure.ts'

const signal = new AbortController().signal
type Answer = string | LlmFailure
function withModel(answers: readonly Answer[] | null, millisecondsEach = 0) {
  const asked: string[] = []
  let now = 0
  const skills = {
    state: () => ({ ready: answers !== null, reason: null }),
    ask: async (_id: string, { messages }: { messages: readonly { content: string }[] }) => {
      const answer = answers![asked.length]!
      asked.push(messages.at(-1)!.content)
      now += millisecondsEach
      if (answer instanceof LlmFailure) throw answer
      return { text: answer, model: 'm', latencyMs: 1 }
    },
  }
  const { fit } = createRateFit({ skills, clock: { mono: () => now } })
  return {
    asked,
    fit: (text: string, slot_seconds: number, target_lang = 'en') =>
      fit({ text, slot_seconds, target_lang, source_text: 'Quelle' }, signal),
  }
}
/** A line of as many characters. */
const chars = (count: number) => 'x'.repeat(count)

test('the speaking time depends on the language and counts characters, not code units', () => {
  assert.equal(ratioOf(chars(30), 2, 'en'), 1)
  assert.equal(ratioOf(chars(30), 2, 'en-GB'), 1)
  assert.equal(ratioOf(chars(12), 1, 'ZH_cn'), 2)
  assert.equal(ratioOf('😀'.repeat(13), 1, 'unknown language'), 1)
})

test('a line that fits is returned unchanged, without asking', async () => {
  for (const count of [28, 30, 32]) {
    const model = withModel([])
    assert.deepEqual(await model.fit(chars(count), 2), {
      text: chars(count),
      rate_ratio: Math.round((count / 30) * 1000) / 1000,
      attempts: 0,
    })
    assert.deepEqual(model.asked, [])
  }
})

test('a line that is far too short, or no model: the unchanged line and the reason', async () => {
  assert.deepEqual(await withModel([]).fit('Hi.', 10), { text: 'Hi.', rate_ratio: 0.02, attempts: 0, error: 'fit-skip-short' })
  assert.deepEqual(await withModel([]).fit('', 10), { text: '', rate_ratio: 0, attempts: 0, error: 'fit-skip-short' })
  assert.deepEqual(await withModel(null).fit(chars(60), 2), { text: chars(60), rate_ratio: 2, attempts: 0, error: 'no-llm' })
})

test('the model is asked until the line fits; unusable replies cost an attempt', async () => {
  const model = withModel(['', ` "${chars(40)}"\n`, chars(31)])
  assert.deepEqual(await model.fit(chars(60), 2), { text: chars(31), rate_ratio: 1.033, attempts: 3 })
  assert.match(model.asked[0]!, /Source, for its meaning: Quelle/)
  assert.match(model.asked[2]!, /about 30 characters. The line has 40/, 'the best line so far is improved')
})

test('failures keep the best line and name the reason', async () => {
  assert.deepEqual(await withModel([chars(45), new LlmFailure('rate_limit')]).fit(chars(60), 2), {
    ...{ text: chars(45), rate_ratio: 1.5, attempts: 2, error: 'fit-provider-failed' },
  })
  assert.deepEqual(await withModel([chars(100), chars(200), chars(3)]).fit(chars(60), 2), {
    ...{ text: chars(60), rate_ratio: 2, attempts: 3, error: 'fit-budget' },
  })
  const slow = withModel([chars(50), chars(45), chars(40)], 30_000)
  assert.deepEqual(await slow.fit(chars(60), 2), { text: chars(45), rate_ratio: 1.5, attempts: 2, error: 'fit-budget' })
})

test('a reply is a line of a similar length, without control characters', () => {
  assert.equal(lineOf('“Kurz und gut.”', 'Short and good.'), 'Kurz und gut.')
  for (const reply of ['', '  ', '""', 'a\0b c d e f', 'x'.repeat(31), 'x'.repeat(1_000_000), 'xyz'])
    assert.equal(lineOf(reply, 'Short and good.'), null, reply.slice(0, 20))
})
