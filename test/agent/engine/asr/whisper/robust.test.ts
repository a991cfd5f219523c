// Whisper with networks that repeat themselves, invent sentences or never end, and with recordings without speech.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fasterWhisper } from '#agent/engine/asr/whisper/engine.ts'
import { openPipeline } from '#agent/engine/runtimes/transformers/library.ts'
import { openWhisper } from '#agent/engine/runtimes/transformers/whisper.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { asAudio, eventsOf, join, noise, resultOf, spoken } from '#test/agent/engine/audio/recording.ts'
import { plantedWhisper, stamp } from '#test/agent/engine/runtimes/transformers/planted.ts'
import { everywhere, inSpeech, whisper } from './open.ts'

const RATE = 16_000
const END = '<|endoftext|>'
const { signal } = new AbortController()
const sound = (seconds: number) => noise(Math.round(RATE * seconds), 0.05, 1)
type Options = { readonly planted?: Parameters<typeof plantedWhisper>[1]; readonly finder?: typeof everywhere; readonly params?: object }
async function recognised(
  t: TestContext,
  samples: Float32Array,
  { planted, finder = everywhere, params = {} }: Options,
): Promise<AsrResult> {
  const engine = whisper(plantedWhisper(t, planted), 'faster-whisper', null, finder)
  const events = await eventsOf(engine.run('asr', params, signal, asAudio(samples)))
  await engine.unload()
  return resultOf<AsrResult>(events)
}
const timesOf = ({ segments }: AsrResult) =>
  segments.map(({ start, end, text }) => [Number(start.toFixed(2)), Number(end.toFixed(2)), text])

test('a network that returns to 0 s after each word ends', async (t) => {
  const result = await recognised(t, sound(4), { planted: { chain: [stamp(0), 'Ġhello', stamp(0)], maxLength: 80 } })
  assert.match(result.text, /^hello/)
  for (const { start, end } of result.segments) assert.ok(start < end && end <= 4)
  assert.match(result.notices.join(), /not sure of these parts: 0:00 to 0:04/)
})

test('the loop of the library over a recording, which is not used, does not end with that network', async (t) => {
  type Steps = { (samples: Float32Array, options: object): Promise<unknown>; model: { forward: (inputs: object) => Promise<object> } }
  const files = plantedWhisper(t, { chain: [stamp(0), 'Ġhello', stamp(0)], maxLength: 40 })
  const { pipeline } = await openPipeline<Steps>('automatic-speech-recognition', files)
  const forward = pipeline.model.forward.bind(pipeline.model)
  let steps = 0
  // One pass takes at most 40 steps, and 4 s of sound need one pass.
  pipeline.model.forward = async (inputs) => {
    if (++steps > 200) throw new Error('it goes on')
    return await forward(inputs)
  }
  await assert.rejects(pipeline(sound(4), { return_timestamps: true, language: 'en', task: 'transcribe' }), /it goes on/)
})

test('a network that repeats a word for ever is stopped, and its text is left out with a notice', async (t) => {
  const result = await recognised(t, sound(4), { planted: { chain: [stamp(0), 'Ġhello', 'Ġhello'], maxLength: 80 } })
  assert.deepEqual([result.text, result.segments], ['', []])
  assert.deepEqual(result.notices, ['faster-whisper left out text that repeats itself: 0:00 to 0:04.'])
})

test('a cancellation ends a window before its next token', async (t) => {
  const files = plantedWhisper(t, { chain: [stamp(0), 'Ġhello', 'Ġhello'] })
  const network = await openWhisper(files)
  const abort = new AbortController()
  let tokens = 0
  const run = network.generate(await network.encode(sound(4)), {
    prefix: [network.startOfTranscript],
    maxTokens: 444,
    isFiltered: true,
    pick: () => {
      tokens++
      if (tokens === 5) abort.abort(new Error('cancelled here'))
      return 0
    },
    signal: abort.signal,
  })
  await assert.rejects(run, /cancelled here/)
  assert.equal(tokens, 5)
  await network.close()

  await t.test('and ends the run', async () => {
    const during = new AbortController()
    const finder: typeof everywhere = async () => {
      const found = await everywhere()
      return {
        ...found,
        find(samples, given) {
          // Each token takes at least one turn of the event loop.
          void (async () => {
            for (let turns = 0; turns < 100; turns++) await nextTurn()
            during.abort(new Error('cancelled'))
          })()
          return found.find(samples, given)
        },
      }
    }
    const engine = whisper(files, 'faster-whisper', null, finder)
    const progress: number[] = []
    const started = (async () => {
      for await (const event of engine.run('asr', {}, during.signal, asAudio(sound(4))))
        if (event.kind === 'progress') progress.push(event.progress)
    })()
    await assert.rejects(started, /cancelled/)
    assert.deepEqual(progress, [], 'the first window was not finished')
    await engine.unload()
  })
})

test('an uncertain text is left out with a notice where the network finds no speech', async (t) => {
  const planted = { chain: [stamp(0), 'Ġhello', stamp(0)], detected: '<|nospeech|>', maxLength: 80 }
  const result = await recognised(t, sound(4), { planted })
  assert.deepEqual([result.text, result.segments], ['', []])
  assert.deepEqual(result.notices, ['faster-whisper left out parts without clear speech: 0:00 to 0:04.'])
})

