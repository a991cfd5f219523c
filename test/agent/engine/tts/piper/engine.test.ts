// Piper end to end with planted voices that return the ids, the speaker and the noise that they received.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/define.ts'
import { piper, sherpaVoices } from '#agent/engine/tts/piper/engine.ts'
import { lengthScale } from '#agent/engine/tts/piper/network.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { annotated } from '#shared/text/pronunciation/annotation.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { type Said, say, speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'
import { PIPER_PER_ID, piperConfig, piperFiles, piperGraph } from '#test/support/models/piper-model.ts'
import { idsHeard } from '#test/support/models/styled-model.ts'

const JOE = 'en_US-joe-medium'
const ARU = 'en_GB-aru-medium'
const GERMAN = 'de_DE-thorsten-medium'
const LETTERS = 'uk_UA-ukrainian_tts-medium'
const RATE = 22_050
/** After a sentence, in samples. */
const PAUSE = 0.4 * RATE
const asked: string[] = []
const letters = async (text: string, voice: string) => {
  asked.push(voice)
  return text.toLowerCase()
}
const onOneThread: typeof openGraph = (file, wish) => {
  assert.deepEqual([wish.device, wish.threads], ['cpu', 2], 'the same samples on every machine')
  return openGraph(file, { ...wish, threads: 1 })
}
type Files = Readonly<Record<string, Uint8Array | string>>

function planted(t: TestContext, models: Readonly<Record<string, Files>>, definition = piper) {
  const paths = new Map(Object.entries(models).map(([name, files]) => [name, filesIn(t, files)]))
  const deps: EngineDeps = {
    clock: systemClock,
    path: process.env['PATH'] ?? '',
    filesOf: (engine, model) => (engine === 'piper' ? (paths.get(model) ?? null) : null),
  }
  const engine = definition.create(deps, { open: onOneThread, phonemize: letters })
  t.after(() => engine.unload())
  return engine
}
const one = (t: TestContext, config?: string, graph?: Uint8Array) => planted(t, { [JOE]: piperFiles(JOE, config, graph) })
const text = (words: string, seed = 0) => ({ segments: [{ text: words, seed }] })
/** Input of the network for a part of one sentence. */
const heard = ({ parts }: Said, speaker = 0) => idsHeard(parts[0]!.subarray(0, -PAUSE), speaker * 500, PIPER_PER_ID)

test('a sentence begins, every symbol is followed by the padding, and it ends', async (t) => {
  const said = await say(one(t), text('ab.'))
  assert.deepEqual(heard(said), [1, 0, 5, 0, 6, 0, 4, 0, 2])
  assert.equal(said.result.voice, JOE)
  assert.equal(said.result.sample_rate, RATE)
  const accented = await say(one(t), text('á.'))
  assert.deepEqual(heard(accented), [1, 0, 5, 0, 31, 0, 4, 0, 2], 'marks are symbols of their own')
  const foreign = await say(one(t), text('aж.'))
  assert.deepEqual(foreign.result.notices, ['1 sounds that this voice does not support were left out.'])
  const clusters = piperConfig({ vowel_clusters: [['a', 'b']], phoneme_id_map: { _: [0], '^': [1], $: [2], a: [5], b: [6], ab: [9] } })
  assert.deepEqual(heard(await say(one(t, clusters), text('aab.'))), [1, 0, 5, 0, 9, 0, 2])
})

test('the same seed gives the same bytes, in another engine too, and another seed gives others', async (t) => {
  const [first, second] = [one(t), one(t)]
  const bytes = async (engine: typeof first, seed: number) => Buffer.from((await say(engine, text('abc. def.', seed))).parts[0]!.buffer)
  const reference = await bytes(first, 7)
  assert.ok(reference.equals(await bytes(first, 7)))
  assert.ok(reference.equals(await bytes(second, 7)))
  assert.ok(!reference.equals(await bytes(first, 8)))
  const silent = one(t, piperConfig({ inference: { noise_scale: 0, length_scale: 1, noise_w: 0 } }))
  assert.ok((await bytes(silent, 7)).equals(await bytes(silent, 8)), 'the scales of the configuration are used')
})

test('speed stretches the sentence, and a duration is met', async (t) => {
  const engine = one(t)
  const at = async (more: object) => (await say(engine, { ...text('abcd.'), ...more })).parts[0]!.length
  assert.equal(await at({}), 13 * PIPER_PER_ID + PAUSE)
  for (const speed of [0.5, 1.25, 1.5])
    assert.equal(await at({ speed }), 13 * Math.trunc(PIPER_PER_ID / speed) + Math.round(PAUSE / speed), `${speed}`)
  assert.deepEqual((await say(engine, { ...text('abcd.'), speed: 2 })).result.notices, [
    'This voice supports speeds from 0.5 to 1.5; the nearest one was used.',
  ])
  assert.equal(lengthScale(1, 16_000), 1)
  assert.ok(lengthScale(1.5, RATE) < 1 / 1.5 && lengthScale(0.5, RATE) > 2, 'every symbol is rounded up')
  const slowed = Math.trunc(PIPER_PER_ID * 2 - (PIPER_PER_ID * 0.45) / ((0.0244 * RATE) / 256))
  const slow = one(t, piperConfig({ inference: { length_scale: 2 } }))
  assert.equal((await say(slow, text('abcd.'))).parts[0]!.length, 13 * slowed + PAUSE)
  const duration = (20 * PIPER_PER_ID) / RATE
  assert.ok(Math.abs((await at({ duration })) - duration * RATE) < 100)
})

