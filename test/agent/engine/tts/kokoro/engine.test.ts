// Kokoro end to end with a planted graph that returns the ids and the style row that it received.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/define.ts'
import { toKokoroSymbols } from '#agent/engine/speech/kokoro-symbols.ts'
import { kokoro } from '#agent/engine/tts/kokoro/engine.ts'
import type { KokoroSymbols } from '#agent/engine/tts/kokoro/symbols.ts'
import { styleRow, voiceLanguage } from '#agent/engine/tts/kokoro/voices.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { say, speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'
import { idsHeard, PER_ID, styledGraph, voiceTable } from '#test/support/models/styled-model.ts'

const VOICE = new Uint8Array(voiceTable(510).buffer)
const vocab = Object.fromEntries([...'$abcdefghijklmnopqrstuvwxyz .Aɔʧ'].map((symbol, id) => [symbol, id]))
const FILES = {
  'onnx/model.onnx': styledGraph(),
  'tokenizer.json': JSON.stringify({ model: { vocab } }),
  'voices/af_heart.bin': VOICE,
  'voices/bm_george.bin': VOICE,
  'voices/ff_siwis.bin': VOICE,
  'voices/jf_alpha.bin': VOICE,
}
const asked: string[] = []
const by = (symbols: (text: string) => string): KokoroSymbols => ({ symbols: async (text) => symbols(text), close: async () => {} })
const letters: KokoroSymbols = {
  async symbols(text, { spells }) {
    asked.push(spells)
    return text.toLowerCase()
  },
  close: async () => {},
}
const onCpu: typeof openGraph = (file, wish) => openGraph(file, { ...wish, device: 'cpu', threads: 1 })

function planted(t: TestContext, files: Readonly<Record<string, Uint8Array | string>> | null = FILES, open = onCpu) {
  const paths = files && filesIn(t, files)
  const deps: EngineDeps = { clock: systemClock, path: process.env['PATH'] ?? '', filesOf: () => paths }
  const engine = kokoro.create(deps, { open, pronunciation: letters })
  t.after(() => engine.unload())
  return engine
}
const text = (words: string) => ({ segments: [{ text: words }] })
/** After a sentence, in samples. */
const PAUSE = 9_600
/** Input of the graph for the only piece of a part. */
const heard = (part: Float32Array, row: number) => idsHeard(part.subarray(0, -PAUSE), row)

test('ids are padded with zeros, and their number selects the style row', async (t) => {
  const { parts, result } = await say(planted(t), text('abc.'))
  assert.deepEqual(heard(parts[0]!, 4), [0, 1, 2, 3, 28, 0])
  assert.equal(result.voice, 'af_heart')
  assert.equal(result.sample_rate, 24_000)
  assert.equal(styleRow(0), 0)
  assert.equal(styleRow(10_000), 509)
})

test('a run uses the model that it names, and every downloaded model is offered', async (t) => {
  const [first, second] = [filesIn(t, FILES), filesIn(t, FILES)]
  const opened: string[] = []
  const engine = kokoro.create(
    { clock: systemClock, path: '', filesOf: (_engine, model) => (model === 'fp16' ? first : model === 'q8' ? second : null) },
    {
      open: (file, wish) => {
        opened.push(file)
        return onCpu(file, wish)
      },
      pronunciation: letters,
    },
  )
  t.after(() => engine.unload())
  assert.deepEqual(
    engine.describe().map(({ model, downloaded }) => [model, downloaded]),
    [
      ['', true],
      ['fp16', true],
      ['q8', true],
    ],
  )
  for (const model of ['q8', 'q8', 'fp16', '']) {
    await engine.load(model)
    for await (const event of engine.run('tts', text('abc.'), new AbortController().signal, new Map(), model)) void event
  }
  const [one, two] = [first.get('onnx/model.onnx')!, second.get('onnx/model.onnx')!]
  assert.deepEqual(opened, [two, one, one])
  await assert.rejects(engine.load('fp32'), { code: 'MODEL_NOT_DOWNLOADED' })
})

