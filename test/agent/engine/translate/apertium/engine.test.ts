// Apertium where it is installed, the parser of its list, and the capability where it is not installed.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { apertium } from '#agent/engine/translate/apertium/engine.ts'
import { findPair, pairName, parsePairs, shortCode } from '#agent/engine/translate/apertium/pairs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { eventsOf, resultOf } from '#test/agent/engine/audio/recording.ts'
import { failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { programFolder } from '#test/support/world/programs.ts'

const path = process.env['PATH'] ?? ''
const engine = apertium.create({ path })
const has = findProgram('apertium', path) && engine.describe().some(({ model }) => model === 'en-es')
const options = { skip: !has && 'apertium-eng-spa is not installed' }
const { signal } = new AbortController()
const translate = async (texts: string[], source = 'en', target = 'es') =>
  resultOf<{ texts: string[] }>(await eventsOf(engine.run('translate', { texts, source, target }, signal, new Map()))).texts
const refusal = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && words.test(error.message)

test('modes are parsed to pairs without regions and stages', () => {
  const pairs = parsePairs([
    'README',
    'eng-spa.mode',
    'spa-eng.mode',
    'spa-eng_US.mode',
    'en-gl.mode',
    'eng-spa-tagger.mode',
    '../x-y.mode',
  ])
  assert.deepEqual(pairs.map(pairName), ['en-gl', 'en-es', 'es-en'])
  assert.equal(findPair(pairs, 'eng', 'es-419')?.mode, 'eng-spa')
  assert.equal(findPair(pairs, 'es', 'gl'), undefined)
  assert.deepEqual(['EN_us', 'no', 'nob', 'iw', 'hbs', 'sh'].map(shortCode), ['en', 'nb', 'nb', 'he', 'sh', 'sh'])
})

test('a missing program or pair is reported with a remedy', async (t) => {
  const [absent, ...more] = apertium.create({ path: '' }).describe()
  assert.ok(!absent!.installed && more.length === 0 && /studio setup/.test(absent!.reason!))
  const folder = mkdtempSync(join(tmpdir(), 'studio-apertium-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const bin = programFolder(join(folder, 'bin'), { apertium: '' }, [])
  assert.match(apertium.create({ path: bin }).describe()[0]!.reason!, /no language pair on this machine/)
  mkdirSync(join(folder, 'share/apertium/modes'), { recursive: true })
  writeFileSync(join(folder, 'share/apertium/modes/fra-cat.mode'), '')
  const [row, pair] = apertium.create({ path: bin }).describe()
  assert.ok(row!.installed && row!.reason === undefined)
  assert.deepEqual(row!.languages, ['ca', 'fr'])
  assert.equal(pair!.model, 'fr-ca')

  const { pool } = await openPool(t, { environment: { PATH: '/nowhere' } })
  const params = { texts: ['hello'], source: 'en', target: 'es' }
  const run = pool.run({ id: 'test', engine: 'apertium', model: '', operation: 'translate', params, signal })
  assert.match((await failsWith(run, 'MODEL_NOT_INSTALLED')).message, /apertium is not installed/)
})

test('translates both ways, each text in its place', options, async () => {
  const [hello, empty, number, house] = await translate(['Hello, my friend.', '', '42', 'This is a big house.'])
  assert.match(hello!, /^Hola, mi amigo\.$/)
  assert.equal(empty, '')
  assert.equal(number, '42')
  assert.match(house!, /casa/)
  assert.match((await translate(['El niño come una manzana.'], 'es', 'en'))[0]!, /boy eats an apple/)
  assert.deepEqual(await translate(['Same.'], 'en', 'en-GB'), ['Same.'])
})

test('many texts in one call stay separate', options, async () => {
  const texts = Array.from(
    { length: 60 },
    (_, index) => ['One red house.', 'First line\n\nsecond line', '- Yes?\r\n- No!', '[x] <i>cat</i> ^a$ @/\\'][index % 4]!,
  )
  const together = await translate(texts)
  assert.equal(together.length, texts.length)
  for (const [index, text] of texts.slice(0, 4).entries()) {
    const [alone] = await translate([text])
    assert.equal(together[index], alone, text)
  }
  assert.match(together[3]!, /<i>gato<\/i>/i)
})

test('text is never interpreted as commands', options, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-apertium-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await translate([`$(touch ${folder}/a) \`touch ${folder}/b\`; touch ${folder}/c | touch ${folder}/d`, '--help', '-d /etc'])
  assert.deepEqual(readdirSync(folder), [])
})

test('rejects unsupported pairs and invalid tags', options, async () => {
  await assert.rejects(translate(['hello'], 'en', 'de'), refusal('INVALID_TASK_PARAMS', /from en to de on this machine\. It has .*\ben-es/))
  await assert.rejects(translate(['hello'], '../x', 'es'), refusal('INVALID_TASK_PARAMS', /source/))
  await assert.rejects(translate(['hello'], 'en', 'es; rm -rf'), refusal('INVALID_TASK_PARAMS', /target/))
  await assert.rejects(translate([]), refusal('INVALID_TASK_PARAMS', /texts/))
  await assert.rejects(eventsOf(engine.run('tts', {}, signal, new Map())), refusal('OPERATION_UNSUPPORTED', /tts/))
})

test('can be cancelled', options, async () => {
  const abort = new AbortController()
  const texts = Array.from({ length: 2_000 }, () => 'The boy eats an apple in the big house by the river.')
  const run = engine.run('translate', { texts, source: 'en', target: 'es' }, abort.signal, new Map())[Symbol.asyncIterator]()
  await run.next()
  abort.abort()
  await assert.rejects(run.next())
})
