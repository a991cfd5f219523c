// Pocket-TTS end to end with planted graphs; test/support/models/pocket-model.ts describes their outputs.

import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type GraphFactory, openGraph, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/define.ts'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import type { VoiceState } from '#agent/engine/tts/pockettts/bundle.ts'
import { pocketTts } from '#agent/engine/tts/pockettts/engine.ts'
import { readVoices, voiceMemory } from '#agent/engine/tts/pockettts/voices.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { say, speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'
import { model } from '#test/support/models/onnx-graph.ts'
import {
  BUNDLE,
  CAPACITY,
  FRAME,
  floatTensor,
  GRAPHS,
  longTensor,
  npy,
  type PlantedTensor,
  pocketFiles,
  RATE,
  voice,
  voicesFile,
} from '#test/support/models/pocket-model.ts'

type Files = ReturnType<typeof pocketFiles>
type Seen = { readonly file: string; readonly fed: Readonly<Record<string, Tensor>> }
const onCpu: GraphFactory = (file, wish) => openGraph(file, { ...wish, device: 'cpu', threads: 1 })
/** `models`: by the name of the model, '' for English. */
function planted(t: TestContext, files: Files | null = pocketFiles(), others: Readonly<Record<string, Files>> = {}) {
  const all = new Map(Object.entries({ ...(files ? { '': files } : {}), ...others }).map(([name, one]) => [name, filesIn(t, one)]))
  const seen: Seen[] = []
  const watching: GraphFactory = async (file, wish) => {
    const graph = await onCpu(file, wish)
    const run: typeof graph.run = async (fed, asked) => {
      seen.push({ file: basename(file, '.onnx'), fed: structuredClone(fed) })
      return await graph.run(fed, asked)
    }
    return { ...graph, run }
  }
  const deps: EngineDeps = { clock: systemClock, path: '', filesOf: (_engine, name) => all.get(name) ?? null }
  const engine = pocketTts.create(deps, watching)
  t.after(() => engine.unload())
  return { engine, of: (file: string) => seen.filter((call) => call.file === file).map(({ fed }) => fed) }
}
const text = (text: string, more: object = {}, wanted: object = {}) => ({ segments: [{ text, ...more }], ...wanted })
/** Frames before the end are one below the stop, and at least six; then the tail. */
const framesOf = (stop: number, tail = 2) => Math.max(stop - 1, 6) + tail
/** Gain in the first frame, which is faded in over 5 ms. */
const faded = (at: number) => Math.min(1, at < FRAME ? at / (0.005 * RATE - 1) : 1)
const levelOf = (frame: number) => frame + 1 + 0.1 * (frame < 1 ? 0 : frame < 3 ? 1 : frame < 7 ? 3 : frame < 15 ? 7 : 15)
const wav = (peak: number, seconds = 1) => {
  const samples = new Float32Array(RATE * seconds).fill(peak)
  return new Map([['reference', Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length }), toS16(samples)])]])
}
async function sayWith(engine: ReturnType<typeof pocketTts.create>, params: object, inputs: ReadonlyMap<string, Uint8Array>) {
  const events: EngineEvent[] = []
  for await (const event of engine.run('tts', params, new AbortController().signal, inputs)) events.push(event)
  const audio = events.flatMap((event) => (event.kind === 'audio' ? [...event.samples] : []))
  const last = events.at(-1)
  return { audio, result: last?.kind === 'result' ? (last.result as { voice: string; notices: string[] }) : null }
}

