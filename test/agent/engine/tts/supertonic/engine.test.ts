// Supertonic end to end with planted graphs: a tenth of a second per character at normal speed, and noise that each step halves.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/define.ts'
import { supertonic } from '#agent/engine/tts/supertonic/engine.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { say, speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'
import { model } from '#test/support/models/onnx-graph.ts'
import { GRAPHS, RATE, supertonicFiles } from '#test/support/models/supertonic-model.ts'

const onCpu: typeof openGraph = (file, wish) => openGraph(file, { ...wish, device: 'cpu', threads: 1 })
function planted(t: TestContext, files: ReturnType<typeof supertonicFiles> | null = supertonicFiles(), open: GraphFactory = onCpu) {
  const paths = files && filesIn(t, files)
  const deps: EngineDeps = { clock: systemClock, path: '', filesOf: () => paths }
  const engine = supertonic.create(deps, open)
  t.after(() => engine.unload())
  return engine
}
const text = (text: string, more: object = {}) => ({ segments: [{ text, ...more }] })
/** "<na>Hello.</na>" has 15 characters; M1 adds half a second. */
const HELLO_SECONDS = 0.1 * 15 + 0.5

test('the length matches the predictor at normal speed', async (t) => {
  const { parts, result } = await say(planted(t), text('Hello'))
  assert.equal(parts[0]!.length, Math.floor((HELLO_SECONDS / 1.05) * RATE))
  assert.equal(result.sample_rate, RATE)
  assert.equal(result.voice, 'M1')
  assert.equal(result.device, 'cpu')
  assert.deepEqual(result.notices, [])
})

test('all graphs run on the CPU, with the eight steps of the documentation unless the task names another number', async (t) => {
  const devices: string[] = []
  const steps: number[] = []
  const watching: GraphFactory = async (file, options) => {
    devices.push(options.device)
    const graph = await onCpu(file, options)
    const run: typeof graph.run = async (fed, asked) => {
      if (fed['total_step']) steps.push(Number(fed['total_step'].values[0]))
      return await graph.run(fed, asked)
    }
    return { ...graph, run }
  }
  const engine = planted(t, supertonicFiles(), watching)
  assert.equal((await say(engine, text('Hello'))).result.device_reason, '')
  assert.deepEqual(devices, ['cpu', 'cpu', 'cpu', 'cpu'])
  assert.deepEqual(steps, Array(8).fill(8))
  assert.deepEqual((await say(engine, { ...text('Hello'), num_step: 1 })).result.notices, [])
  assert.match((await say(engine, { ...text('Hello'), num_step: 51 })).result.notices.join(), /1 to 50 steps; 50 were used/)
})

test('two paragraphs are two pieces with a pause', async (t) => {
  const { events } = await say(planted(t), text('One.\n\nTwo.'))
  const lengths = events.flatMap((event) => (event.kind === 'audio' ? [event.samples.length] : []))
  assert.equal(lengths.length, 3)
  assert.equal(lengths[1], 0.3 * RATE)
})

test('speed and voice change the length', async (t) => {
  const engine = planted(t)
  const fast = await say(engine, { ...text('Hello'), speed: 1.9 })
  assert.equal(fast.parts[0]!.length, Math.floor((HELLO_SECONDS / (1.9 * 1.05)) * RATE))
  // The reference allows at most 2 with its factor of 1.05.
  const fastest = await say(engine, { ...text('Hello'), speed: 2 })
  assert.equal(fastest.parts[0]!.length, fast.parts[0]!.length)
  assert.match(fastest.result.notices.join(), /speeds from 0\.5 to 1\.9/)
  const other = await say(engine, { ...text('Hello'), voice: 'f1', language: 'en-GB' })
  assert.equal(other.result.voice, 'F1')
  assert.equal(other.parts[0]!.length, Math.floor((1.5 / 1.05) * RATE))
  const unknown = await say(engine, { ...text('Hello'), voice: 'unknown', speed: 4, num_step: 99 })
  assert.equal(unknown.result.notices.length, 3)
})

test('a requested duration is met within a frame, pauses included', async (t) => {
  const segments = [{ text: 'One two three four five.', pause_after_ms: 300 }, { text: 'Six.' }]
  const { parts } = await say(planted(t), { segments, duration: 4 })
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  assert.ok(Math.abs(length - 4 * RATE) <= 2, `${length}`)
  await assert.rejects(say(planted(t), { segments, duration: 0.2 }), { code: 'INVALID_TASK_PARAMS' })
})