test('the export of kokoro-onnx is spoken with, and one that takes whole speeds has one pace', async (t) => {
  const speak = async (graph: Uint8Array, params: object) => await say(planted(t, { ...FILES, 'onnx/model.onnx': graph }), params)
  const tokens = styledGraph({ idsName: 'tokens' })
  const { parts } = await speak(tokens, { ...text('abc.'), speed: 2 })
  assert.equal(parts[0]!.length, 6 * (PER_ID / 2) + PAUSE / 2)
  const whole = await speak(styledGraph({ idsName: 'tokens', speedType: 'int32' }), { ...text('abc.'), speed: 0.5 })
  assert.deepEqual(heard(whole.parts[0]!, 4), [0, 1, 2, 3, 28, 0])
  assert.deepEqual(whole.result.notices, ['This voice has a fixed pace; speed and duration were ignored.'])
})

test('speed goes to the graph, and a duration is met', async (t) => {
  const engine = planted(t)
  const { parts } = await say(engine, { ...text('abc.'), speed: 2 })
  assert.equal(parts[0]!.length, 6 * (PER_ID / 2) + PAUSE / 2)
  const timed = await say(engine, { segments: [{ text: 'abc.', pause_after_ms: 100 }, { text: 'defg.' }], duration: 1 })
  const length = timed.parts.reduce((sum, part) => sum + part.length, 0)
  assert.ok(Math.abs(length - 24_000) < 24, `${length}`)
})

/** Lengths in milliseconds of the silences within samples that are never silent otherwise. */
function silencesIn(samples: Float32Array): number[] {
  const lengths: number[] = []
  let from = -1
  for (let at = 0; at <= samples.length; at++) {
    if (at < samples.length && samples[at] === 0) from = from < 0 ? at : from
    else if (from >= 0) {
      lengths.push(Math.round((at - from) / 24))
      from = -1
    }
  }
  return lengths
}

test('the first piece is a clause, later ones grow, and only marks make pauses', async (t) => {
  const spoken: string[] = []
  const paths = filesIn(t, { ...FILES, 'voices/af_heart.bin': new Uint8Array(new Float32Array(510 * 256).fill(0.5).buffer) })
  const deps: EngineDeps = { clock: systemClock, path: '', filesOf: () => paths }
  const engine = kokoro.create(deps, {
    open: onCpu,
    pronunciation: by((words) => {
      spoken.push(words)
      return 'abc'
    }),
  })
  t.after(() => engine.unload())
  const long = 'And so on'.concat(' and so on'.repeat(60), '.')
  const whole = `When the rain had ended, all of the children ran outside to play in the wet garden. ${long} Yes.`
  const { parts, events } = await say(engine, text(whole))
  assert.equal(spoken[0], 'When the rain had ended,')
  assert.equal(spoken.join(' '), whole)
  const longest = Math.max(...spoken.map(({ length }) => length))
  assert.ok(longest > 200 && longest <= 240, `${longest}`)
  // The long sentence is cut where it has no mark.
  const pauses = spoken.map((piece) => (piece.endsWith(',') ? 180 : piece.endsWith('.') ? 400 : 0)).filter((ms) => ms > 0)
  assert.deepEqual(silencesIn(parts[0]!), pauses)
  assert.ok(pauses.length < spoken.length)
  const sounds = events.flatMap((event) => (event.kind === 'audio' ? [event.samples.length] : []))
  assert.equal(sounds[0], 5 * PER_ID, 'the first piece is a sound of its own')
})

test('the silence of the model around a piece is trimmed, and a segment ends with the pause of its mark unless it fills a duration', async (t) => {
  const silent = { ...FILES, 'voices/af_heart.bin': new Uint8Array(new Float32Array(510 * 256).buffer) }
  const ms = async (params: object) => Math.round((await say(planted(t, silent), params)).parts[0]!.length / 24)
  // Ids 0 are silent here; three sounds of 100 ms are left, with 20 and 40 ms around them.
  assert.equal(await ms(text('abc')), 360)
  assert.equal(await ms(text('abc!')), 360 + 400)
  assert.equal(await ms({ segments: [{ text: 'abc!', pause_after_ms: 1000 }] }), 360 + 1000)
  assert.equal(await ms({ ...text('abc!'), duration: 0.36 }), 360)
})

