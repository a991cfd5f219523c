// KittenTTS end to end with a planted graph that returns the ids and the style row that it received.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/define.ts'
import { createPhonemizer, ESPEAK, type Phonemizer } from '#agent/engine/speech/phonemes.ts'
import { kittenTts } from '#agent/engine/tts/kittentts/engine.ts'
import { readNpz } from '#agent/engine/tts/kittentts/npz.ts'
import { MAX_RUN_IDS, SYMBOLS, toKittenRuns, withEndPunctuation } from '#agent/engine/tts/kittentts/symbols.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { say, speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'
import { npy, zip } from '#test/support/models/own/npz.ts'
import { idsHeard, PER_ID, styledGraph, voiceTable } from '#test/support/models/styled-model.ts'

const toKittenIds = (ipa: string) => toKittenRuns(ipa)[0]!
const ROWS = 12
const TAIL = 5_000

const table = npy(ROWS, 256, voiceTable(ROWS))
const arrays = { 'expr-voice-5-m.npy': table, 'expr-voice-2-f.npy': table }
const FILES = {
  'config.json': JSON.stringify({
    type: 'ONNX1',
    model_file: 'kitten.onnx',
    voices: 'voices.npz',
    voice_aliases: { Luna: 'expr-voice-2-f' },
    speed_priors: { 'expr-voice-2-f': 0.5 },
  }),
  'kitten.onnx': styledGraph(),
  'voices.npz': zip(arrays),
}
const onCpu: typeof openGraph = (file, wish) => openGraph(file, { ...wish, device: 'cpu', threads: 1 })
type Files = Readonly<Record<string, Uint8Array | string>>
function planted(t: TestContext, files: Files | null = FILES, phonemize: Phonemizer = async (text) => text) {
  const paths = files && filesIn(t, files)
  const deps: EngineDeps = { clock: systemClock, path: '', filesOf: () => paths }
  const engine = kittenTts.create(deps, { open: onCpu, phonemize })
  t.after(() => engine.unload())
  return engine
}
const text = (words: string, more: object = {}) => ({ segments: [{ text: words }], ...more })

test('the symbols have their published numbers', () => {
  assert.equal(SYMBOLS, 178)
  assert.deepEqual(toKittenIds('ˈʃᵻ'), [0, 156, 131, 177, 10, 0])
  assert.deepEqual(toKittenIds('a,b 漢'), [0, 43, 16, 3, 16, 44, 16, 10, 0])
})

test('ids equal those of upstream, also for quotation marks', () => {
  // Source of the first: kittentts 0.8.1 with espeak-ng; the others follow from its symbol table, where the last of equal symbols counts.
  const hello = '0 50 83 54 156 57 135 16 65 156 87 158 54 46 16 4 10 0'
  assert.equal(toKittenIds('həlˈoʊ wˈɜːld.').join(' '), hello)
  assert.deepEqual(toKittenIds('"a"'), [0, 15, 16, 43, 16, 15, 10, 0])
  assert.deepEqual(toKittenIds('“a”'), [0, 16, 43, 16, 10, 0])
  assert.deepEqual(toKittenIds('«a»'), [0, 12, 16, 43, 16, 13, 10, 0])
})

test('espeak-ng gives the phonemes and ids of upstream', { skip: findProgram(ESPEAK, process.env['PATH']) === null }, async () => {
  const phonemize = createPhonemizer({ clock: systemClock })
  assert.deepEqual(toKittenIds(await phonemize('Hello world.', 'en-us')), toKittenIds('həlˈoʊ wˈɜːld.'))
  // Read with espeak-ng 1.51 by a port that compared itself with upstream; other versions pronounce some words differently.
  const long = await phonemize('Hello, world! This high-quality TTS model runs without a GPU.', 'en-us')
  assert.match(long, /^həlˈoʊ, wˈɜːld! ðɪs hˈaɪkwˈɔl.*tˌiːtˌiːˈɛs mˈɑːdəl ɹˈʌnz wɪðˌaʊt ɐ dʒˌiːpˌiːjˈuː\.$/)
})

test('a piece without end punctuation gets a comma, as upstream', () => {
  const pieces = ['Hello', 'Hello.', 'Hello?', 'Hello!', 'Hello;', 'Hi.”', 'Hi…']
  assert.deepEqual(pieces.map(withEndPunctuation), ['Hello,', 'Hello.', 'Hello?', 'Hello!', 'Hello;', 'Hi.”,', 'Hi…,'])
})

test('no run has more ids than the limit, and no symbol is lost', () => {
  for (const ipa of ['fˈɔːɹ '.repeat(300), 'a'.repeat(2_000), `${'a'.repeat(396)} b c`, 'a'.repeat(397)]) {
    const runs = toKittenRuns(ipa)
    assert.ok(runs.every((run) => run.length <= MAX_RUN_IDS && run[0] === 0 && run.at(-1) === 0 && run.at(-2) === 10))
    const symbols = runs.flatMap((run, at) => (at < runs.length - 1 ? run.slice(1, -4) : run.slice(1, -2)))
    const whole = [...ipa.trim()].length
    const blanks = (ids: number[]) => ids.filter((id) => id === 16).length
    assert.equal(symbols.length - blanks(symbols), whole - (ipa.trim().match(/ /g) ?? []).length)
  }
  assert.equal(toKittenRuns('a'.repeat(397)).length, 1)
  assert.equal(toKittenRuns('').length, 1)
})

