// The dictation models: the real library with planted networks, also in a real host; the calls for streaming models and Whisper; damaged
// files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sherpaOnnx } from '#agent/engine/asr/sherpa/engine.ts'
import type { OnlineStream, SherpaLibrary } from '#agent/engine/runtimes/sherpa/library.ts'
import { SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import { createRecogniserCache } from '#agent/engine/runtimes/sherpa/recogniser-cache.ts'
import { createModelTrial, trialFailure } from '#agent/engine/runtimes/sherpa/trial.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { asAudio, eventsOf, join as joined, resultOf } from '#test/agent/engine/audio/recording.ts'
import { asGiven, failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { modelsFolder } from '#test/agent/engine/runtimes/sherpa/models-folder.ts'
import { encoder } from '#test/agent/engine/runtimes/sherpa/planted.ts'
import { plantedStreaming } from '#test/agent/engine/runtimes/sherpa/planted-streaming.ts'
import { plantedWhisper } from '#test/agent/engine/runtimes/sherpa/planted-whisper.ts'
import { only, PARAKEET, planted, rejectsDamaged } from './damaged.ts'

type Word = { start: number; end: number; word: string }
type Result = { text: string; language: string; segments: { start: number; end: number; text: string; words?: Word[] }[]; duration: number }
const { signal } = new AbortController()
const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / 16_000))
const silence = (seconds: number) => new Float32Array(seconds * 16_000)
/** Heard by the planted networks as `la` four times and, after a pause, `li` four times. */
const SONG = joined([silence(1), tone(300, 1), silence(2), tone(6_000, 1), silence(1)])

test('a transducer returns words with token times, and sentences split at pauses', async (t) => {
  const engine = sherpaOnnx.create(only(PARAKEET, filesIn(t, planted())))
  const events = await eventsOf(engine.run('asr', { language: 'de', words: true }, signal, asAudio(SONG), PARAKEET))
  const { text, language, segments, duration } = resultOf<Result>(events)
  assert.deepEqual([text, language, duration], ['la la la la li li li li', 'de', 6])
  assert.deepEqual(
    segments.map((segment) => [Math.round(segment.start), Math.round(segment.end), segment.text, segment.words!.length]),
    [
      [1, 2, 'la la la la', 4],
      [4, 5, 'li li li li', 4],
    ],
  )
  assert.ok(segments.flatMap(({ words }) => words!).every(({ start, end }) => end > start && end - start < 0.4))
  const plain = resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, asAudio(SONG), PARAKEET)))
  assert.ok(plain.language === '' && plain.segments.every(({ words }) => words === undefined))
  const none = resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, asAudio(silence(5)), PARAKEET)))
  assert.deepEqual([none.text, none.segments], ['', []])
  await engine.unload()
})

test('a long recording is transcribed in pieces with global times and can be cancelled between them', async (t) => {
  const engine = sherpaOnnx.create(only(PARAKEET, filesIn(t, planted())))
  const long = joined([SONG, SONG, SONG, SONG, SONG, SONG])
  const events = await eventsOf(engine.run('asr', { words: true }, signal, asAudio(long), PARAKEET))
  const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))
  assert.ok(progress.length >= 3 && progress.at(-1) === 1)
  const { segments } = resultOf<Result>(events)
  assert.deepEqual(
    segments.map(({ start, text }) => [Math.round(start), text]),
    Array.from({ length: 6 }, (_, at) => [
      [at * 6 + 1, 'la la la la'],
      [at * 6 + 4, 'li li li li'],
    ]).flat(),
  )
  const abort = new AbortController()
  const run = engine.run('asr', {}, abort.signal, asAudio(long), PARAKEET)[Symbol.asyncIterator]()
  assert.equal((await run.next()).value.kind, 'progress')
  const next = run.next()
  abort.abort()
  await assert.rejects(next)
  assert.equal(resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, asAudio(SONG), PARAKEET))).text, 'la la la la li li li li')
})

test('through the pool, a task uses the model that it names', async (t) => {
  const pool = (await openPool(t, { modelsFolder: modelsFolder(t, PARAKEET, planted()) })).pool
  const rows = (await pool.capabilities()).filter(({ engine, operation }) => engine === SHERPA_ID && operation !== 'verify')
  assert.equal(rows.length, 7)
  for (const row of rows) {
    assert.ok(row.supported && row.installed && row.operation === 'asr')
    assert.equal(row.downloaded, row.model === PARAKEET)
    assert.equal(/Download it for dictation/.test(row.reason ?? ''), !row.downloaded)
  }
  const run = (model: string) =>
    pool.run({ id: 'test', engine: SHERPA_ID, model, operation: 'asr', params: {}, signal, inputs: asGiven(asAudio(SONG)) })
  const events = []
  for await (const event of run(PARAKEET)) events.push(event)
  assert.equal((events.at(-1) as unknown as { result: Result }).result.text, 'la la la la li li li li')
  assert.match((await failsWith(run('whisper-tiny'), 'MODEL_NOT_DOWNLOADED')).message, /not downloaded/)
  assert.throws(() => run('unknown'), { code: 'MODEL_REF_REJECTED' })
})

