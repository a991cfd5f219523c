// Neural translation with a planted model and without a model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { m2m100, opusMt } from '#agent/engine/translate/neural/engine.ts'
import { MAX_TOKENS } from '#agent/engine/translate/neural/translator.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { eventsOf, resultOf } from '#test/agent/engine/audio/recording.ts'
import { failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { plantedM2m, plantedMarian } from '#test/agent/engine/runtimes/transformers/planted-translators.ts'

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

type Result = { texts: string[]; notices: string[] }
const runOf = async (engine: ReturnType<typeof opusMt.create>, params: object) =>
  resultOf<Result>(await eventsOf(engine.run('translate', { ...WISH, ...params }, signal, new Map())))

test('a text beyond the length of the network is translated to its end', async (t) => {
  const files = plantedMarian(t)
  const engine = opusMt.create({ filesOf: (_engine, model) => (model === 'opus-mt-en-de' ? files : null) })
  t.after(() => engine.unload())
  const { texts, notices } = await runOf(engine, { texts: [Array<string>(3_000).fill('hello').join(' ')] })
  const answers = texts[0]!.split('hallo welt').length - 1
  assert.ok(answers >= 3_000 / MAX_TOKENS && answers <= 16, `${answers} pieces were translated`)
  assert.deepEqual(notices, [])
})

test('a network that repeats itself is stopped', async (t) => {
  const files = plantedMarian(t, { next: { '<start>': '▁hallo', '▁hallo': '▁welt', '▁welt': '▁hallo' } })
  const engine = opusMt.create({ filesOf: () => files })
  t.after(() => engine.unload())
  const once = await runOf(engine, {})
  assert.ok(once.texts[0]!.split(' ').length <= 8, once.texts[0]!)
  assert.deepEqual(once.notices, [])
  const many = await runOf(engine, { texts: ['hello hello hello hello hello hello hello hello'] })
  assert.ok(many.texts[0]!.split(' ').length <= 3 * 8, 'the parts of an endless answer end')
  assert.deepEqual(many.notices, [])
})

test('a sentence that the network does not finish is named in a notice', async (t) => {
  const words = Array.from({ length: 40 }, (_, at) => `▁w${at}`)
  const following = words.map((word, at): [string, string] => [words[at - 1] ?? '<start>', word])
  const files = plantedMarian(t, { pieces: Object.fromEntries(words.map((word) => [word, -5])), next: Object.fromEntries(following) })
  const engine = opusMt.create({ filesOf: (_engine, model) => (model === 'opus-mt-en-de' ? files : null) })
  const { notices } = await runOf(engine, { texts: ['w1', '42'] })
  assert.deepEqual(notices, ['opus-mt did not finish 1 of the sentences. Their translation may be incomplete.'])
  await engine.unload()
})

test('Chinese is written without blanks between sentences', async (t) => {
  const pieces = { '▁hello': -5, '▁': -6, 你好: -5, '>>cmn_Hans<<': -100, '>>cmn_Hant<<': -100 }
  const files = plantedMarian(t, { pair: 'en-zh', pieces, next: { '<start>': '你好' } })
  const engine = opusMt.create({ filesOf: (_engine, model) => (model === 'opus-mt-en-zh' ? files : null) })
  t.after(() => engine.unload())
  assert.deepEqual((await runOf(engine, { target: 'zh', texts: ['Hello. Hello.'] })).texts, ['你好你好'])
  assert.deepEqual((await runOf(engine, { target: 'zh-TW' })).texts, ['你好'])
  const lacking = plantedMarian(t, { pair: 'en-zh' })
  const wrong = opusMt.create({ filesOf: () => lacking })
  t.after(() => wrong.unload())
  await assert.rejects(runOf(wrong, { target: 'zh' }), { code: 'MODEL_NOT_DOWNLOADED', message: />>cmn_Hans<</ })
})

test('m2m100 translates between the codes of the model, and refuses others before the model sees them', async (t) => {
  const files = plantedM2m(t)
  const engine = m2m100.create({ filesOf: () => files })
  t.after(() => engine.unload())
  for (const [source, target, answer] of [
    ['en', 'de', 'in-de'],
    ['eng', 'nb', 'in-no'],
    ['iw', 'fil', 'in-tl'],
    ['tl-PH', 'iw', 'in-he'],
  ] as const)
    assert.deepEqual((await runOf(engine, { source, target })).texts, [answer], `${source} to ${target}`)
  assert.deepEqual((await runOf(engine, { source: 'iw', target: 'he' })).texts, ['hello'])
  const [row] = engine.describe()
  assert.ok(row!.languages.includes('nb') && row!.languages.includes('zh') && !row!.languages.includes('*'))
  const closed = m2m100.create({ filesOf: () => null })
  for (const params of [{ source: 'tlh' }, { target: 'xx' }, { target: 'eo' }])
    await assert.rejects(runOf(closed, params), {
      code: 'INVALID_TASK_PARAMS',
      message: /does not support the language.*It supports af, am,/,
    })
})
