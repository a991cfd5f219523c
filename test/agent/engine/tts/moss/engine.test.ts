// MOSS-TTS-Nano end to end with planted graphs; test/support/models/moss-model.ts describes their outputs.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type GraphFactory, openGraph, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/define.ts'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import { mossTtsNano } from '#agent/engine/tts/moss/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { say, speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'
import { CLASSES, CODEC, FRAME, GRAPHS, MANIFEST, mossFiles, RATE, SPEECH } from '#test/support/models/moss-model.ts'
import { model } from '#test/support/models/onnx-graph.ts'

type Seen = { readonly file: string; readonly fed: Readonly<Record<string, Tensor>> }
const onCpu: GraphFactory = (file, wish) => openGraph(file, { ...wish, device: 'cpu', threads: 1 })
/** `seen`: everything that any graph was fed, in order. */
function planted(t: TestContext, files: ReturnType<typeof mossFiles> | null = mossFiles()) {
  const paths = files && filesIn(t, files)
  const seen: Seen[] = []
  const watching: GraphFactory = async (file, wish) => {
    const graph = await onCpu(file, wish)
    const run: typeof graph.run = async (fed, asked) => {
      // What is fed may be written again by the next step.
      seen.push({ file: file.replace(/.*moss_(tts|audio_tokenizer)_|\.onnx/g, ''), fed: structuredClone(fed) })
      return await graph.run(fed, asked)
    }
    return { ...graph, run }
  }
  const deps: EngineDeps = { clock: systemClock, path: '', filesOf: () => paths }
  const engine = mossTtsNano.create(deps, watching)
  t.after(() => engine.unload())
  return { engine, seen, of: (file: string) => seen.filter((call) => call.file === file).map(({ fed }) => fed) }
}
const text = (text: string, more: object = {}, wanted: object = {}) => ({ segments: [{ text, ...more }], ...wanted })
/** Output of the planted decoder for frame n when its batches are of 1, 2, 4 and then 8 frames. */
const sampleOf = (frame: number) => (frame + 3 + (frame < 1 ? 0 : frame < 3 ? 1 : frame < 7 ? 3 : frame < 15 ? 7 : 15)) / 128
const wav = (peak: number, seconds = 1) => {
  const samples = new Float32Array(RATE * seconds).fill(peak)
  return new Map([
    ['reference', Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length, format: 's16' }), toS16(samples)])],
  ])
}
async function sayWith(engine: ReturnType<typeof mossTtsNano.create>, params: object, inputs: ReadonlyMap<string, Uint8Array>) {
  const events: EngineEvent[] = []
  for await (const event of engine.run('tts', params, new AbortController().signal, inputs)) events.push(event)
  const audio = events.flatMap((event) => (event.kind === 'audio' ? [...event.samples] : []))
  const last = events.at(-1)
  return { audio, result: last?.kind === 'result' ? (last.result as { voice: string; notices: string[] }) : null }
}

test('the loop emits the planted codes, carries the states of both graphs, and stops with the model', async (t) => {
  const { engine, of } = planted(t)
  const { parts, result, events } = await say(engine, text('Hello.'))
  const expected = Array.from({ length: 5 * FRAME }, (_, at) => Math.fround(sampleOf(Math.floor(at / FRAME))))
  assert.deepEqual([...parts[0]!], expected)
  assert.equal(result.sample_rate, RATE)
  assert.equal(result.voice, 'Junhao')
  assert.equal(result.device, 'cpu')
  assert.deepEqual(result.notices, ['This model produces stereo; both channels were mixed to mono.'])
  // Sound leaves before the model has ended.
  assert.deepEqual(
    events.flatMap((event) => (event.kind === 'audio' ? [event.samples.length / FRAME] : [])),
    [1, 2, 2],
  )
  assert.deepEqual(
    of('decode_step')
      .filter((fed) => 'past_valid_lengths' in fed)
      .map((fed) => fed['past_valid_lengths']!.values[0]),
    [18, 19, 20, 21, 22].map((length) => length - 18 + of('prefill')[0]!['input_ids']!.dims[1]!),
  )
})

