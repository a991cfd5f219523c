// Language identification by the real library with planted networks, also in a real host; damaged files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readersOf } from '#agent/engine/catalog/catalog.ts'
import type { PoolEvent } from '#agent/engine/host/pool.ts'
import { languageIdentifier } from '#agent/engine/identify/whisper/engine.ts'
import type { SherpaLibrary } from '#agent/engine/runtimes/sherpa/library.ts'
import type { IdentifyResult } from '#shared/operations/identify.ts'
import { asAudio, eventsOf, join, resultOf } from '#test/agent/engine/audio/recording.ts'
import { asGiven, failsWith, nextOf, openPool } from '#test/agent/engine/host/open-pool.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { modelsFolder } from '#test/agent/engine/runtimes/sherpa/models-folder.ts'
import { plantedWhisper, whisperEncoder } from '#test/agent/engine/runtimes/sherpa/planted-whisper.ts'
import { MODEL, open, rejectsDamaged } from './damaged.ts'

const { signal } = new AbortController()
const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / 16_000))
const silence = (seconds: number) => new Float32Array(seconds * 16_000)
const GERMAN = tone(300, 3)
const FRENCH = tone(6_000, 3)
const identified = async (engine: ReturnType<typeof open>, samples: Float32Array) =>
  resultOf<IdentifyResult>(await eventsOf(engine.run('identify', {}, signal, asAudio(samples), MODEL)))

test('returns the language of the first half minute of sound, none for silence', async (t) => {
  const engine = open(t)
  const [row, ...others] = engine.describe()
  assert.ok(row!.supported && row!.installed && row!.downloaded && row!.reason === undefined)
  assert.deepEqual([row!.engine, row!.model, row!.operation, others.length], ['sherpa-onnx-lid', MODEL, 'identify', 0])
  assert.deepEqual(await identified(engine, GERMAN), { language: 'de', seconds: 3 })
  assert.deepEqual(await identified(engine, FRENCH), { language: 'fr', seconds: 3 })
  const late = await identified(engine, join([silence(35), tone(6_000, 35), tone(300, 10)]))
  assert.deepEqual(late, { language: 'fr', seconds: 29 }, 'what comes after the window is not looked at, silence before it does not count')
  assert.deepEqual(await identified(engine, silence(40)), { language: '', seconds: 0 })
  assert.equal((await identified(engine, GERMAN.subarray(0, 10))).language, '', 'too short to be given to the library')
  const progress = (await eventsOf(engine.run('identify', {}, signal, asAudio(GERMAN), MODEL))).flatMap((event) =>
    event.kind === 'progress' ? [event.progress] : [],
  )
  assert.deepEqual(progress, [0, 1])
  await engine.unload()
  assert.equal((await identified(engine, GERMAN)).language, 'de', 'it is opened again')
})

test('an unknown language code is returned as no language', async (t) => {
  const engine = open(t, { 'tiny-encoder.int8.onnx': whisperEncoder({ all_language_codes: ['de', 'haw'] }) })
  assert.deepEqual(await identified(engine, FRENCH), { language: '', seconds: 3 })
  assert.equal((await identified(engine, GERMAN)).language, 'de')
})

test('wrong requests are rejected with the field', async (t) => {
  const engine = open(t)
  const run = (params: object, inputs = asAudio(GERMAN), operation = 'identify', model = MODEL) =>
    eventsOf(engine.run(operation, params, signal, inputs, model))
  await assert.rejects(run({ model_path: '/etc/passwd' }), { code: 'INVALID_TASK_PARAMS', message: /model_path/ })
  await assert.rejects(run({}, new Map()), { code: 'INVALID_TASK_PARAMS', message: /audio/ })
  await assert.rejects(run({}, new Map([['audio', Buffer.from('RIFF')]])), { code: 'INVALID_TASK_PARAMS', message: /audio/ })
  await assert.rejects(run({}, asAudio(GERMAN), 'asr'), { code: 'OPERATION_UNSUPPORTED' })
  await assert.rejects(run({}, asAudio(GERMAN), 'identify', 'parakeet-tdt-v3'), { code: 'MODEL_REF_REJECTED' })
})