test('ids, the style row of the voice, and the dropped tail', async (t) => {
  const { parts, result } = await say(planted(t), text('abc.'))
  const ids = toKittenIds('abc.')
  assert.equal(parts[0]!.length, ids.length * PER_ID - TAIL)
  assert.deepEqual(idsHeard(parts[0]!, 4), ids.slice(0, Math.floor(ids.length - TAIL / PER_ID)))
  assert.equal(result.voice, 'expr-voice-5-m')
})

test('every sentence is a run of its own, without a pause', async (t) => {
  const { events } = await say(planted(t), text('abc. Dr. Rivera paid $12.50 at 3:05 p.m.'))
  const audio = events.flatMap((event) => (event.kind === 'audio' ? [event.samples] : []))
  assert.equal(audio.length, 2)
  assert.deepEqual(idsHeard(audio[0]!, 4).slice(0, 3), toKittenIds('abc.').slice(0, 3))
})

test('a sentence that becomes too long as phonemes is spoken in several runs', async (t) => {
  const engine = planted(t, FILES, async () => 'ˈa '.repeat(400))
  const { events, parts } = await say(engine, text('Something.'))
  const runs = toKittenRuns('ˈa '.repeat(400))
  assert.ok(runs.length > 1)
  assert.equal(events.filter((event) => event.kind === 'audio').length, runs.length)
  assert.equal(
    parts[0]!.length,
    runs.reduce((sum, run) => sum + run.length * PER_ID - TAIL, 0),
  )
})

test('the untrimmed samples are 600 times the sum of the durations; another export is named', async (t) => {
  const right = planted(t, { ...FILES, 'kitten.onnx': styledGraph({ frame: 600 }) })
  const { parts, result } = await say(right, text('abc.'))
  assert.equal(parts[0]!.length, toKittenIds('abc.').length * (PER_ID / 600) * 600 - TAIL)
  assert.deepEqual(result.notices, [])
  const other = planted(t, { ...FILES, 'kitten.onnx': styledGraph({ frame: 300 }) })
  assert.match((await say(other, text('abc.'))).result.notices.join(), /1 pieces have another length/)
})

test('a long text uses the last style row; voice aliases and their speeds apply', async (t) => {
  const engine = planted(t)
  const words = 'abcdefgh ijklmnop.'
  const { parts } = await say(engine, text(words))
  assert.deepEqual(idsHeard(parts[0]!, ROWS - 1).slice(0, 3), toKittenIds(words).slice(0, 3))
  const luna = await say(engine, text('abc.', { voice: 'luna' }))
  assert.equal(luna.result.voice, 'expr-voice-2-f')
  assert.equal(luna.parts[0]!.length, toKittenIds('abc.').length * PER_ID * 2 - TAIL)
  assert.equal((await say(engine, text('abc.', { voice: 'unknown' }))).result.notices.length, 1)
  await assert.rejects(say(engine, text('abc.', { language: 'de' })), { code: 'INVALID_TASK_PARAMS' })
})

test('a compressed voice file gives the same tables', async () => {
  const plain = await readNpz(zip(arrays))
  assert.deepEqual(await readNpz(zip(arrays, true)), plain)
  assert.deepEqual([...plain.keys()], ['expr-voice-5-m', 'expr-voice-2-f'])
  assert.equal(plain.get('expr-voice-5-m')!.values[256], Math.fround(0.001))
})

test('a truncated or damaged voice file is reported', async () => {
  const whole = zip(arrays, true)
  for (let length = 0; length < whole.length; length += 7) {
    await assert.rejects(readNpz(whole.subarray(0, length)), { code: 'MODEL_NOT_DOWNLOADED' })
  }
  await assert.rejects(readNpz(zip({ 'a.npy': npy(2, 256, voiceTable(2), '<f8') })), { message: /little-endian floats/ })
  await assert.rejects(readNpz(zip({ 'a.npy': npy(3, 256, voiceTable(2)) })), { message: /another number of values/ })
  await assert.rejects(readNpz(zip({ 'a.npy': Buffer.from('hello, world') })), { message: /not an array/ })
  const twice = zip({ 'a.npy': npy(2, 256, voiceTable(2)), a: npy(2, 256, voiceTable(2)) })
  await assert.rejects(readNpz(twice), { message: /two tables have the same name/ })
  const large = zip({ 'a.npy': npy(10_000, 256, voiceTable(10_000)) }, true)
  await assert.rejects(readNpz(large), { message: /it is too large/ })
})

test('a table of another width, a malicious config and missing files are named', async (t) => {
  const narrow = npy(2, 128, new Float32Array(256))
  await assert.rejects(planted(t, { ...FILES, 'voices.npz': zip({ 'a.npy': narrow }) }).load(), {
    message: /The voice a of kittentts has 2 × 128/,
  })
  const hostile = JSON.stringify({ model_file: '../../etc/passwd', voices: 'voices.npz' })
  await assert.rejects(planted(t, { ...FILES, 'config.json': hostile }).load(), { message: /config\.json.*model_file/ })
  const { 'kitten.onnx': _, ...rest } = FILES
  await assert.rejects(planted(t, rest).load(), { message: /kitten\.onnx of kittentts is missing/ })
  assert.equal(planted(t, null).describe()[0]!.installed, false)
})

test('the default voice is the declared one', async (t) => {
  await speaksAsDeclared(planted(t), 'abc.')
})
