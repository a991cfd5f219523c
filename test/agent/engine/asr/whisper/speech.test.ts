import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audible, openSpeechFinder } from '#agent/engine/asr/whisper/speech.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { join, noise, spoken } from '#test/agent/engine/audio/recording.ts'

const RATE = 16_000
const { signal } = new AbortController()
const peakOf = (samples: Float32Array) => samples.reduce((peak, one) => Math.max(peak, Math.abs(one)), 0)

test('very quiet speech is found where loud speech is, also beside a bang', async (t) => {
  const finder = await openSpeechFinder(openGraph)
  t.after(finder.close)
  const found = async (samples: Float32Array) => {
    const search = finder.find(samples, signal)
    let step = await search.next()
    while (!step.done) step = await search.next()
    return step.value.voice
  }
  const [first, second] = await spoken(['The committee postponed its decision.', 'Please remember to bring your passport.'])
  const pause = new Float32Array(RATE)
  const loud = join([pause, first!, pause, second!, pause])
  const expected = await found(loud)
  const quiet = loud.map((sample) => Math.round(sample * 0.004 * 32_768) / 32_768)
  const bang = quiet.slice()
  bang.set(noise(RATE / 10, 0.3, 1), loud.length - RATE / 2)
  for (const [name, samples] of [
    ['quiet', quiet],
    ['bang', bang],
  ] as const) {
    const voice = await found(samples)
    const within = voice.filter(({ start }) => start < loud.length / RATE - 0.6)
    const [start, end] = [within[0]!.start, within.at(-1)!.end]
    assert.ok(Math.abs(start - expected[0]!.start) < 0.2 && Math.abs(end - expected.at(-1)!.end) < 0.3, `${name}: ${start} to ${end}`)
  }
  assert.deepEqual(await found(noise(6 * RATE, 0.0005, 2)), [], 'quiet noise is no speech')
})

test('only quiet recordings change, and none is louder than full scale', () => {
  const loud = noise(RATE, 0.1, 1)
  assert.equal(audible(loud), loud)
  assert.equal(peakOf(audible(new Float32Array(RATE))), 0)
  assert.equal(audible(new Float32Array(0)).length, 0)
  const peak = peakOf(audible(noise(RATE, 0.001, 1)))
  assert.ok(peak > 0.45 && peak <= 1, `${peak}`)
})