// All of them: test/long/units/damaged.test.ts.
test('damaged files are rejected by name without ending this process', async (t) => {
  await rejectsDamaged(t, 4)
  const nothing = languageIdentifier.create({ filesOf: () => null })
  await assert.rejects(nothing.load(MODEL), { code: 'MODEL_NOT_DOWNLOADED' })
  assert.match(nothing.describe()[0]!.reason!, /whisper-tiny.*Download it for dictation/)
})

test('a run that is cancelled early does not call the library', async (t) => {
  let asked = 0
  const library = { identifier: () => ({ language: () => String(asked++) }) } as unknown as SherpaLibrary
  const files = filesIn(t, plantedWhisper())
  const engine = languageIdentifier.create(
    { filesOf: () => files },
    async () => library,
    async () => {},
  )
  const abort = new AbortController()
  const run = engine.run('identify', {}, abort.signal, asAudio(GERMAN), MODEL)[Symbol.asyncIterator]()
  assert.equal((await run.next()).value.kind, 'progress')
  const next = run.next()
  abort.abort()
  await assert.rejects(next)
  assert.equal(asked, 0)
})

test('a separate host keeps the model of the recogniser; a cancelled run frees its permit and the next one succeeds', async (t) => {
  const { pool, hosts } = await openPool(t, { modelsFolder: modelsFolder(t, MODEL, plantedWhisper()) })
  const run = (operation: string, engine: string, samples: Float32Array, stop = signal) =>
    pool.run({ id: 'test', engine, model: MODEL, operation, params: {}, signal: stop, inputs: asGiven(asAudio(samples)) })
  assert.equal((await resultAfter<{ text: string }>(run('asr', 'sherpa-onnx-asr', FRENCH))).text, 'li')
  assert.deepEqual(await resultAfter(run('identify', 'sherpa-onnx-lid', FRENCH)), { language: 'fr', seconds: 3 })
  assert.deepEqual(pool.resident().sort(), [`sherpa-onnx-asr:${MODEL}`, `sherpa-onnx-lid:${MODEL}`])
  assert.equal(hosts.length, 2)
  const abort = new AbortController()
  // Long enough to be read that it cannot be through before it is stopped.
  const stopped = run('identify', 'sherpa-onnx-lid', join([silence(600), GERMAN]), abort.signal)
  await nextOf(stopped, 'running')
  abort.abort()
  await failsWith(stopped, 'CANCELLED')
  assert.equal(pool.freePermits('sherpa-onnx-lid', MODEL), 1)
  assert.deepEqual(await resultAfter(run('identify', 'sherpa-onnx-lid', GERMAN)), { language: 'de', seconds: 3 })
  // On a busy machine the run may be too slow to stop, and its host is replaced.
  assert.ok(hosts.length >= 2)
  assert.ok(pool.resident().includes(`sherpa-onnx-asr:${MODEL}`), 'the recogniser still has its model')
})

test('a real host survives files that end the process of the library', async (t) => {
  const english = { ...plantedWhisper(), 'tiny-encoder.int8.onnx': whisperEncoder({ is_multilingual: 0 }) }
  const { pool, hosts } = await openPool(t, { modelsFolder: modelsFolder(t, MODEL, english) })
  const run = () =>
    pool.run({
      id: 'test',
      engine: 'sherpa-onnx-lid',
      model: MODEL,
      operation: 'identify',
      params: {},
      signal,
      inputs: asGiven(asAudio(GERMAN)),
    })
  for (let time = 0; time < 2; time++) assert.match((await failsWith(run(), 'MODEL_NOT_DOWNLOADED')).message, /multilingual/)
  assert.equal(hosts.length, 1)
  const elsewhere = await openPool(t)
  const row = (await elsewhere.pool.capabilities()).find(({ engine }) => engine === 'sherpa-onnx-lid')!
  assert.ok(row.supported && row.installed && !row.downloaded && /not downloaded/.test(row.reason!))
})

test('before a dictation model is removed, all engines that may have it open are unloaded', () => {
  assert.deepEqual(readersOf('sherpa-onnx-asr'), ['sherpa-onnx-asr', 'nemo-parakeet', 'sherpa-onnx-lid'])
  assert.deepEqual(readersOf('kokoro'), ['kokoro'])
})

async function resultAfter<T>(run: AsyncIterable<PoolEvent>): Promise<T> {
  const events: PoolEvent[] = []
  for await (const event of run) events.push(event)
  return (events.at(-1) as unknown as { result: T }).result
}