test('the prompt matches upstream, and every sampled frame is fed back as a row', async (t) => {
  const { engine, of } = planted(t)
  await say(engine, text('Hi!'))
  const pad = 1024
  const ids = [...'▁Hi!'].map((char) => (char === '▁' ? 1 : char.charCodeAt(0) - 33 + 2))
  const textRow = (id: number) => [id, pad, pad, pad]
  const rows = [...[4, 11, 6].map(textRow), [8, 5, 1, 2], [8, 6, 1, pad], ...[7, 12, ...ids, 5, 13, 6].map(textRow)]
  const [first] = of('prefill')
  assert.deepEqual([...first!['input_ids']!.values], rows.flat())
  assert.deepEqual(first!['input_ids']!.dims, [1, rows.length, 4])
  assert.deepEqual([...first!['attention_mask']!.values], Array(rows.length).fill(1))
  const told = of('decode_step').filter((fed) => 'input_ids' in fed)
  assert.deepEqual(
    told.map((fed) => [...fed['input_ids']!.values].filter((_, at) => at !== 2)),
    [0, 1, 2, 3, 4].map((frame) => [9, frame + 3, frame]),
  )
  // The third code is how many first codes the graph was told that it used: none is forgotten.
  assert.equal(of('local_fixed_sampled_frame').length, 6)
})

test('a line break and the end of the text become end marks', async (t) => {
  const { engine, of } = planted(t)
  await say(engine, text('Hi\nyou'))
  const letter = (char: string) => char.charCodeAt(0) - 33 + 2
  // The planted tokenizer has no full-width mark, so both are the unknown token.
  const ids = [1, letter('H'), letter('i'), 0, letter('y'), letter('o'), letter('u'), 0]
  const fed = [...of('prefill')[0]!['input_ids']!.values].filter((_, at) => at % 4 === 0)
  assert.deepEqual(fed.slice(-ids.length - 3, -3), ids)
})

test('numbers of languages with tables reach the model as words, those of others as digits', async (t) => {
  const { engine, of } = planted(t)
  const lengths: number[] = []
  for (const [words, language] of [
    ['Room 12.', null],
    ['Room twelve.', null],
    ['Room 12.', 'en-GB'],
    ['Zimmer 12.', 'de'],
    ['Zimmer zwölf.', 'de'],
    ['部屋12。', 'ja'],
    ['部屋十二。', 'ja'],
  ] as const) {
    await say(engine, text(words, {}, { language }))
    lengths.push(of('prefill').at(-1)!['input_ids']!.dims[1]!)
  }
  const [bare, spelled, named, german, germanWords, japanese, japaneseWords] = lengths
  assert.deepEqual([bare, named, german], [spelled, spelled, germanWords])
  assert.notEqual(japanese, japaneseWords)
})

test('the seed determines the random numbers, and each piece has its own', async (t) => {
  const draws = async (params: object) => {
    const { engine, of } = planted(t)
    await say(engine, params)
    const fed = of('local_fixed_sampled_frame')
    const all = fed.flatMap((feeds) => [...feeds['assistant_random_u']!.values, ...feeds['audio_random_u']!.values].map(Number))
    assert.ok(all.every((draw) => draw >= 0 && draw < 1))
    return all
  }
  const one = await draws(text('Hello.', { seed: 7 }))
  assert.deepEqual(await draws(text('Hello.', { seed: 7 })), one)
  assert.notDeepEqual(await draws(text('Hello.', { seed: 8 })), one)
  const two = await draws(text(`${'a'.repeat(60)}. ${'B'.repeat(60)}.`, { seed: 7 }))
  assert.deepEqual(two.slice(0, one.length), one)
  assert.notDeepEqual(two.slice(one.length), one)
})