test('the loop generates the planted latents, carries its states, and stops after the planted end', async (t) => {
  const { engine, of } = planted(t)
  const { parts, result, events } = await say(engine, text('Hello there'))
  const frames = framesOf(4)
  assert.equal(parts[0]!.length, frames * FRAME)
  for (const [at, sample] of parts[0]!.entries())
    assert.ok(Math.abs(sample - levelOf(Math.floor(at / FRAME)) * faded(at)) < 1e-5, `sample ${at}: ${sample}`)
  assert.deepEqual([result.voice, result.sample_rate, result.device, result.notices.join()], ['alba', RATE, 'cpu', ''])
  assert.deepEqual(
    events.flatMap((event) => (event.kind === 'audio' ? [event.samples.length / FRAME] : [])),
    [1, 2, 4, 1],
  )
  const steps = of('flow_lm_main')
  // The stored voice has used three positions, the text thirteen more, then each frame one.
  assert.deepEqual(
    steps.map((fed) => Number(fed['state_1']!.values[0])),
    [3, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  )
  assert.deepEqual(steps[0]!['sequence']!.dims, [1, 0, 2])
  assert.ok([...(steps[1]!['sequence']!.values as Float32Array)].every(Number.isNaN), 'it begins with nothing')
  assert.deepEqual([...steps[2]!['sequence']!.values], [1, 17])
  assert.deepEqual(of('text_conditioner')[0]!['token_ids']!.dims, [1, '▁Hello▁there.'.length])
})

test('a stored voice fills a prefix of the cache; the rest keeps the initial values of the bundle', async (t) => {
  const { engine, of } = planted(t)
  await say(engine, text('Hello.'))
  const cache = of('flow_lm_main')[0]!['state_3']!.values as Float32Array
  assert.equal(cache.length, 2 * CAPACITY)
  assert.deepEqual([...cache.subarray(0, 4)], [1, 2, 3, Number.NaN])
  assert.deepEqual([...cache.subarray(CAPACITY, CAPACITY + 4)], [4, 5, 6, Number.NaN])
})

test('the seed determines the noise', async (t) => {
  const noise = async (params: object) => {
    const { engine, of } = planted(t)
    await say(engine, params)
    return of('flow_lm_flow').flatMap((fed) => [...fed['x']!.values])
  }
  const one = await noise(text('Hello.', { seed: 7 }))
  assert.deepEqual(await noise(text('Hello.', { seed: 7 })), one)
  assert.notDeepEqual(await noise(text('Hello.', { seed: 8 })), one)
})

test('the noise has the same variance in all languages', async (t) => {
  const first = async (language: string) => {
    const { engine, of } = planted(t, pocketFiles(), { de: pocketFiles() })
    await say(engine, text('Hello.', { seed: 7 }, { language }))
    return of('flow_lm_flow').map((fed) => Number(fed['x']!.values[0]))
  }
  const noise = await first('en')
  assert.deepEqual(await first('de'), noise)
  const { engine, of } = planted(t, { ...pocketFiles(), 'voices.bin': voicesFile({ alba: voice(1_000) }) })
  for (let seed = 0; seed < 20; seed++) await say(engine, text('Hello.', { seed }))
  const values = of('flow_lm_flow').flatMap((fed) => [...fed['x']!.values].map(Number))
  const variance = values.reduce((sum, value) => sum + value ** 2, 0) / values.length
  assert.ok(values.length > 1_000 && Math.abs(variance - 0.3) < 0.03, `${variance} of ${values.length}`)
})

test('an end in the first six frames is ignored', async (t) => {
  for (const stop of [0, 1, 6, 7, 8]) {
    const { engine } = planted(t, { ...pocketFiles(), 'voices.bin': voicesFile({ alba: voice(stop) }) })
    const { parts } = await say(engine, text('Hello.'))
    assert.equal(parts[0]!.length, (Math.max(6, stop - 1) + 2) * FRAME, `stop ${stop}`)
  }
})

test('without a requested voice the language decides, then the English default, then the order of the file', async (t) => {
  const voices = (...names: string[]) => ({
    ...pocketFiles(),
    'voices.bin': voicesFile(Object.fromEntries(names.map((name) => [name, voice(4)]))),
  })
  const chosen = async (language: string, ...names: string[]) =>
    (await say(planted(t, null, { [language === 'en' ? '' : language]: voices(...names) }).engine, text('Hi.', {}, { language }))).result
      .voice
  assert.equal(await chosen('en', 'azelma', 'alba'), 'alba')
  const own = { fr: 'estelle', de: 'juergen', it: 'giovanni', pt: 'rafael', es: 'lola' }
  for (const [language, name] of Object.entries(own)) assert.equal(await chosen(language, 'azelma', 'alba', name), name)
  assert.equal(await chosen('de', 'azelma', 'alba'), 'alba')
  assert.equal(await chosen('de', 'azelma', 'jean'), 'azelma')
})

test('a stored tensor of another rank leaves the initial state, and the result says so', async (t) => {
  const layer = 'transformer.layers.0.self_attn'
  const flat = { ...voice(4), [`${layer}/cache`]: floatTensor([2, 3], [1, 2, 3, 4, 5, 6]) }
  const { engine, of } = planted(t, { ...pocketFiles(), 'voices.bin': voicesFile({ alba: flat }) })
  const { result } = await say(engine, text('Hello.'))
  assert.ok([...of('flow_lm_main')[0]!['state_3']!.values].every(Number.isNaN))
  assert.match(result.notices.join(), /voice alba does not fit this model in 1 of 4 states/)
})

test('a stored tensor of the same size is read in order; a larger one is cut; another type is converted', () => {
  const state = (type: 'float32' | 'int64' | 'bool', dims: number[]): VoiceState => ({
    input: 'in',
    output: 'out',
    module: 'm',
    key: 'k',
    type,
    dims,
    fill: type === 'float32' ? Number.NaN : 0,
  })
  const values = (stored: PlantedTensor, to: VoiceState) => {
    const voices = readVoices(voicesFile({ a: { 'm/k': stored } }), 'voices.bin')
    const { memory, unused } = voiceMemory(voices.get('a')!, [to])
    return { values: [...memory['in']!.values].map(Number), unused }
  }
  const six = floatTensor([2, 3], [1, 2, 3, 4, 5, 6])
  assert.deepEqual(values(six, state('float32', [6])), { values: [1, 2, 3, 4, 5, 6], unused: 0 })
  assert.deepEqual(values(six, state('float32', [1, 2])), { values: [1, 2], unused: 0 })
  assert.deepEqual(values(six, state('float32', [3, 1])), { values: [1, 4, Number.NaN], unused: 0 })
  assert.deepEqual(values(six, state('float32', [4])), { values: Array(4).fill(Number.NaN), unused: 1 })
  assert.deepEqual(values(floatTensor([2], [2.9, Number.NaN]), state('int64', [2])), { values: [2, 0], unused: 0 })
  assert.deepEqual(values(longTensor(7), state('float32', [1])), { values: [7], unused: 0 })
  assert.deepEqual(values(longTensor(7), state('bool', [1])), { values: [1], unused: 0 })
})

test('more flow steps arrive at the same result', async (t) => {
  const { engine, of } = planted(t)
  const { parts, result } = await say(engine, text('Hello there', {}, { num_step: 4 }))
  assert.deepEqual(
    of('flow_lm_flow')
      .slice(0, 4)
      .map((fed) => [fed['s']!.values[0], fed['t']!.values[0]]),
    [0, 0.25, 0.5, 0.75].map((s) => [s, s + 0.25]),
  )
  assert.ok(Math.abs(parts[0]![FRAME]! - levelOf(1)) < 1e-5)
  assert.deepEqual(result.notices, [])
  assert.match((await say(engine, text('Hi', {}, { num_step: 99 }))).result.notices.join(), /16 were used/)
})

test('a recording is encoded once, and its rows follow the start row of a voice', async (t) => {
  const { engine, of } = planted(t)
  const { audio, result } = await sayWith(engine, text('Hello.'), wav(0.6))
  assert.equal(result!.voice, 'reference')
  assert.equal(audio.length, framesOf(6) * FRAME)
  const encoded = of('mimi_encoder')[0]!['audio']!
  assert.deepEqual(encoded.dims, [1, 1, RATE * 1.08], 'with a pause of 80 ms')
  assert.deepEqual([encoded.values[RATE - 1], encoded.values[RATE * 1.08 - 1]], [0, 0])
  const voiced = of('flow_lm_main')[0]!['text_embeddings']!
  assert.deepEqual(voiced.dims, [1, 3, 4])
  assert.deepEqual(
    [...voiced.values].map((value) => Math.round(Number(value) * 100)),
    [0, 0, 0, 0, 75, 75, 75, 75, 75, 75, 75, 75],
  )
  await sayWith(engine, text('Again.'), wav(0.6))
  assert.equal(of('mimi_encoder').length, 1)
  engine.forgetVoices!('', null)
  await sayWith(engine, text('Again.'), wav(0.6))
  assert.equal(of('mimi_encoder').length, 2)
  await assert.rejects(sayWith(engine, text('Hello.'), wav(0)), { code: 'INVALID_TASK_PARAMS', message: /silent/ })
})

test('a piece is limited by the tokens of the bundle and the remaining context', async (t) => {
  const { engine, of } = planted(t, { ...pocketFiles(), 'voices.bin': voicesFile({ alba: voice(1_000) }) })
  const { parts, result } = await say(engine, text('One two three four five six seven eight.'))
  const tokens = of('text_conditioner').map((fed) => fed['token_ids']!.dims[1]!)
  assert.ok(tokens.length >= 2 && tokens.every((count) => count <= BUNDLE.max_token_per_chunk), tokens.join())
  const frames = tokens.map((count) => Math.min(CAPACITY - 3 - count, Math.ceil((count / 3 + 2) * 12.5)))
  assert.equal(parts[0]!.length, frames.reduce((sum, count) => sum + count, 0) * FRAME)
  assert.match(result.notices.join(), new RegExp(`${tokens.length} pieces of the text exceeded`))
})

test('each language has its own model; the first downloaded one is the default', async (t) => {
  const { engine } = planted(t, null, { de: { ...pocketFiles(), 'voices.bin': voicesFile({ hans: voice(7) }) } })
  assert.deepEqual(engine.describe()[0]!.languages, ['de'])
  for (const language of [null, 'auto', 'de-AT']) assert.equal((await say(engine, text('Hallo.', {}, { language }))).result.voice, 'hans')
  await assert.rejects(say(engine, text('Hello.', {}, { language: 'en' })), { code: 'MODEL_NOT_DOWNLOADED', message: /"en"/ })
  await assert.rejects(say(engine, text('Hello.', {}, { language: 'ja' })), { code: 'INVALID_TASK_PARAMS', message: /language/ })
})

test('without stored voices a reference recording is required', async (t) => {
  const { 'voices.bin': _, ...rest } = pocketFiles()
  const { engine } = planted(t, rest)
  assert.deepEqual(engine.describe()[0]!.voices, [])
  await assert.rejects(say(engine, text('Hello.')), { code: 'INVALID_TASK_PARAMS', message: /reference/ })
  assert.equal((await sayWith(engine, text('Hello.'), wav(0.3))).audio.length, framesOf(3) * FRAME)
})

test('a cancellation takes effect between two steps', async (t) => {
  const { engine, of } = planted(t)
  const abort = new AbortController()
  const run = engine.run('tts', text('Hello.', {}, { voice: 'jean' }), abort.signal)[Symbol.asyncIterator]()
  await run.next()
  abort.abort(new Error('enough'))
  const steps = of('flow_lm_main').length
  await assert.rejects(async () => {
    for (;;) if ((await run.next()).done) return
  }, /enough/)
  assert.ok(of('flow_lm_main').length <= steps + 1)
})

test('a wrong export is rejected with all differences', async (t) => {
  const { engine } = planted(t, { ...pocketFiles(), 'flow_lm_main.onnx': model(GRAPHS['mimi_decoder']!) })
  await assert.rejects(engine.load(), (error: Error & { detail?: { wrong: string[] } }) => {
    assert.match(error.message, /flow_lm_main\.onnx is the wrong export/)
    const wrong = error.detail!.wrong.join('; ')
    for (const part of [
      'sequence is missing',
      'state_0 is bool, not float32',
      'state_3 is missing',
      'latent is unknown',
      'eos_logit is missing',
    ])
      assert.match(wrong, new RegExp(part))
    return true
  })
})

test('damaged files are named, and non-finite output is an error', async (t) => {
  const states = BUNDLE.flow_lm_state_manifest
  const broken: [string, string | Uint8Array, RegExp][] = [
    ['bundle.json', JSON.stringify({ ...BUNDLE, tokenizer_file: '../x' }), /tokenizer_file/],
    ['bundle.json', JSON.stringify({ ...BUNDLE, flow_lm_state_manifest: [{ ...states[3], shape: [2 ** 14, 2 ** 14] }] }), /too large/],
    ['bundle.json', JSON.stringify({ ...BUNDLE, flow_lm_state_manifest: [{ ...states[1], fill: 'nan' }] }), /only floats/],
    ['bos_before_voice.npy', npy([1, 1, 3], [1, 2, 3]), /bos_before_voice\.npy.*4 wide/],
    ['voices.bin', Buffer.from('PTVB2'), /voices\.bin/],
    ['voices.bin', voicesFile({ alba: voice(4) }).subarray(0, 80), /voices\.bin.*ends early/],
    ['tokenizer.model', 'no', /tokenizer\.model/],
  ]
  for (const [name, content, message] of broken) {
    await assert.rejects(planted(t, { ...pocketFiles(), [name]: content }).engine.load(), { code: 'MODEL_NOT_DOWNLOADED', message })
  }
  const initializers = GRAPHS['flow_lm_flow']!.initializers!.map((each) => (each.name === 'whole' ? { ...each, values: [0] } : each))
  await assert.rejects(say(planted(t, pocketFiles({ flow_lm_flow: { initializers } })).engine, text('Hello.')), {
    code: 'NON_FINITE_OUTPUT',
  })
  const absent = planted(t, null).engine
  assert.equal(absent.describe()[0]!.downloaded, false)
  assert.match(absent.describe()[0]!.reason!, /not downloaded/)
  await assert.rejects(absent.load(), { code: 'MODEL_NOT_DOWNLOADED' })
})

test('the default voice is the declared one', async (t) => {
  const { engine } = planted(t, pocketFiles(), { de: pocketFiles() })
  await speaksAsDeclared(engine, 'Hello there', ['', 'en', 'de'])
})