test('the language selects a voice, and a voice its language', async (t) => {
  const engine = planted(t)
  asked.length = 0
  assert.equal((await say(engine, { ...text('a'), language: 'fr' })).result.voice, 'ff_siwis')
  assert.equal((await say(engine, { ...text('a'), language: 'en-GB' })).result.voice, 'bm_george')
  assert.equal((await say(engine, { ...text('a'), voice: 'George' })).result.voice, 'bm_george')
  assert.deepEqual(asked, ['fr-fr', 'en-gb', 'en-gb'])
  const { result } = await say(engine, { ...text('a'), voice: 'no_such' })
  assert.equal(result.voice, 'af_heart')
  assert.equal(result.notices.length, 1)
  await assert.rejects(say(engine, { ...text('a'), voice: 'jf_alpha' }), {
    code: 'INVALID_TASK_PARAMS',
    message: 'voice: jf_alpha speaks Japanese, which kokoro cannot pronounce here.',
  })
  await assert.rejects(say(engine, { ...text('a'), language: 'ja' }), { code: 'INVALID_TASK_PARAMS' })
  assert.equal(voiceLanguage('jf_alpha'), null)
})

test('a blend is the weighted mean of its voices and speaks the language of the first', async (t) => {
  const of = (value: number) => new Uint8Array(new Float32Array(510 * 256).fill(value).buffer)
  const engine = planted(t, { ...FILES, 'voices/af_heart.bin': of(0.1), 'voices/bm_george.bin': of(0.4) })
  asked.length = 0
  const { parts, result } = await say(engine, { ...text('a'), voice: 'George(2)+af_heart' })
  assert.deepEqual([result.voice, result.notices, asked], ['bm_george(2)+af_heart(1)', [], ['en-gb']])
  assert.ok(Math.abs(parts[0]![0]! - 0.3) < 1e-6, `${parts[0]![0]}`)
  const unknown = await say(engine, { ...text('a'), voice: 'af_heart+ghost' })
  assert.deepEqual([unknown.result.voice, unknown.result.notices.length], ['af_heart', 1])
})

test('numbers and titles are spelled out in the language of the voice before the text is cut', async (t) => {
  const spoken: string[] = []
  const paths = filesIn(t, FILES)
  const engine = kokoro.create(
    { clock: systemClock, path: '', filesOf: () => paths },
    {
      open: onCpu,
      pronunciation: by((words) => {
        spoken.push(words)
        return 'a'
      }),
    },
  )
  t.after(() => engine.unload())
  const cases = { af_heart: 'Dr. Smith paid $101. OK.', bm_george: 'He has 101 [x5] cats.', ff_siwis: 'M. Dupont a 21 ans.' }
  for (const [voice, words] of Object.entries(cases)) await say(engine, { ...text(words), voice })
  assert.deepEqual(spoken, [
    'Doctor Smith paid one hundred one dollars. OK.',
    'He has one hundred and one [x5] cats.',
    'Monsieur Dupont a vingt et un ans.',
  ])
})

const skip = findProgram('espeak-ng', process.env['PATH']) ? false : 'espeak-ng is not on this machine; ./studio setup installs it'
test('the program is called with ties, so that affricates reach the graph as one symbol', { skip }, async (t) => {
  const paths = filesIn(t, { ...FILES, 'voices/if_sara.bin': VOICE })
  const engine = kokoro.create({ clock: systemClock, path: process.env['PATH'] ?? '', filesOf: () => paths }, { open: onCpu })
  t.after(() => engine.unload())
  const { parts } = await say(engine, { ...text('ciao'), voice: 'if_sara' })
  assert.equal(idsHeard(parts[0]!, parts[0]!.length / PER_ID - 2).filter((id) => id === vocab['ʧ']).length, 1)
})