test('long text is cut by tokens into pieces within the budget, with pauses', async (t) => {
  const { engine, of } = planted(t)
  const { events } = await say(engine, text('This is one sentence of some length. '.repeat(6)))
  const lengths = of('prefill').map((fed) => fed['input_ids']!.dims[1]! - 10)
  assert.equal(lengths.length, 3)
  assert.ok(
    lengths.every((length) => length <= 75),
    lengths.join(),
  )
  const audio = events.flatMap((event) => (event.kind === 'audio' ? [event.samples.length] : []))
  assert.equal(audio.filter((length) => length === 0.24 * RATE).length, 2)
})

test('a model that does not end is cut, with a notice', async (t) => {
  const { parts, result } = await say(planted(t).engine, text('Hello.', {}, { voice: 'endless', speed: 2 }))
  assert.equal(parts[0]!.length, MANIFEST.generation_defaults.max_new_frames * FRAME)
  assert.equal(result.voice, 'Endless')
  assert.match(result.notices.join('\n'), /1 pieces of the text exceeded/)
  assert.match(result.notices.join('\n'), /fixed pace/)
})

test('known and unknown voices and languages', async (t) => {
  const { engine } = planted(t)
  const ava = await say(engine, text('Hello.', {}, { voice: 'ava', language: 'zh-CN' }))
  assert.deepEqual([ava.result.voice, ava.parts[0]!.length], ['Ava', 9 * FRAME])
  const unknown = await say(engine, text('Hello.', {}, { voice: 'unknown' }))
  assert.match(unknown.result.notices.join(), /no voice "unknown"; Junhao/)
  await assert.rejects(say(engine, text('Hello.', {}, { language: 'xx' })), { code: 'INVALID_TASK_PARAMS', message: /language/ })
  assert.deepEqual(
    engine.describe()[0]!.voices.map(({ id, name }) => [id, name]),
    [
      ['Junhao', 'Planted one'],
      ['Ava', 'Ava'],
      ['Endless', 'Endless'],
    ],
  )
})

test('a reference recording is encoded once on both channels, and its codes are part of the prompt', async (t) => {
  const { engine, of } = planted(t)
  const { audio, result } = await sayWith(engine, text('Hello.'), wav(0.7))
  assert.equal(result!.voice, 'reference')
  assert.equal(audio.length, 7 * FRAME)
  const [encoded] = of('encode')
  assert.deepEqual(encoded!['waveform']!.dims, [1, 2, RATE])
  assert.equal(encoded!['input_lengths']!.values[0], RATE)
  assert.ok([...(encoded!['waveform']!.values as Float32Array)].every((sample) => Math.abs(sample - 0.7) < 1e-3))
  await sayWith(engine, text('Again.'), wav(0.7))
  assert.equal(of('encode').length, 1)
  engine.forgetVoices!('', null)
  await sayWith(engine, text('Again.'), wav(0.7))
  assert.equal(of('encode').length, 2)
  await assert.rejects(sayWith(engine, text('Hello.'), wav(0)), { code: 'INVALID_TASK_PARAMS', message: /silent/ })
  await assert.rejects(sayWith(engine, text('Hello.'), wav(0.5, 0.1)), { code: 'INVALID_TASK_PARAMS', message: /shorter/ })
  const long = await sayWith(engine, text('Hello.'), wav(0.3, 25))
  assert.match(long.result!.notices.join(), /first 20 seconds/)
  assert.equal(of('encode').at(-1)!['waveform']!.dims[2], 20 * RATE)
})

test('a cancellation takes effect between two steps', async (t) => {
  const { engine, of } = planted(t)
  const abort = new AbortController()
  const run = engine.run('tts', text('Hello.', {}, { voice: 'Endless' }), abort.signal)[Symbol.asyncIterator]()
  await run.next()
  abort.abort(new Error('enough'))
  const steps = of('local_fixed_sampled_frame').length
  await assert.rejects(async () => {
    for (;;) if ((await run.next()).done) return
  }, /enough/)
  assert.ok(of('local_fixed_sampled_frame').length <= steps + 1)
})

