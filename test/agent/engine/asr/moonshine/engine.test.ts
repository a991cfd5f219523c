// Moonshine with a planted model, with a fake pipeline, in a real host, and without a model.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { moonshine, type Pipe } from '#agent/engine/asr/moonshine/engine.ts'
import { loadTransformers } from '#agent/engine/runtimes/transformers/library.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { asAudio, eventsOf, join as joined, noise, resultOf } from '#test/agent/engine/audio/recording.ts'
import { asGiven, failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { moonshineContents, plantedMoonshine } from '#test/agent/engine/runtimes/transformers/planted-moonshine.ts'
import { placeModel } from '#test/support/models/place-model.ts'

type Result = {
  text: string
  language: string
  duration: number
  segments: { start: number; end: number; text: string }[]
  notices: string[]
}
const { signal } = new AbortController()
const loud = (seconds: number) => noise(Math.round(16_000 * seconds), 0.3, 1)
const quiet = (seconds: number) => noise(Math.round(16_000 * seconds), 0.02, 2)
const silence = (seconds: number) => new Float32Array(Math.round(16_000 * seconds))
const only = (files: ReadonlyMap<string, string>) => ({
  filesOf: (engine: string, model: string) => (engine === 'moonshine' && model === '' ? files : null),
})
const refusal = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && words.test(error.message)
/** An engine over a pipeline that is played, in the real library. */
const played = (play: (samples: Float32Array, options: Record<string, unknown>) => string) =>
  moonshine.create(only(new Map()), async () => ({
    library: await loadTransformers(),
    pipeline: Object.assign(async (samples: Float32Array, options: Record<string, unknown>) => ({ text: play(samples, options) }), {
      dispose: async () => {},
    }) satisfies Pipe,
  }))

test('the test files have the names of the catalogue', () => {
  const [{ files } = { files: [] }] = CATALOGUE.find(({ engine }) => engine === 'moonshine')!.sources
  const planted = moonshineContents()
  assert.deepEqual(files.map(({ path }) => path).sort(), Object.keys(planted).sort())
  for (const name of ['preprocessor_config.json', 'generation_config.json'])
    assert.equal(createHash('sha256').update(planted[name]!).digest('hex'), files.find(({ path }) => path === name)!.sha256)
})

test('without files, the capability and the failure name the missing model', async (t) => {
  const { pool } = await openPool(t)
  const [row, ...others] = (await pool.capabilities()).filter(({ engine }) => engine === 'moonshine')
  assert.ok(row!.supported && row!.installed && !row!.downloaded && /download/.test(row!.reason!))
  assert.deepEqual([row!.model, row!.languages, others], ['', ['en'], []])
  const run = pool.run({
    id: 'test',
    engine: 'moonshine',
    model: '',
    operation: 'asr',
    params: {},
    signal,
    inputs: asGiven(asAudio(loud(1))),
  })
  assert.match((await failsWith(run, 'MODEL_NOT_DOWNLOADED')).message, /not downloaded/)
})

test('a model with the real file names is loaded and transcribes', async (t) => {
  const engine = moonshine.create(only(plantedMoonshine(t)))
  assert.equal(engine.describe()[0]!.downloaded, true)
  const hear = async (samples: Float32Array, params: object = {}) =>
    resultOf<Result>(await eventsOf(engine.run('asr', params, signal, asAudio(samples))))
  assert.deepEqual(await hear(loud(3), { language: 'en-GB' }), {
    text: 'hello world',
    language: 'en',
    duration: 3,
    segments: [{ start: 0, end: 3, text: 'hello world' }],
    notices: [],
  })
  assert.equal((await hear(quiet(3))).text, 'again')
  assert.equal((await hear(loud(0.6))).text, 'hello world', 'also less than a second')
  const none = await hear(silence(3))
  assert.deepEqual([none.text, none.segments, none.duration], ['', [], 3])
  assert.equal((await hear(loud(0.05))).text, '', 'a click is no word')
  const asStudio = { language: null, prompt: 'names', temperature: 0, words: true }
  assert.deepEqual((await hear(loud(1), asStudio)).notices, ['moonshine does not support a prompt.'])
  assert.deepEqual(engine.placement!(), { device: 'cpu', reason: '' })
  await engine.unload()
  assert.equal(engine.placement!(), null)
  assert.equal((await hear(loud(1), { language: 'auto' })).text, 'hello world', 'it loads again')
  await engine.unload()
})

test('a long recording is transcribed in pieces that are cut at quiet places', async (t) => {
  const engine = moonshine.create(only(plantedMoonshine(t)))
  const long = joined([loud(20), silence(1), quiet(19), silence(30)])
  const events = await eventsOf(engine.run('asr', {}, signal, asAudio(long)))
  const { text, segments, duration } = resultOf<Result>(events)
  assert.equal(text, 'hello world again')
  assert.equal(duration, 70)
  const [first, second, ...others] = segments
  assert.deepEqual([first!.text, second!.text, others], ['hello world', 'again', []])
  assert.ok(first!.start === 0 && first!.end > 20 && first!.end < 21 && second!.start === first!.end, JSON.stringify(segments))
  const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))
  assert.ok(progress.length === 3 && progress.at(-1) === 1)
  assert.deepEqual(
    progress,
    progress.toSorted((one, other) => one - other),
  )
  await engine.unload()
})

