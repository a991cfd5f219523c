// Neural translation with a planted model and without a model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opusMt } from '#agent/engine/engines/translate/neural/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { eventsOf, resultOf } from '#test/agent/engine/audio/recording.ts'
import { failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { plantedMarian } from '#test/agent/engine/runtimes/transformers/planted.ts'

const { signal } = new AbortController()
const WISH = { texts: ['hello'], source: 'en', target: 'de' }

test('without files, the capability and the failure name the missing model', async (t) => {
  const { pool } = await openPool(t)
  for (const engine of ['opus-mt', 'm2m100']) {
    const row = (await pool.capabilities()).find((one) => one.engine === engine)!
    assert.ok(row.supported && row.installed && !row.downloaded && /downloaded/.test(row.reason!))
    const run = pool.run({ id: 'test', engine, model: '', operation: 'translate', params: WISH, signal })
    await failsWith(run, 'MODEL_NOT_DOWNLOADED')
  }
})

test('a model with the real file names is loaded and translates sentence by sentence', async (t) => {
  const files = plantedMarian(t)
  const engine = opusMt.create({ filesOf: (_engine, model) => (model === 'opus-mt-en-de' ? files : null) })
  assert.deepEqual(engine.describe()[0]!.languages, ['de', 'en'])
  const translate = async (more: object) =>
    resultOf<{ texts: string[] }>(await eventsOf(engine.run('translate', { ...WISH, ...more }, signal, new Map()))).texts
  assert.deepEqual(await translate({ texts: ['hello', 'Hello. Hello!', '42', ''] }), ['hallo welt', 'hallo welt hallo welt', '42', ''])
  await assert.rejects(
    translate({ target: 'fr' }),
    (error) => error instanceof Failure && error.code === 'INVALID_TASK_PARAMS' && /en-de/.test(error.message),
  )
  assert.deepEqual(
    engine.describe().map(({ model, languages }) => [model, languages]),
    [
      ['', ['de', 'en']],
      ['opus-mt-en-de', ['de', 'en']],
    ],
  )
  const named = async (model: string, more: object = {}) => {
    await engine.load(model)
    return resultOf<{ texts: string[] }>(await eventsOf(engine.run('translate', { ...WISH, ...more }, signal, new Map(), model))).texts
  }
  assert.deepEqual(await named('opus-mt-en-de'), ['hallo welt'])
  await assert.rejects(named('opus-mt-en-de', { target: 'fr' }), { code: 'INVALID_TASK_PARAMS' })
  await assert.rejects(named('opus-mt-en-fr'), { code: 'MODEL_NOT_DOWNLOADED' })
  await engine.unload()
  assert.deepEqual(await translate({ source: 'en-US', target: 'de-AT' }), ['hallo welt'])
  await engine.unload()
})