test('the seed determines every sample, and each step halves the noise', async (t) => {
  const engine = planted(t)
  const one = await say(engine, text('Hello', { seed: 7 }))
  assert.deepEqual((await say(engine, text('Hello', { seed: 7 }))).parts, one.parts)
  assert.notDeepEqual((await say(engine, text('Hello', { seed: 8 }))).parts, one.parts)
  const four = await say(engine, { ...text('Hello', { seed: 7 }), num_step: 4 })
  const five = await say(engine, { ...text('Hello', { seed: 7 }), num_step: 5 })
  for (const [at, sample] of four.parts[0]!.entries()) assert.ok(Math.abs(sample - 2 * five.parts[0]![at]!) < 1e-6)
})

test('long text is cut into pieces with pauses, and progress increases', async (t) => {
  const long = 'This is a sentence of some length, to be said. '.repeat(20)
  const { events, result } = await say(planted(t), text(long))
  const audio = events.filter((event) => event.kind === 'audio')
  assert.ok(audio.length >= 7, `${audio.length} pieces and pauses`)
  const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))
  assert.deepEqual(
    progress,
    [...progress].sort((left, right) => left - right),
  )
  assert.equal(progress.at(-1), 1)
  assert.equal(
    result.parts[0]!.samples,
    audio.reduce((sum, event) => sum + (event.kind === 'audio' ? event.samples.length : 0), 0),
  )
})

test('a cancellation takes effect between two steps', async (t) => {
  const engine = planted(t)
  await engine.load()
  const abort = new AbortController()
  const run = engine.run('tts', { ...text('Hello '.repeat(200)), num_step: 16 }, abort.signal)[Symbol.asyncIterator]()
  await run.next()
  abort.abort(new Error('enough'))
  await assert.rejects(async () => {
    for (;;) if ((await run.next()).done) return
  }, /enough/)
})

test('unsupported text and operations are rejected', async (t) => {
  const engine = planted(t)
  await assert.rejects(say(engine, { ...text('你好'), language: 'zh' }), { code: 'INVALID_TASK_PARAMS', message: /does not speak "zh"/ })
  await assert.rejects(say(engine, text('?!')), { code: 'INVALID_TASK_PARAMS' })
  const asr = engine.run('asr', {}, new AbortController().signal)[Symbol.asyncIterator]()
  await assert.rejects(asr.next(), { code: 'OPERATION_UNSUPPORTED' })
  assert.match((await say(engine, text('ab 你'))).result.notices.join(), /1 characters/)
})

test('missing files are reported, even if only one is missing', async (t) => {
  const absent = planted(t, null)
  assert.equal(absent.describe()[0]!.downloaded, false)
  assert.match(absent.describe()[0]!.reason!, /not downloaded/)
  await assert.rejects(absent.load(), { code: 'MODEL_NOT_DOWNLOADED' })
  const { 'onnx/vocoder.onnx': _, ...rest } = supertonicFiles()
  const partial = planted(t, rest)
  assert.equal(partial.describe()[0]!.downloaded, false)
  await assert.rejects(partial.load(), { code: 'MODEL_NOT_DOWNLOADED', message: /vocoder\.onnx/ })
  assert.deepEqual(
    planted(t)
      .describe()[0]!
      .voices.map(({ id }) => id),
    ['F1', 'M1'],
  )
})

test('a wrong export, a damaged table and a damaged style are named', async (t) => {
  const wrong = planted(t, { ...supertonicFiles(), 'onnx/duration_predictor.onnx': model(GRAPHS['text_encoder']!) })
  await assert.rejects(wrong.load(), {
    message: /duration_predictor\.onnx is the wrong export: input style_dp is missing; input style_ttl is unknown/,
  })
  const table = planted(t, { ...supertonicFiles(), 'onnx/unicode_indexer.json': '{"a":"b"}' })
  await assert.rejects(table.load(), { code: 'MODEL_NOT_DOWNLOADED', message: /unicode_indexer\.json/ })
  const style = { style_ttl: { dims: [1, 2, 3], data: [1] }, style_dp: { dims: [1, 2, 2], data: [1, 2, 3, 4] } }
  const voice = planted(t, { ...supertonicFiles(), 'voice_styles/M1.json': JSON.stringify(style) })
  await assert.rejects(say(voice, text('Hello')), { message: /M1\.json/ })
})

test('samples that are not finite are an error', async (t) => {
  const half = { name: 'half', type: 'float32' as const, dims: [], values: [Number.NaN] }
  const engine = planted(t, supertonicFiles({ vector_estimator: { initializers: [half] } }))
  await assert.rejects(say(engine, text('Hello')), { code: 'NON_FINITE_OUTPUT' })
})

test('the default voice is the declared one', async (t) => {
  await speaksAsDeclared(planted(t), 'Hello', ['', 'en', 'de-AT'])
})