test('the number of tokens is limited by the duration', async () => {
  const told: unknown[] = []
  const engine = played((_samples, options) => {
    told.push(options['max_new_tokens'])
    return ' word '
  })
  const { text } = resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, asAudio(joined([loud(27), silence(1), loud(0.5)])))))
  assert.equal(text, 'word word')
  assert.ok((told[0] as number) > 150 && (told[0] as number) <= 193 && told[1] === 10, told.join())
})

test('a piece whose text repeats itself is left out with a notice', async () => {
  let pieces = 0
  const engine = played(() => (pieces++ === 0 ? 'thank you '.repeat(20) : 'word'))
  const long = asAudio(joined([loud(27), silence(1), loud(2)]))
  const { text, segments, notices } = resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, long)))
  assert.deepEqual([text, segments.length, notices], ['word', 1, ['moonshine left out text that repeats itself: 0:00 to 0:27.']])
})

test('a cancellation stops the network between tokens and before the next piece', async () => {
  const abort = new AbortController()
  const seen: boolean[] = []
  const engine = played((_samples, { stopping_criteria: stopping }) => {
    const { interrupted } = stopping as { interrupted: boolean }
    abort.abort()
    seen.push(interrupted, (stopping as { interrupted: boolean }).interrupted)
    return 'half a'
  })
  const events: unknown[] = []
  const run = async () => {
    for await (const event of engine.run('asr', {}, abort.signal, asAudio(loud(60)))) events.push(event)
  }
  await assert.rejects(run, (error) => error === abort.signal.reason)
  assert.deepEqual([seen, events], [[false, true], []])
})

test('the real pipeline can be cancelled and used again', async (t) => {
  const engine = moonshine.create(only(plantedMoonshine(t)))
  const abort = new AbortController()
  const run = engine.run('asr', {}, abort.signal, asAudio(loud(60)))[Symbol.asyncIterator]()
  await run.next()
  const next = run.next()
  abort.abort()
  await assert.rejects(next)
  assert.equal(resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, asAudio(quiet(1))))).text, 'again')
  await engine.unload()
})

test('wrong requests are rejected with the field, and library errors are not repeated', async () => {
  const engine = played(() => 'never')
  const refused = async (params: object, words: RegExp, inputs = asAudio(loud(1))) =>
    await assert.rejects(eventsOf(engine.run('asr', params, signal, inputs)), refusal('INVALID_TASK_PARAMS', words))
  await refused({ language: 'de' }, /language: .*English only.*"de"/)
  await refused({ language: 'english' }, /"english"/)
  await refused({ model_path: '/etc/passwd' }, /model_path/)
  await refused({}, /audio/, new Map())
  await assert.rejects(eventsOf(engine.run('tts', {}, signal, asAudio(loud(1)))), refusal('OPERATION_UNSUPPORTED', /tts/))
  await assert.rejects(engine.load('unknown'), refusal('MODEL_NOT_DOWNLOADED', /unknown/))
  const failing = played(() => {
    throw new Error('secret words')
  })
  const failure = await eventsOf(failing.run('asr', {}, signal, asAudio(loud(1)))).catch((error: Failure) => error)
  assert.ok(failure instanceof Failure && failure.code === 'WORKER_FAILED' && !failure.message.includes('secret'))
})

test('an incomplete or damaged model is rejected without its path', async (t) => {
  for (const name of ['onnx/encoder_model.onnx', 'onnx/decoder_model_merged.onnx', 'tokenizer.json', 'preprocessor_config.json']) {
    const files = plantedMoonshine(t)
    writeFileSync(files.get(name)!, 'PK')
    const broken = await eventsOf(moonshine.create(only(files)).run('asr', {}, signal, asAudio(loud(1)))).catch((error: Failure) => error)
    assert.ok(broken instanceof Failure && broken.code === 'MODEL_NOT_DOWNLOADED', `${name}: ${String(broken)}`)
    assert.ok(!broken.message.includes(tmpdir()), broken.message)
  }
  const empty = moonshine.create(only(new Map()))
  await assert.rejects(eventsOf(empty.run('asr', {}, signal, asAudio(loud(1)))), refusal('MODEL_NOT_DOWNLOADED', /config\.json/))
})

test('runs through the pool and a host give the same result', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'studio-models-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  placeModel(root, 'moonshine', '', moonshineContents())
  const { pool, hosts } = await openPool(t, { modelsFolder: root })
  const [row] = (await pool.capabilities()).filter(({ engine }) => engine === 'moonshine')
  assert.ok(row!.downloaded && row!.reason === undefined && row!.standsIn === null && row!.operation === 'asr')
  const run = (model = '', inputs = asGiven(asAudio(loud(2)))) =>
    pool.run({ id: 'test', engine: 'moonshine', model, operation: 'asr', params: {}, signal, inputs })
  for (let time = 0; time < 2; time++) {
    const events = []
    for await (const event of run()) events.push(event)
    assert.equal((events.at(-1) as unknown as { result: Result }).result.text, 'hello world')
  }
  assert.equal(hosts.length, 1)
  assert.throws(() => run('unknown'), { code: 'MODEL_REF_REJECTED' })
})
