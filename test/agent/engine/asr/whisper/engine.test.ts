// Whisper with planted models and without a model.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fasterWhisper } from '#agent/engine/asr/whisper/engine.ts'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { asAudio, eventsOf, noise, resultOf } from '#test/agent/engine/audio/recording.ts'
import { asGiven, failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { type Files, plantedWhisper, stamp } from '#test/agent/engine/runtimes/transformers/planted.ts'
import { model } from '#test/support/models/onnx-graph.ts'
import { everywhere, speechAt, whisper } from './open.ts'

type Said = { start: number; end: number; text: string; words?: { start: number; end: number; word: string }[] }
type Result = { text: string; language: string; segments: Said[]; duration: number; notices?: string[] }
const { signal } = new AbortController()
const sound = (seconds: number) => asAudio(noise(Math.round(16_000 * seconds), 0.05, 1))
const refusal = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && words.test(error.message)

test('without files, the capability and the failure name the missing model', async (t) => {
  const { pool } = await openPool(t)
  for (const engine of ['faster-whisper', 'whisperx']) {
    const row = (await pool.capabilities()).find((one) => one.engine === engine)!
    assert.ok(row.supported && row.installed && !row.downloaded && /download/.test(row.reason!))
    const run = pool.run({ id: 'test', engine, model: '', operation: 'asr', params: {}, signal, inputs: asGiven(sound(1)) })
    assert.match((await failsWith(run, 'MODEL_NOT_DOWNLOADED')).message, /No Whisper model is downloaded/)
  }
})

test('a model with the real file names is loaded and returns sentences with times', async (t) => {
  const engine = whisper(plantedWhisper(t))
  assert.equal(engine.describe()[0]!.downloaded, true)
  const events = await eventsOf(engine.run('asr', { language: 'en' }, signal, sound(3)))
  const { text, language, segments, duration } = resultOf<Result>(events)
  assert.equal(text, 'hello world again')
  assert.equal(language, 'en')
  assert.equal(duration, 3)
  assert.deepEqual(
    segments.map(({ start, end, text: words }) => [Math.round(start * 10) / 10, Math.round(end * 10) / 10, words]),
    [
      [0, 1, 'hello world'],
      [1, 2, 'again'],
    ],
  )
  assert.ok(events.some((event) => event.kind === 'progress' && event.progress === 1))
  const asStudio = { language: null, prompt: 'names', temperature: 0, words: true }
  assert.equal(resultOf<Result>(await eventsOf(engine.run('asr', asStudio, signal, sound(3)))).language, 'de', 'the model was asked')
  assert.equal(resultOf<Result>(await eventsOf(engine.run('asr', { task: 'translate' }, signal, sound(3)))).language, 'en')
  await assert.rejects(
    eventsOf(engine.run('asr', { language: 'fr' }, signal, sound(1))),
    refusal('INVALID_TASK_PARAMS', /does not support "fr"/),
  )
  await assert.rejects(
    eventsOf(engine.run('asr', { timestamps: 'word' }, signal, sound(1))),
    refusal('INVALID_TASK_PARAMS', /times of words/),
  )
  const abort = new AbortController()
  const run = engine.run('asr', {}, abort.signal, sound(40))[Symbol.asyncIterator]()
  await run.next()
  abort.abort()
  await assert.rejects(run.next())
  await engine.unload()
  await eventsOf(engine.run('asr', {}, signal, sound(1)))
  await engine.unload()
})

test('on request each window returns its words at once, and together they are the text of the result', async (t) => {
  // The segments fill a window, so that the recording has three of them.
  const chain = [stamp(0), 'Ġhello', 'Ġworld', stamp(15), stamp(15.02), 'Ġagain', stamp(30), '<|endoftext|>']
  const engine = whisper(plantedWhisper(t, { chain }))
  assert.ok(engine.describe().every(({ streams }) => streams))
  const events = await eventsOf(engine.run('asr', { stream: true }, signal, sound(90)))
  const pieces = events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))
  assert.deepEqual(pieces, ['hello world again', ' hello world again', ' hello world again'])
  assert.equal(resultOf<Result>(events).text, pieces.join(''))
  const first = events.findIndex(({ kind }) => kind === 'text')
  assert.ok(
    events.slice(first).some((event) => event.kind === 'progress' && event.progress < 0.9),
    'before the last window',
  )
  const without = await eventsOf(engine.run('asr', {}, signal, sound(90)))
  assert.ok(without.every(({ kind }) => kind !== 'text'))
  await engine.unload()
})

