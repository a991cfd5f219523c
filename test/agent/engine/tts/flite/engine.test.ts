// The embedded voice in this process: voices, malicious texts, streaming. Common behaviour of voices: test/conformance/engine.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { FLITE_DIGEST } from '#agent/engine/tts/flite/synthesis.ts'
import { concat } from '#shared/audio/stage.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'

const engine = flite.create()
const { signal } = new AbortController()
const FOX = 'The quick brown fox jumps over the lazy dog.'

async function say(text: string | string[], more: object = {}) {
  const segments = [text].flat().map((one) => ({ text: one }))
  const events: EngineEvent[] = []
  for await (const event of engine.run('tts', { segments, ...more }, signal)) events.push(event)
  const pieces = events.flatMap((event) => (event.kind === 'audio' ? [event] : []))
  const result = events.findLast((event) => event.kind === 'result')!.result as { sample_rate: number; voice: string; notices: string[] }
  const samples = concat(pieces.map((piece) => piece.samples))
  return { events, pieces, samples, result, seconds: samples.length / result.sample_rate }
}
const loudness = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length)
const refusal = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && text.test(error.message)

test('the model digest is that of the file', async () => {
  await engine.load()
  assert.match(FLITE_DIGEST, /^[0-9a-f]{64}$/)
  assert.equal(engine.describe()[0]?.modelDigest, FLITE_DIGEST)
})

test('every voice speaks differently', async () => {
  const rates: Record<string, number> = { slt: 16_000, rms: 16_000, awb: 16_000, kal: 16_000, kal16: 16_000 }
  assert.deepEqual(
    engine.describe()[0]!.voices.map((voice) => voice.id),
    Object.keys(rates),
  )
  const heard = new Set<string>()
  for (const [voice, rate] of Object.entries(rates)) {
    const { samples, result, seconds } = await say(FOX, { voice })
    assert.equal(result.sample_rate, rate)
    assert.equal(result.voice, voice)
    assert.ok(seconds > 2 && seconds < 4, `${voice}: ${seconds} s`)
    assert.ok(loudness(samples) > 0.02, `${voice}: ${loudness(samples)}`)
    heard.add(`${samples.length}:${loudness(samples)}`)
  }
  assert.equal(heard.size, 5)
})

for (const voice of ['slt', 'kal16']) {
  test(`${voice}: speed and duration stretch the speech`, async () => {
    const natural = (await say(FOX, { voice })).seconds
    for (const speed of [0.5, 2]) {
      const { seconds } = await say(FOX, { voice, speed })
      assert.ok(Math.abs((seconds * speed) / natural - 1) < 0.1, `speed ${speed}: ${seconds} s of ${natural} s`)
    }
    const { seconds } = await say([FOX, FOX], { voice, duration: 4.5 })
    assert.ok(Math.abs(seconds / 4.5 - 1) < 0.05, `${seconds} s`)
  })
}

test('an impossible duration is approximated, with a notice', async () => {
  const { seconds, result } = await say('Hello there.', { duration: 60 })
  assert.ok(seconds > 3 && seconds < 10)
  assert.match(result.notices.join(), /duration/)
})

test('sentences are streamed', async () => {
  const { events, pieces } = await say(`${FOX} Mr. Smith said so. ${FOX}`)
  assert.equal(pieces.length, 3)
  assert.deepEqual(
    events.map((event) => event.kind),
    ['audio', 'progress', 'audio', 'progress', 'audio', 'progress', 'result'],
  )
})

test('a piece blocks only briefly, for any text and speed', async () => {
  for (const text of ['9'.repeat(30), '$%'.repeat(12), 'word '.repeat(20)]) {
    const { pieces } = await say(text, { speed: 0.25, voice: 'kal16' })
    assert.ok(pieces.length > 1, 'it is longer than a piece')
    for (const { samples } of pieces) assert.ok(samples.length / 16_000 < 50, `${text.slice(0, 5)}: ${samples.length / 16_000} s`)
  }
})

test('runs of symbols are not read out', async () => {
  const { seconds } = await say('Hello.\n\n**********\n\n____________________\n\n--------\n\nWorld.')
  assert.ok(seconds < 3, `${seconds} s`)
})

test('a cancellation takes effect after the current piece', async () => {
  const abort = new AbortController()
  let pieces = 0
  const speaking = async () => {
    for await (const event of engine.run('tts', { segments: [{ text: `${FOX} `.repeat(50) }] }, abort.signal)) {
      if (event.kind === 'audio' && ++pieces === 2) setImmediate(() => abort.abort(new Error('enough')))
    }
  }
  await assert.rejects(speaking, /enough/)
  assert.ok(pieces >= 2 && pieces <= 4)
})

for (const text of [
  '-h',
  '--help',
  '-o /tmp/x.wav',
  '-voice kal',
  '-t',
  '/etc/passwd',
  '<speak>hi</speak>',
  '%s%n%x',
  '"; rm -rf /',
  'x'.repeat(400),
]) {
  test(`is treated as text: ${text.slice(0, 20)}`, async () => {
    const { samples, seconds } = await say(text, { speed: 4, voice: 'kal16' }) // the quickest to make
    assert.ok(seconds > 0.1 && loudness(samples) > 0.01)
  })
}

test('unsupported characters are left out and counted', async () => {
  const { result, pieces } = await say(['Good\u0000 day \ud83d\ude00\ud83d\ude00 \ud83d', '\u4f60\u597d'])
  assert.match(result.notices.join(), /^4 characters/)
  assert.deepEqual(
    pieces.map((piece) => piece.part),
    [0, 1],
  )
  assert.equal(loudness(pieces[1]!.samples), 0)
  for (const text of ['\ud83d\ude00', '\u4f60\u597d', '...', '\u0000\u0007', '\ud83d', ' ']) {
    await assert.rejects(say(text), refusal('INVALID_TASK_PARAMS', /^The text contains nothing /), JSON.stringify(text))
  }
})

test('other languages are rejected', async () => {
  for (const language of [null, '', 'auto', 'en', 'EN-gb', 'en_US', 'English']) await say('Hi.', { language })
  for (const language of ['de', 'es-ES', 'enm', 'zh']) {
    await assert.rejects(say('Hi.', { language }), refusal('INVALID_TASK_PARAMS', /^language: flite does not speak ".*"\.$/), language)
  }
})

test('unsupported settings are reported', async () => {
  assert.match((await say('Hi.', { instruct: 'whisper' })).result.notices.join(), /instructions/)
  assert.deepEqual((await say('Hi.', { voice: 'default', num_step: 16, guidance_scale: 2 })).result.notices, [])
  assert.match((await say('Hi.', { num_step: 8, t_shift: 0.5 })).result.notices.join(), /support num_step, t_shift;/)
})

test('the default voice is the declared one', async () => {
  await speaksAsDeclared(engine, 'Hello.', ['', 'en', 'en-GB'])
})