test('a piece with too many phonemes is cut without loss', async (t) => {
  const paths = filesIn(t, FILES)
  const long = (words: string) =>
    words
      .split(' ')
      .map((word) => word.repeat(60))
      .join(' ')
  const deps: EngineDeps = { clock: systemClock, path: '', filesOf: () => paths }
  const engine = kokoro.create(deps, { open: onCpu, pronunciation: by(long) })
  t.after(() => engine.unload())
  const { parts, result } = await say(engine, text('a b c d e f g h i j k l m n'))
  const ids = parts[0]!.length / PER_ID
  assert.deepEqual(result.notices, [])
  assert.ok(ids >= 14 * 60 + 2, `${ids}`)
})

test('non-finite samples are computed again in single precision on the CPU, if that differs', async (t) => {
  const opened: string[] = []
  const open: typeof openGraph = async (file, wish) => {
    opened.push(file.endsWith('fp16.onnx') ? 'half' : 'single')
    return await onCpu(file, wish)
  }
  const { 'onnx/model.onnx': single, ...rest } = FILES
  const nan = styledGraph({ factor: Number.NaN })
  const both = planted(t, { ...rest, 'onnx/model_fp16.onnx': nan }, open)
  await assert.rejects(say(both, text('abc.')), { code: 'NON_FINITE_OUTPUT' })
  assert.deepEqual(opened, ['half'])
  // Single precision is preferred where it is there; a device that computes wrongly is what is left to mend.
  let isFirst = true
  const bad = planted(t, { ...rest, 'onnx/model.onnx': single }, async (file, wish) => {
    const graph = await onCpu(file, wish)
    if (!isFirst) return graph
    isFirst = false
    const broken = { type: 'float32' as const, dims: [1, 1], values: Float32Array.of(Number.NaN) }
    return { ...graph, device: 'cuda', run: async () => ({ waveform: broken }) }
  })
  const { parts, result } = await say(bad, text('abc.'))
  assert.equal(heard(parts[0]!, 4).length, 6)
  assert.equal(result.device, 'cuda')
})

test('missing files and files of another model are named', async (t) => {
  const absent = planted(t, null)
  assert.equal(absent.describe()[0]!.downloaded, false)
  await assert.rejects(absent.load(), { code: 'MODEL_NOT_DOWNLOADED' })
  const wrong = planted(t, { ...FILES, 'onnx/model.onnx': styledGraph({ idsType: 'int32' }) })
  await assert.rejects(wrong.load(), { message: /model\.onnx is the wrong export: input input_ids is int32, not int64/ })
  const short = planted(t, { ...FILES, 'voices/af_heart.bin': VOICE.subarray(4) })
  await assert.rejects(say(short, text('abc.')), { message: /af_heart of kokoro has 522236 bytes, not 522240/ })
  assert.deepEqual(
    planted(t)
      .describe()[0]!
      .voices.map(({ id, name, language }) => `${id} ${name} ${language}`),
    ['af_heart Heart en', 'bm_george George en', 'ff_siwis Siwis fr'],
  )
})

test('without espeak-ng it speaks English only', async (t) => {
  const paths = filesIn(t, FILES)
  const engine = kokoro.create({ clock: systemClock, path: '', filesOf: () => paths }, { open: onCpu })
  t.after(() => engine.unload())
  const [row] = engine.describe()
  assert.deepEqual([row!.installed, row!.languages, row!.voices.map(({ id }) => id)], [true, ['en'], ['af_heart', 'bm_george']])
  const { parts } = await say(engine, text('church'))
  assert.equal(idsHeard(parts[0]!, parts[0]!.length / PER_ID - 2).filter((id) => id === vocab['ʧ']).length, 2)
})

test('the IPA of the program is converted to the symbols of the model', () => {
  assert.equal(toKokoroSymbols('nˈaɪnti rˈʌn lˈɑx_', 'en-us'), 'nˈaɪndi ɹˈʌn lˈɑk')
  assert.equal(toKokoroSymbols('rato x', 'es'), 'rato x')
})

test('the default voice is the declared one', async (t) => {
  await speaksAsDeclared(planted(t), 'abc.', ['', 'en', 'en-GB', 'en-US', 'fr'])
})