test('a wrong export is rejected with all differences', async (t) => {
  const frame = GRAPHS['moss_tts_local_fixed_sampled_frame.onnx']!
  const wrong = { ...mossFiles(), 'moss_tts_decode_step.onnx': model(frame) }
  await assert.rejects(planted(t, wrong).engine.load(), (error: Error & { detail?: { wrong: string[] } }) => {
    assert.match(error.message, /moss_tts_decode_step\.onnx is the wrong export/)
    const wrong = error.detail!.wrong.join('; ')
    for (const part of ['input_ids is missing', 'past_key_0 is missing', 'repetition_seen_mask is unknown', 'present_value_0 is missing'])
      assert.match(wrong, new RegExp(part))
    return true
  })
})

test('files that do not fit together are named', async (t) => {
  const broken: [string, object, RegExp][] = [
    ['browser_poc_manifest.json', { ...MANIFEST, tts_config: { ...MANIFEST.tts_config, n_vq: 2 } }, /num_quantizers is not n_vq/],
    [
      'browser_poc_manifest.json',
      { ...MANIFEST, builtin_voices: [{ voice: 'x', prompt_audio_codes: [[CLASSES]] }] },
      /codes that do not exist/,
    ],
    ['tts_browser_onnx_meta.json', { ...SPEECH, onnx: { ...SPEECH.onnx, decode_input_names: ['a', 'b', 'past_key_0'] } }, /the caches/],
    ['tts_browser_onnx_meta.json', { ...SPEECH, files: { ...SPEECH.files, prefill: '../../etc/passwd' } }, /files\.prefill/],
    ['codec/codec_browser_onnx_meta.json', { ...CODEC, codec_config: { ...CODEC.codec_config, channels: 0 } }, /channels/],
    [
      'codec/codec_browser_onnx_meta.json',
      {
        ...CODEC,
        streaming_decode: { transformer_offsets: [{ input_name: 'a', output_name: 'b', shape: [2 ** 20, 2 ** 20] }], attention_caches: [] },
      },
      /too large/,
    ],
  ]
  for (const [name, content, message] of broken) {
    const { engine } = planted(t, { ...mossFiles(), [name]: JSON.stringify(content) })
    await assert.rejects(engine.load(), { code: 'MODEL_NOT_DOWNLOADED', message })
  }
  await assert.rejects(planted(t, { ...mossFiles(), 'tokenizer.model': 'text' }).engine.load(), {
    message: /tokenizer\.model is not a SentencePiece/,
  })
  const { 'codec/moss_audio_tokenizer_decode_step.onnx': _, ...rest } = mossFiles()
  await assert.rejects(planted(t, rest).engine.load(), { code: 'MODEL_NOT_DOWNLOADED', message: /decode_step\.onnx/ })
})

test('missing files are reported, and non-finite output is an error', async (t) => {
  const { engine } = planted(t, null)
  assert.equal(engine.describe()[0]!.downloaded, false)
  assert.match(engine.describe()[0]!.reason!, /not downloaded/)
  await assert.rejects(engine.load(), { code: 'MODEL_NOT_DOWNLOADED' })
  const name = 'moss_audio_tokenizer_decode_step.onnx'
  const initializers = GRAPHS[name]!.initializers!.map((each) => (each.name === 'scale' ? { ...each, values: [0] } : each))
  await assert.rejects(say(planted(t, mossFiles({ [name]: { initializers } })).engine, text('Hello.')), { code: 'NON_FINITE_OUTPUT' })
})

test('the default voice is the declared one', async (t) => {
  await speaksAsDeclared(planted(t).engine, 'Hello.', ['', 'en', 'de'])
})