test('a network that fails during recognition costs one attempt, and the pool continues', async (t) => {
  // It opens, and then gives the joiner three levels where that wants two.
  const wide = { ...planted(), 'encoder.int8.onnx': encoder(3) }
  const { pool } = await openPool(t, { modelsFolder: modelsFolder(t, PARAKEET, wide) })
  const run = () =>
    pool.run({ id: 'test', engine: SHERPA_ID, model: PARAKEET, operation: 'asr', params: {}, signal, inputs: asGiven(asAudio(SONG)) })
  for (let time = 0; time < 2; time++) {
    const failure = await (async () => {
      for await (const event of run()) void event
    })().catch((error: Failure) => error)
    assert.ok(failure && ['ENGINE_CRASHED', 'WORKER_FAILED'].includes(failure.code), String(failure))
    assert.equal(pool.freePermits(SHERPA_ID), 1)
  }
})

test('wrong requests and unsupported languages are rejected', async (t) => {
  const engine = sherpaOnnx.create(only(PARAKEET, filesIn(t, planted())))
  const refused = async (params: object, message: RegExp, audio = asAudio(SONG)) =>
    await assert.rejects(eventsOf(engine.run('asr', params, signal, audio, PARAKEET)), { code: 'INVALID_TASK_PARAMS', message })
  await refused({ language: 'ja' }, /language: .*"ja"/)
  await refused({ model_path: '/etc/passwd' }, /model_path/)
  await refused({}, /audio/, new Map())
  await assert.rejects(eventsOf(engine.run('tts', {}, signal, asAudio(SONG), PARAKEET)), { code: 'OPERATION_UNSUPPORTED' })
  await assert.rejects(eventsOf(engine.run('asr', {}, signal, asAudio(SONG), 'unknown')), { code: 'MODEL_REF_REJECTED' })
})

// All of them: test/long/units/damaged.test.ts.
test('damaged files are rejected, offline and streaming, without ending this process', (t) => rejectsDamaged(t, 5))

test('Whisper receives the requested language, else the detected one; a streaming model is fed in small steps', async (t) => {
  const told: string[] = []
  const fed: number[] = []
  let ended = 0
  const library: SherpaLibrary = {
    identifier: () => assert.fail(),
    offline: async () => ({
      createStream: () => ({ acceptWaveform: () => {} }),
      setConfig: (config) => void told.push((config as { modelConfig: { whisper: { language: string } } }).modelConfig.whisper.language),
      decodeAsync: async () => ({ text: ' hello ', lang: 'fr', tokens: [' hello'], timestamps: [] }),
    }),
    online: () => ({
      createStream: () => ({ acceptWaveform: ({ samples }) => void fed.push(samples.length), inputFinished: () => void ended++ }),
      isReady: () => false,
      decode: () => {},
      getResult: () => ({ text: 'hi', tokens: ['▁hi'], timestamps: [0.5], segment: 0 }),
    }),
  }
  const files = filesIn(t, { 'encoder.int8.onnx': '', 'decoder.int8.onnx': '', 'joiner.int8.onnx': '', 'tokens.txt': '' })
  const ears = createRecogniserCache(
    async () => library,
    async () => {},
  )
  const engine = sherpaOnnx.create({ filesOf: () => files }, ears)
  const long = joined([tone(300, 20), silence(1), tone(300, 20)])
  const heard = async (model: string, params: object) =>
    resultOf<Result>(await eventsOf(engine.run('asr', params, signal, asAudio(long), model)))
  assert.deepEqual((await heard('whisper-tiny', {})).language, 'fr')
  assert.deepEqual(told, ['fr'], 'the second piece')
  assert.equal((await heard('whisper-tiny', { language: 'de' })).language, 'de')
  assert.deepEqual(told, ['fr', 'de'])
  const { text, language, segments } = await heard('zipformer-en-20m', { words: true })
  assert.deepEqual([text, language, segments[0]!.words!.map(({ word }) => word)], ['hi hi', 'en', ['hi']])
  assert.ok(Math.max(...fed) <= 8_000 && ended === 2)
})

