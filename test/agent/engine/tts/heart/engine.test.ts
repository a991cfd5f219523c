// The embedded neural voice. Each test runs the real network.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sha256Of } from '#agent/engine/seam/packaged-files.ts'
import { heart } from '#agent/engine/tts/heart/engine.ts'
import { HEART_SAMPLE_RATE } from '#agent/engine/tts/heart/sound.ts'
import { EMBEDDED_GRAPH, HEART_DIGEST, heartAsset } from '#agent/engine/tts/heart/voices.ts'
import { noFiles } from '#agent/models/manifest.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { annotated } from '#shared/text/pronunciation/annotation.ts'
import { say, speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'

const SENTENCE = 'The quick brown fox jumps over the lazy dog.'
const engine = heart.create({ clock: systemClock, path: '', filesOf: noFiles })
after(() => engine.unload())

const seconds = (parts: readonly Float32Array[]) => parts.reduce((sum, part) => sum + part.length, 0) / HEART_SAMPLE_RATE
const spoken = (text: string, more: object = {}) => say(engine, { segments: [{ text, seed: 1 }], ...more })
const loudest = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

test('a sentence has its length, its voice and no remark', async () => {
  const { parts, result } = await spoken(SENTENCE)
  assert.deepEqual([result.sample_rate, result.voice, result.device, result.notices], [HEART_SAMPLE_RATE, 'heart', 'cpu', []])
  assert.ok(seconds(parts) > 2 && seconds(parts) < 4, `${seconds(parts)} s`)
  assert.ok(loudest(parts[0]!) > 0.3 && loudest(parts[0]!) < 1, `${loudest(parts[0]!)}`)
})

test('equal seeds have equal samples, also after other texts; another seed has other noise of the same length', async () => {
  const [first] = (await spoken(SENTENCE)).parts
  await spoken('Something else is said between them.')
  const [again] = (await spoken(SENTENCE)).parts
  assert.deepEqual(again, first)
  const [other] = (await say(engine, { segments: [{ text: SENTENCE, seed: 2 }] })).parts
  assert.notDeepEqual(other, first)
  assert.ok(Math.abs(other!.length - first!.length) < 0.05 * HEART_SAMPLE_RATE)
})

test('the speed scales the length, over the whole range of requests', async () => {
  const normal = seconds((await spoken(SENTENCE)).parts)
  for (const speed of [4, 2, 0.5, 0.25]) {
    const share = (seconds((await spoken(SENTENCE, { speed })).parts) * speed) / normal
    assert.ok(Math.abs(share - 1) < 0.05, `speed ${speed}: ${share} of its length`)
  }
})

test('a requested duration is met', async () => {
  for (const duration of [2, 3.5]) {
    const { parts } = await spoken(SENTENCE, { duration })
    assert.ok(Math.abs(seconds(parts) / duration - 1) < 0.03, `${seconds(parts)} s of ${duration}`)
  }
})

test('a long text is streamed: its first piece is short, and pauses follow the marks', async () => {
  const text = `${SENTENCE} `.repeat(12)
  const { events } = await spoken(text)
  const lengths = events.flatMap((event) => (event.kind === 'audio' ? [event.samples.length / HEART_SAMPLE_RATE] : []))
  assert.ok(lengths[0]! < 9, `${lengths[0]} s before anything is heard`)
  const silent = lengths.filter((length) => Math.abs(length - 0.4) < 0.001)
  assert.ok(silent.length >= 2, `${lengths}`)
})

test('the ends are trimmed, and pauses that are written are kept', async () => {
  const [sound] = (await spoken('Stop.')).parts
  const first = sound!.findIndex((sample) => Math.abs(sample) > 0.02) / HEART_SAMPLE_RATE
  const last = (sound!.length - sound!.findLastIndex((sample) => Math.abs(sample) > 0.02)) / HEART_SAMPLE_RATE
  // The pause after a sentence has 0.4 s.
  assert.ok(first < 0.1 && last > 0.4 && last < 0.6, `${first} and ${last} s`)
  const plain = seconds((await say(engine, { segments: [{ text: 'One.' }, { text: 'Two.' }] })).parts)
  const paused = seconds((await say(engine, { segments: [{ text: 'One.', pause_after_ms: 1_000 }, { text: 'Two.' }] })).parts)
  // Instead of the pause after the sentence.
  assert.ok(Math.abs(paused - plain - 0.6) < 0.05, `${paused} and ${plain} s`)
})

test('the voice that speaks is the declared one; unknown voices and other languages are named', async () => {
  await speaksAsDeclared(engine, 'Hello.', ['', 'en', 'en-US', 'en-GB'])
  const { result } = await spoken('Hello.', { voice: 'emma' })
  assert.equal(result.voice, 'heart')
  assert.match(result.notices.join(), /has no voice "emma"; heart was used/)
  await assert.rejects(spoken('Guten Tag.', { language: 'de' }), { code: 'INVALID_TASK_PARAMS' })
})

test('an inline pronunciation is spoken, and a sound that English lacks is named', async () => {
  const plain = (await spoken('Tomato.')).parts
  const given = (await spoken(`${annotated('Tomato', 'təmˈɑtoʊ')}.`)).parts
  assert.notDeepEqual(given, plain)
  const { result } = await spoken(`${annotated('Tomato', 'ʘǃ')}.`)
  assert.match(result.notices.join(), /Tomato/)
})

test('any text is spoken or silent, and ends', async () => {
  for (const text of ['   ', '…', '!!!', '😀👍', '\u0301'.repeat(500)])
    await assert.rejects(spoken(text), { code: 'INVALID_TASK_PARAMS' }, text)
  for (const text of ['日本語', 'a'.repeat(3_000), `${'Www. '.repeat(40)}`, 'x-'.repeat(400)]) {
    const { parts } = await spoken(text)
    assert.ok(parts[0]!.every(Number.isFinite), text.slice(0, 20))
    assert.ok(loudest(parts[0]!) <= 1.5, text.slice(0, 20))
  }
})

test('a word that is longer than what the network takes at once is spoken whole', async () => {
  const half = seconds((await spoken('supercalifragilistic'.repeat(7))).parts)
  const whole = seconds((await spoken('supercalifragilistic'.repeat(14))).parts)
  assert.ok(whole > 1.7 * half, `${whole} s, and ${half} s for half of it`)
})

test('a cancelled run ends', async () => {
  const abort = new AbortController()
  const running = say(engine, { segments: [{ text: `${SENTENCE} `.repeat(60) }] }, abort.signal)
  abort.abort()
  await assert.rejects(running)
})

test('the network is the one whose digest is published', async () => {
  assert.equal(await sha256Of(heartAsset(EMBEDDED_GRAPH)), HEART_DIGEST)
})

test('words in another script are silent and counted, and so are marks alone', async () => {
  const { parts, result } = await say(engine, { segments: [{ text: '漢字漢字。' }, { text: 'Hello, хорошо.' }, { text: '…' }] })
  assert.deepEqual(result.notices, ['2 words in another script were left out, because the voice does not speak that script.'])
  assert.deepEqual(
    parts.map((samples) => loudest(samples) > 0.1),
    [false, true, false],
  )
  const [hello] = (await say(engine, { segments: [{ text: 'Hello.' }] })).parts
  assert.ok(seconds([parts[1]!]) < 2 * seconds([hello!]), 'no letter is named')
})