test('a text is spoken a sentence at a time, the first one from its first clause', async (t) => {
  const spoken: string[] = []
  const paths = filesIn(t, piperFiles(JOE))
  const engine = piper.create(
    { clock: systemClock, path: '', filesOf: (_engine, model) => (model === JOE ? paths : null) },
    {
      open: onOneThread,
      phonemize: async (words) => {
        spoken.push(words)
        return 'abc'
      },
    },
  )
  t.after(() => engine.unload())
  await say(
    engine,
    text('When the rain had ended, all of the children ran outside to play in the garden. It was wet. Dr. Smith came at 5.'),
  )
  assert.deepEqual(spoken, [
    'When the rain had ended,',
    'all of the children ran outside to play in the garden.',
    'It was wet.',
    'Doctor Smith came at five.',
  ])
})

test('a piece with too many symbols is cut without loss, and a word that is too long is cut with a notice', async (t) => {
  const long = (words: string) => words.replace(/[a-z]/g, (letter) => letter.repeat(200))
  const paths = filesIn(t, piperFiles(JOE))
  const engine = piper.create(
    { clock: systemClock, path: '', filesOf: (_engine, model) => (model === JOE ? paths : null) },
    { open: onOneThread, phonemize: async (words) => long(words) },
  )
  t.after(() => engine.unload())
  const words = await say(engine, text('a b c d e f'))
  assert.deepEqual(words.result.notices, [])
  assert.ok(words.parts[0]!.length >= 6 * 2 * 200 * PIPER_PER_ID, `${words.parts[0]!.length}`)
  const { result } = await say(engine, text('abcdef'))
  assert.deepEqual(result.notices, ['1203 sounds that this voice does not support were left out.'])
})

test('a speaker is named after the model, which alone means the usual one', async (t) => {
  const config = piperConfig({
    language: { code: 'en_GB' },
    num_speakers: 3,
    speaker_id_map: { '03': 2, '01': 0, '02': 1 },
    default_speaker_id: 1,
  })
  const engine = planted(t, { [ARU]: piperFiles(ARU, config, piperGraph({ speakers: true })) })
  const [described] = engine.describe()
  assert.deepEqual(
    described!.voices.map(({ id }) => id),
    [`${ARU}:01`, `${ARU}:02`, `${ARU}:03`],
  )
  for (const [voice, id, speaker] of [
    [`${ARU}:03`, `${ARU}:03`, 2],
    [ARU, `${ARU}:02`, 1],
    [null, `${ARU}:02`, 1],
    ['aru 01 (en-gb, medium)', `${ARU}:01`, 0],
  ] as const) {
    // biome-ignore format: a table
    const said = await say(engine, { ...text('ab.'), voice })
    assert.equal(said.result.voice, id)
    assert.deepEqual(heard(said, speaker), [1, 0, 5, 0, 6, 0, 4, 0, 2], id)
    assert.deepEqual(said.result.notices, [])
  }
})

test('a voice of letters reads the text itself', async (t) => {
  const config = piperConfig({ phoneme_type: 'text', espeak: { voice: '' }, language: { code: 'uk_UA' } }, [...'_^$ .аб'])
  const engine = planted(t, { [LETTERS]: piperFiles(LETTERS, config) })
  asked.length = 0
  const said = await say(engine, text('Аб'))
  assert.deepEqual(idsHeard(said.parts[0]!, 0, PIPER_PER_ID), [1, 0, 5, 0, 6, 0, 2])
  assert.deepEqual(asked, [])
  assert.equal(engine.describe()[0]!.phones, '')
})