test('each downloaded model is offered by name and used by its runs', async (t) => {
  const small = plantedWhisper(t)
  const engine = fasterWhisper.create(
    { filesOf: (_engine, name) => (name === 'small' || name === 'tiny' ? small : null) },
    undefined,
    everywhere,
  )
  assert.deepEqual(
    engine.describe().map(({ model, downloaded }) => [model, downloaded]),
    [
      ['', true],
      ['small', true],
      ['tiny', true],
    ],
  )
  for (const model of ['small', 'tiny', '']) {
    await engine.load(model)
    assert.equal(resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, sound(1), model))).language, 'de')
  }
  await assert.rejects(engine.load('base'), refusal('MODEL_NOT_DOWNLOADED', /model base/))
  await assert.rejects(eventsOf(engine.run('asr', {}, signal, sound(1), 'unknown')), refusal('MODEL_NOT_DOWNLOADED', /unknown/))
  await engine.unload()
})

const SPOKEN = { Ġhello: [0.2, 0.5], Ġworld: [0.5, 0.9], Ġagain: [1.3, 1.7] } as const
for (const id of ['faster-whisper', 'whisperx'])
  test(`${id} takes word times from a model that has them, in any language`, async (t) => {
    const engine = whisper(plantedWhisper(t, { spoken: SPOKEN }), id)
    for (const params of [{ words: true }, { timestamps: 'word', language: 'de' }, { language: 'en', words: true }]) {
      const { segments, notices } = resultOf<Result>(await eventsOf(engine.run('asr', params, signal, sound(3))))
      const words = segments.map((segment) => segment.words!.map(({ word, start, end }) => [word, start, end]))
      const near = (seconds: number) => (value: unknown) => assert.ok(Math.abs(Number(value) - seconds) < 0.05, `${value}, not ${seconds}`)
      assert.deepEqual(words.map((ofSegment) => ofSegment.map(([word]) => word)), [['hello', 'world'], ['again']]) // biome-ignore format: one line
      // A word ends where the next one begins, and the last one of a segment at its end at the latest.
      near(0.5)(words[0]![0]![2])
      near(0.5)(words[0]![1]![1])
      near(1.3)(words[1]![0]![1])
      assert.equal(notices, undefined)
    }
    const without = resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, sound(3))))
    assert.ok(without.segments.every(({ words }) => words === undefined))
    await engine.unload()
  })

test('a segment has the times of its words, also where its own timestamps are later', async (t) => {
  const engine = whisper(plantedWhisper(t, { spoken: SPOKEN }), 'faster-whisper', null, speechAt([[0, 3]], [[0.2, 0.9], [1.3, 1.7]])) // biome-ignore format: one line
  const { segments } = resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, sound(3))))
  const times = segments.map(({ start, end }) => [Math.round(start * 10) / 10, Math.round(end * 10) / 10])
  // The timestamps say 0 to 1 s and 1.02 to 2 s. The edges are at most 0.15 s from the voice.
  assert.deepEqual(times, [[0.1, 1.1], [1.3, 1.7]]) // biome-ignore format: one line
  await engine.unload()
})

test('whisperx aligns each word', async (t) => {
  const engine = whisper(plantedWhisper(t), 'whisperx', letters(t))
  const { segments } = resultOf<Result>(await eventsOf(engine.run('asr', { language: 'en', timestamps: 'word' }, signal, sound(3))))
  const words = segments.flatMap((segment) => segment.words!)
  assert.deepEqual(
    words.map(({ word }) => word),
    ['hello', 'world', 'again'],
  )
  for (const { start, end } of words) assert.ok(end > start && start >= 0 && end <= 3)
  const translated = resultOf<Result>(await eventsOf(engine.run('asr', { language: 'en', task: 'translate' }, signal, sound(3))))
  assert.ok(translated.segments.length > 0 && translated.segments.every((segment) => segment.words === undefined))
  await engine.unload()
  assert.equal(engine.describe()[0]!.standsIn, null)
})

test('whisperx without its alignment model reports that and returns no words', async (t) => {
  const engine = whisper(plantedWhisper(t), 'whisperx')
  const [row] = engine.describe()
  assert.ok(row!.downloaded && /alignment model .* not downloaded/.test(row!.standsIn!))
  const { text, segments } = resultOf<Result>(await eventsOf(engine.run('asr', { language: 'en', words: true }, signal, sound(3))))
  assert.equal(text, 'hello world again')
  assert.ok(segments.every((segment) => segment.words === undefined))
  await engine.unload()
})