test('a recording that grows costs a streaming model only its new samples', async (t) => {
  type Fake = { fed: number; isFinished: boolean }
  let fed = 0
  const streams: Fake[] = []
  const library: SherpaLibrary = {
    identifier: () => assert.fail(),
    offline: () => assert.fail(),
    online: () => ({
      createStream() {
        const stream: Fake & OnlineStream = {
          fed: 0,
          isFinished: false,
          acceptWaveform({ samples }) {
            stream.fed += samples.length
            fed += samples.length
          },
          inputFinished() {
            stream.isFinished = true
          },
        }
        streams.push(stream)
        return stream
      },
      isReady: () => false,
      decode: () => {},
      getResult: (stream) => ({ text: `${(stream as unknown as Fake).fed}` }),
    }),
  }
  const files = filesIn(t, { 'encoder.int8.onnx': '', 'decoder.int8.onnx': '', 'joiner.int8.onnx': '', 'tokens.txt': '' })
  const cache = createRecogniserCache(
    async () => library,
    async () => {},
  )
  const engine = sherpaOnnx.create({ filesOf: () => files }, cache)
  const heard = async (samples: Float32Array, partial: boolean, model = 'zipformer-en-20m') =>
    resultOf<Result>(await eventsOf(engine.run('asr', partial ? { partial } : {}, signal, asAudio(samples), model))).text
  const tail = 0.8 * 16_000
  const sound = tone(300, 4)
  const other = tone(440, 4)
  for (const seconds of [1, 2, 3]) {
    assert.equal(await heard(sound.slice(0, seconds * 16_000), true), `${seconds * 16_000}`)
    assert.equal(await heard(other.slice(0, seconds * 16_000), true), `${seconds * 16_000}`, 'another dictation at the same time')
  }
  assert.equal(fed, 2 * 3 * 16_000, 'each sample once')
  assert.equal(await heard(sound, false), `${4 * 16_000 + tail}`)
  assert.equal(fed, 2 * 3 * 16_000 + 16_000 + tail)
  assert.deepEqual(
    streams.map(({ isFinished }) => isFinished),
    [true, false],
  )
  assert.equal(await heard(sound, true), `${4 * 16_000}`, 'a finished recording is not continued')
  const shorter = other.slice(0, 16_000)
  assert.equal(await heard(shorter, true), '16000', 'a stream that has more is not used')
  for (let at = 0; at < 40; at++) await heard(tone(500 + at, 0.5), true)
  assert.equal(await heard(other, false), `${4 * 16_000 + tail}`, 'a dropped stream starts again')
  const rows = engine.describe().filter(({ continues }) => continues)
  assert.deepEqual(
    rows.map(({ model }) => model),
    ['zipformer-bilingual-zh-en', 'paraformer-bilingual-zh-en', 'zipformer-en-20m', 'zipformer-zh-14m'],
  )
})

test('the real library continues a stream: a growing recording has the same words as the whole one', async (t) => {
  const model = 'zipformer-en-20m'
  const engine = sherpaOnnx.create(only(model, filesIn(t, plantedStreaming())))
  const heard = async (samples: Float32Array, params: object) =>
    resultOf<Result>(await eventsOf(engine.run('asr', params, signal, asAudio(samples), model))).text
  const song = joined([silence(0.5), tone(300, 1), tone(6_000, 1), silence(1), tone(300, 1), tone(6_000, 1), silence(0.5)])
  const texts: string[] = []
  for (let to = 8_000; to <= song.length; to += 8_000) texts.push(await heard(song.slice(0, to), { partial: true }))
  assert.deepEqual([...new Set(texts)], ['', 'la', 'la li', 'la li la', 'la li la li'])
  const final = await heard(song, {})
  assert.equal(final, 'la li la li')
  const fresh = sherpaOnnx.create(only(model, filesIn(t, plantedStreaming())))
  const whole = resultOf<Result>(await eventsOf(fresh.run('asr', { words: true }, signal, asAudio(song), model)))
  assert.equal(whole.text, final, 'without an earlier part')
  assert.deepEqual(
    whole.segments.flatMap(({ words }) => words!).map(({ word, start }) => [word, Math.round(start * 2) / 2]),
    [
      ['la', 0.5],
      ['li', 1.5],
      ['la', 3.5],
      ['li', 4.5],
    ],
  )
})

test('the real library detects the language with Whisper and transcribes', async (t) => {
  const engine = sherpaOnnx.create(only('whisper-tiny', filesIn(t, plantedWhisper())))
  const heard = async (samples: Float32Array, params: object) => {
    const { text, language } = resultOf<Result>(await eventsOf(engine.run('asr', params, signal, asAudio(samples), 'whisper-tiny')))
    return `${language}: ${text}`
  }
  assert.equal(await heard(tone(300, 2), {}), 'de: la')
  assert.equal(await heard(tone(6_000, 2), {}), 'fr: li')
  assert.equal(await heard(tone(6_000, 2), { language: 'de' }), 'de: li')
  assert.equal(await heard(joined([tone(300, 20), silence(1), tone(6_000, 20)]), {}), 'de: la li', 'the language of the first piece holds')
  await engine.unload()
})

test('a trial that is killed for memory or does not answer is distinguished from a wrong file', async (t) => {
  const plan = { kind: 'offline' as const, config: {}, files: [] }
  const child = (source: string) => filesIn(t, { 'child.ts': source }).get('child.ts')!
  const killed = createModelTrial(systemClock, child("process.kill(process.pid, 'SIGKILL')"))
  await assert.rejects(killed(plan), { code: 'INSUFFICIENT_MEMORY' })
  const silent = createModelTrial(systemClock, child('process.on("message", () => {})'), 1_000)
  await assert.rejects(silent(plan), { code: 'MODEL_LOAD_TIMEOUT', message: /not opened within 1 s/ })
  assert.equal(
    trialFailure("/a/b.cc:Init:93 'sample_rate' does not exist in the metadata\n"),
    "'sample_rate' does not exist in the metadata",
  )
  assert.equal(trialFailure('terminate called\n  what():  Load model from x failed\n'), 'Load model from x failed')
  assert.equal(trialFailure('\n'), '')
})