test('a recording of exactly 30 s has one window, and one without samples is refused', async (t) => {
  await assert.rejects(recognised(t, sound(0), { finder: inSpeech }), /The recording is empty/)
  const chain = [stamp(0), 'Ġhello', stamp(29), END]
  assert.deepEqual(timesOf(await recognised(t, sound(30), { planted: { chain } })), [[0, 29, 'hello']])
})

test('the first timestamp is at most one second', async (t) => {
  const result = await recognised(t, sound(4), { planted: { chain: [stamp(3), 'Ġhello', stamp(3.5), END] } })
  assert.ok(result.segments.every(({ start }) => start <= 1))
})

test('sentences after the end of short sound are dropped', async (t) => {
  const chain = [stamp(0), 'Ġhello', stamp(1), stamp(3), 'Ġagain', stamp(4), END]
  assert.deepEqual(timesOf(await recognised(t, sound(2), { planted: { chain } })), [[0, 1, 'hello']])
  assert.deepEqual(timesOf(await recognised(t, sound(3.5), { planted: { chain } })), [
    [0, 1, 'hello'],
    [3, 3.5, 'again'],
  ])
})

test('decoding goes on from the end of the last sentence while more than a second is left', async (t) => {
  const chain = [stamp(0), 'Ġhello', stamp(1), stamp(1.02), END]
  const result = await recognised(t, sound(3.5), { planted: { chain } })
  assert.deepEqual(timesOf(result), [
    [0, 1, 'hello'],
    [1, 2, 'hello'],
    [2, 3, 'hello'],
  ])
  const { tokens, ...figures } = result.segments[0]!.decoding!
  assert.equal(tokens!.length, 3)
  assert.ok(figures.avg_logprob! > -0.1 && figures.no_speech_prob! < 0.01 && figures.temperature === 0 && figures.compression_ratio! < 1)
})

test('nothing is recognised in silence, noise and music', async (t) => {
  const SECONDS = 6
  const chord = Float32Array.from({ length: RATE * SECONDS }, (_, at) => {
    const time = at / RATE
    const beat = Math.exp(-4 * (time % 0.5))
    return 0.2 * beat * [220, 277.2, 329.6, 440].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * time), 0)
  })
  for (const [name, samples] of [
    ['silence', new Float32Array(RATE * SECONDS)],
    ['quiet noise', noise(RATE * SECONDS, 0.005, 2)],
    ['noise', noise(RATE * SECONDS, 0.1, 3)],
    ['music', chord],
  ] as const) {
    const result = await recognised(t, samples, { finder: inSpeech })
    assert.deepEqual([result.text, result.segments, result.language, result.duration], ['', [], '', SECONDS], name)
    assert.deepEqual(result.notices, ['No speech was found in the recording.'], name)
  }
})

test('one word in a minute is found where it is spoken, and costs one window', async (t) => {
  const [word] = await spoken(['Wonderful.'])
  const before = new Float32Array(RATE * 31)
  const minute = join([before, word!, new Float32Array(RATE * 60 - before.length - word!.length)])
  const chain = [stamp(0.4), 'Ġhello', stamp(1), END]
  const result = await recognised(t, minute, { planted: { chain }, finder: inSpeech })
  assert.equal(result.segments.length, 1)
  const [{ start, end }] = result.segments as [AsrResult['segments'][number]]
  assert.ok(Math.abs(start - 31) < 0.4 && end < 32.6 && end > start, `${start} to ${end}`)
  assert.equal(result.duration, 60)
})

test('pieces keep their own blanks, of which Chinese has none', async (t) => {
  const chain = [stamp(0), 'ä½łå¥½', stamp(1), stamp(1.02), 'åĨįè§ģ', stamp(2), END]
  assert.equal((await recognised(t, sound(3), { planted: { chain } })).text, '你好再见')
})

test('Javanese has its ISO code outside of the network', async (t) => {
  const engine = whisper(plantedWhisper(t, { detected: '<|jw|>' }))
  const languageWith = async (params: object) =>
    resultOf<AsrResult>(await eventsOf(engine.run('asr', params, signal, asAudio(sound(3))))).language
  for (const language of [null, 'jv', 'jw', 'jv-ID']) assert.equal(await languageWith({ language }), 'jv', String(language))
  await engine.unload()
})

test('a model that only transcribes refuses to translate, and the default model translates', async (t) => {
  const turbo = plantedWhisper(t, { encoderLayers: 32 })
  const small = plantedWhisper(t)
  const both = fasterWhisper.create(
    { filesOf: (_engine, name) => (name === 'large-v3-turbo' ? turbo : name === 'small' ? small : null) },
    undefined,
    everywhere,
  )
  const translated = (model: string) => eventsOf(both.run('asr', { task: 'translate' }, signal, asAudio(sound(3)), model))
  const refused = (error: unknown) =>
    error instanceof Failure && error.code === 'INVALID_TASK_PARAMS' && /large-v3-turbo only transcribes.*small or base/.test(error.message)
  await assert.rejects(translated('large-v3-turbo'), refused)
  assert.equal(resultOf<AsrResult>(await translated('')).language, 'en')
  assert.equal(resultOf<AsrResult>(await eventsOf(both.run('asr', {}, signal, asAudio(sound(3)), ''))).language, 'de')
  await both.unload()
  const only = whisper(turbo)
  await assert.rejects(
    eventsOf(only.run('asr', { task: 'translate' }, signal, asAudio(sound(3)))),
    /downloaded Whisper models only transcribe/,
  )
})
