// Translation by the engines of this machine: what they say, and an engine that fails, reach the user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalService, localRoute } from '#control-plane/features/listening/translation/providers/local.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { offer } from '#test/support/doubles/offers.ts'

test('while the agent of this machine is not connected, no pair of languages is refused', () => {
  assert.throws(() => localRoute([], 'de', 'en', null), { code: 'NOT_READY' })
  assert.throws(() => localRoute([offer({ workerId: 'w1', operation: 'translate' })], 'de', 'en', null), { code: 'NOT_READY' })
  assert.equal(localRoute([offer({ operation: 'tts' })], 'de', 'en', null), null)
})

const row = (engine: string, model: string, ...languages: string[]) => offer({ operation: 'translate', engine, model, languages })
const offered = () => [row('opus-mt', '', 'de', 'en'), row('opus-mt', 'opus-mt-de-en', 'de', 'en'), row('m2m100', '', 'de', 'en', 'es')]
const caller = { signal: new AbortController().signal, traceparent: '' }
const order = { texts: ['Hallo.', 'Tschüss.'], source: 'de', target: 'en', context: '' }

test('an engine that fails is named together with the one that translated, and so are the notices of engines', async () => {
  const run = async ({ engine, params }: { engine: string; params: { texts: string[] } }) => {
    if (engine === 'opus-mt') throw new Failure('ENGINE_CRASHED', 'The engine process died.')
    return { texts: params.texts.map((text) => `en:${text}`), notices: ['A word was unknown.'] }
  }
  const service = createLocalService({ offered, inference: { run } as never }, null)
  const { answers, notices } = await service.translate(order, caller)
  assert.deepEqual(answers, [{ text: 'en:Hallo.' }, { text: 'en:Tschüss.' }])
  assert.deepEqual(notices, ['opus-mt did not translate de to en: The engine process died.', 'A word was unknown.'])
})