test('words in a language without alignment have no times, and a notice says so', async (t) => {
  const engine = whisper(plantedWhisper(t), 'whisperx', letters(t))
  const { segments, notices } = resultOf<Result>(await eventsOf(engine.run('asr', { language: 'de' }, signal, sound(3))))
  assert.ok(segments.length > 0 && segments.every((segment) => segment.words === undefined))
  assert.match(notices!.join(), /English only.*"de"/)
  await engine.unload()
})

test('the common parameters of recognisers are accepted', async (t) => {
  const engine = whisper(plantedWhisper(t))
  const params = { language: null, prompt: 'Names', temperature: 0, words: true }
  const { text, notices } = resultOf<Result>(await eventsOf(engine.run('asr', params, signal, sound(3))))
  assert.deepEqual([text, notices], ['hello world again', undefined])
  const silent = resultOf<Result>(await eventsOf(engine.run('asr', { ...params, prompt: ' ' }, signal, sound(3))))
  assert.equal(silent.notices, undefined)
  await engine.unload()
})

test('a prompt precedes each window, without special tokens and at most half of what the network reads', async (t) => {
  const prefixes: number[][] = []
  const counted: GraphFactory = async (file, options) => {
    const graph = await openPlacedGraph(file, options)
    const run: typeof graph.run = (inputs, outputs) => {
      if (inputs['use_cache_branch']?.values[0] === 0) prefixes.push(Array.from(inputs['input_ids']!.values as BigInt64Array, Number))
      return graph.run(inputs, outputs)
    }
    return { ...graph, run }
  }
  const files = plantedWhisper(t, { maxLength: 20 })
  const engine = fasterWhisper.create({ filesOf: (_engine, name) => (name === 'tiny' ? files : null) }, counted, everywhere)
  const withPrompt = async (prompt: string) => {
    prefixes.length = 0
    await eventsOf(engine.run('asr', { prompt, language: 'en' }, signal, sound(3)))
    return prefixes.filter(({ length }) => length > 1)
  }
  assert.deepEqual(await withPrompt(' '), [])
  const [prefix] = await withPrompt('world <|endoftext|> again')
  assert.deepEqual(prefix!.slice(1, -3), [1, 2])
  const [long] = await withPrompt('again '.repeat(50))
  assert.equal(long!.length, 1 + 9 + 3)
  await engine.unload()
})

test('an incomplete or damaged model is rejected without its path', async (t) => {
  const files = plantedWhisper(t)
  writeFileSync(files.get('onnx/decoder_model_merged.onnx')!, 'PK')
  const broken = await eventsOf(whisper(files).run('asr', {}, signal, sound(1))).catch((error: Failure) => error)
  assert.ok(broken instanceof Failure && broken.code === 'MODEL_NOT_DOWNLOADED' && !broken.message.includes(tmpdir()), String(broken))
  await assert.rejects(eventsOf(whisper(new Map()).run('asr', {}, signal, sound(1))), refusal('MODEL_NOT_DOWNLOADED', /config\.json/))
})

/** A letter network that hears every letter equally: the words are spread over the sound, in order. */
function letters(t: TestContext): Files {
  const folder = mkdtempSync(join(tmpdir(), 'studio-letters-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const vocabulary = ['<pad>', '|', ...'abcdefghijklmnopqrstuvwxyz']
  const graph = model({
    inputs: [{ name: 'input_values', type: 'float32', dims: ['batch', 'samples'] }],
    outputs: [{ name: 'logits', type: 'float32', dims: ['batch', 40, vocabulary.length] }],
    nodes: [
      { op: 'ReduceSum', inputs: ['input_values'], outputs: ['sum'], attributes: { keepdims: 0 } },
      { op: 'Expand', inputs: ['sum', 'shape'], outputs: ['logits'] },
    ],
    initializers: [{ name: 'shape', type: 'int64', dims: [3], values: [1, 40, vocabulary.length] }],
  })
  const [graphFile, vocabularyFile] = [join(folder, 'model.onnx'), join(folder, 'vocab.json')]
  writeFileSync(graphFile, graph)
  writeFileSync(vocabularyFile, JSON.stringify(Object.fromEntries(vocabulary.map((letter, id) => [letter, id]))))
  return new Map([
    ['onnx/model.onnx', graphFile],
    ['vocab.json', vocabularyFile],
  ])
}