test('the language selects a voice, a voice its language, and a model its voice', async (t) => {
  const low = piperConfig({ audio: { sample_rate: 16_000 }, espeak: { voice: 'de' }, language: { code: 'de_DE' } })
  const models = { [JOE]: piperFiles(JOE), [GERMAN]: piperFiles(GERMAN, low) }
  for (const definition of [piper, sherpaVoices]) {
    const engine = planted(t, models, definition)
    asked.length = 0
    const german = await say(engine, { ...text('a'), language: 'de-AT' })
    assert.deepEqual([german.result.voice, german.result.sample_rate], [GERMAN, 16_000])
    assert.equal((await say(engine, { ...text('a'), language: 'de', voice: JOE.toLowerCase() })).result.voice, JOE)
    assert.deepEqual(asked, ['de', 'en-us'])
    await speaksAsDeclared(engine, 'a')
    const { result } = await say(engine, { ...text('a'), voice: 'unknown' })
    assert.deepEqual([result.voice, result.notices.length], [JOE, 1])
    await assert.rejects(say(engine, { ...text('a'), language: 'fr' }), {
      code: 'INVALID_TASK_PARAMS',
      message: `language: No downloaded voice of ${definition.id} speaks "fr".`,
    })
    const events = engine.run('tts', text('a'), new AbortController().signal, new Map(), GERMAN)
    for await (const event of events) if (event.kind === 'result') assert.equal(event.result['voice'], GERMAN)
  }
  const described = (definition: typeof piper) => planted(t, models, definition).describe()
  assert.deepEqual(
    described(piper).map(({ model, languages }) => [model, languages.join()]),
    [['', 'en,de'], [JOE, 'en'], [GERMAN, 'de']], // biome-ignore format: a table
  )
  assert.deepEqual(
    described(sherpaVoices).map(({ engine, model }) => [engine, model]),
    [['sherpa-onnx', '']],
  )
})

test('the voices that spoke last stay open, and no more than three', async (t) => {
  const names = [JOE, ARU, GERMAN, LETTERS]
  const paths = new Map(names.map((name) => [name, filesIn(t, piperFiles(name))]))
  const [opened, closed]: [string[], string[]] = [[], []]
  const open: typeof openGraph = async (file, wish) => {
    const name = names.find((each) => file.includes(each))!
    opened.push(name)
    const graph = await onOneThread(file, wish)
    return {
      ...graph,
      close: async () => {
        closed.push(name)
        await graph.close()
      },
    }
  }
  const deps: EngineDeps = { clock: systemClock, path: '', filesOf: (_engine, model) => paths.get(model) ?? null }
  const engine = piper.create(deps, { open, phonemize: letters })
  const speak = async (...voices: string[]) => {
    for (const voice of voices) await say(engine, { ...text('a'), voice })
  }
  await engine.load()
  await speak(JOE, ARU, JOE, GERMAN, ARU)
  await engine.load('')
  assert.deepEqual([opened, closed], [[JOE, ARU, GERMAN], []])
  await speak(LETTERS)
  assert.deepEqual([opened.length, closed], [4, [JOE]])
  await engine.unload()
  assert.equal(closed.length, 4)
  assert.equal(engine.placement!(), null)
})

test('what is missing or of another kind is named', async (t) => {
  const absent = planted(t, {})
  assert.match(absent.describe()[0]!.reason!, /not downloaded/)
  await assert.rejects(absent.load(), { code: 'MODEL_NOT_DOWNLOADED' })
  const refusals: [string | undefined, Uint8Array | undefined, RegExp][] = [
    ['{}', undefined, /en_US-joe-medium\.onnx\.json is not valid \(audio: /],
    [piperConfig({ audio: { sample_rate: 1e9 } }), undefined, /audio\.sample_rate/],
    [piperConfig({ espeak: { voice: '--help' } }), undefined, /names no voice of espeak-ng/],
    [piperConfig({ phoneme_id_map: { a: [1] } }), undefined, /lacks one of the symbols/],
    [piperConfig({ phoneme_type: 'pinyin' }), undefined, /reads pinyin, which cannot be made from text here/],
    [' '.repeat(2 ** 20) + piperConfig(), undefined, /cannot be read/],
    [undefined, piperGraph({ idsType: 'int32' }), /is the wrong export: input input is int32, not int64/],
    [undefined, piperGraph({ random: 'RandomUniformLike' }), /cannot be seeded \(RandomUniformLike\)/],
    [undefined, piperGraph().subarray(0, 300), /cannot be read: it ends inside a field/],
  ]
  for (const [config, graph, message] of refusals)
    await assert.rejects(one(t, config, graph).load(JOE), { code: 'MODEL_NOT_DOWNLOADED', message })
  await assert.rejects(say(one(t, undefined, piperGraph({ factor: Number.NaN })), text('ab')), { code: 'NON_FINITE_OUTPUT' })
})

const skip = findProgram('espeak-ng', process.env['PATH']) ? false : 'espeak-ng is not on this machine; ./studio setup installs it'
test('pronunciations within a text reach the network', { skip }, async (t) => {
  const paths = filesIn(t, piperFiles(JOE, piperConfig({}, [...'_^$ .abcdefghijklmnopqrstuvwxyzˈəʊ'])))
  const engine = piper.create(
    { clock: systemClock, path: process.env['PATH'] ?? '', filesOf: (_engine, model) => (model === JOE ? paths : null) },
    { open: onOneThread },
  )
  t.after(() => engine.unload())
  const { parts } = await say(engine, text(`${annotated('Tuck', 'tʊk')}.`))
  assert.deepEqual(
    idsHeard(parts[0]!.subarray(0, -PAUSE), 0, PIPER_PER_ID).filter((id) => id > 4),
    [24, 31, 33, 15],
  )
})
