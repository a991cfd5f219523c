// The voice detector in eleven conditions: its probabilities equal those of the network driven as the reference drives it, and its segments
// equal those of the reference algorithm.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { floats, type Graph, type GraphFactory, longs, openGraph, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import { silero } from '#agent/engine/vad/silero/engine.ts'
import { SILERO_CONTEXT, SILERO_WINDOW } from '#agent/engine/vad/silero/network.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { asAudio, eventsOf, FLITE_RATE, join, noise, resultOf, rmsOf, spoken } from '../agent/engine/audio/recording.ts'
import { referenceSegments } from '../agent/engine/vad/silero/reference.ts'
import { SENTENCES } from '../support/audio/round-trip.ts'

type Result = { segments: { start: number; end: number }[]; duration: number }
/** The defaults of the reference. */
const DEFAULTS = { threshold: 0.5, silenceThreshold: 0.35, minSpeechMs: 250, minSilenceMs: 100, padMs: 30 }
const MIN_FOUND = 8
const silence = (seconds: number) => new Float32Array(Math.round(seconds * FLITE_RATE))

async function talk(pauseSeconds: number): Promise<Float32Array> {
  const clips = await spoken(SENTENCES.slice(0, 10))
  return join([silence(0.5), ...clips.flatMap((clip) => [clip, silence(pauseSeconds)])])
}
const mixed = (sound: Float32Array, other: (at: number) => number) => sound.map((one, at) => one + other(at))
const withNoise = (sound: Float32Array, decibels: number, seed: number) => {
  const hiss = noise(sound.length, rmsOf(sound) * 10 ** (-decibels / 20), seed)
  return mixed(sound, (at) => hiss[at]!)
}
async function atRate(sound: Float32Array, rate: number): Promise<Float32Array> {
  const resampler = await openResampler(FLITE_RATE, rate)
  const whole = join([resampler.push(sound), resampler.flush()])
  resampler.close()
  return whole
}

type Condition = {
  readonly make: (sound: Float32Array) => Float32Array | Promise<Float32Array>
  readonly rate?: number
  readonly pause?: number
}
const CONDITIONS: Readonly<Record<string, Condition>> = {
  clean: { make: (sound) => sound },
  'noise at 20 dB': { make: (sound) => withNoise(sound, 20, 1) },
  'noise at 10 dB': { make: (sound) => withNoise(sound, 10, 2) },
  'noise at 5 dB': { make: (sound) => withNoise(sound, 5, 3) },
  'mains hum': { make: (sound) => mixed(sound, (at) => 0.05 * Math.sin((2 * Math.PI * 50 * at) / FLITE_RATE)) },
  quiet: { make: (sound) => sound.map((one) => one * 0.05) },
  clipped: { make: (sound) => sound.map((one) => Math.max(-0.9, Math.min(0.9, one * 20))) },
  'an echo': { make: (sound) => mixed(sound, (at) => 0.4 * (sound[at - 2_400] ?? 0)) },
  'pauses of 160 ms': { make: (sound) => sound, pause: 0.16 },
  '8 kHz': { make: (sound) => atRate(sound, 8_000), rate: 8_000 },
  '48 kHz': { make: (sound) => atRate(sound, 48_000), rate: 48_000 },
}

for (const [name, { make, rate = FLITE_RATE, pause = 0.8 }] of Object.entries(CONDITIONS))
  test(`${name}: probabilities and segments are those of the reference`, async () => {
    const windows: Float32Array[] = []
    const probabilities: number[] = []
    let network: Graph | null = null
    const open: GraphFactory = async (file, options) => {
      network = await openGraph(file, options)
      const run = async (inputs: Readonly<Record<string, Tensor>>) => {
        const outputs = await network!.run(inputs)
        windows.push(Float32Array.from(inputs['input']!.values as Float32Array).slice(SILERO_CONTEXT))
        probabilities.push((outputs['output']!.values as Float32Array)[0]!)
        return outputs
      }
      return { ...network, run }
    }
    const engine = silero.create({}, open)
    const audio = asAudio(await make(await talk(pause)), rate)
    const { segments, duration } = resultOf<Result>(await eventsOf(engine.run('vad', {}, new AbortController().signal, audio)))

    assert.deepEqual(probabilities, await driven(network!, windows))
    const expected = referenceSegments(probabilities, Math.round(duration * 16_000), DEFAULTS)
    assert.equal(segments.length, expected.length)
    assert.ok(segments.length >= (pause > 0.5 ? MIN_FOUND : 1), `${segments.length} segments`)
    for (const [index, { start, end }] of segments.entries()) {
      assert.ok(Math.abs(start * 16_000 - expected[index]!.start) <= 1)
      assert.ok(Math.abs(end * 16_000 - expected[index]!.end) <= 1)
    }
    await engine.unload()
  })

/** The reference drives the network: 64 samples of the previous window first, zeros before the first, and the state handed on. */
async function driven(network: Graph, windows: readonly Float32Array[]): Promise<number[]> {
  let state = floats(new Float32Array(2 * 128), [2, 1, 128])
  let context = new Float32Array(SILERO_CONTEXT)
  const probabilities: number[] = []
  for (const window of windows) {
    const input = floats(join([context, window]), [1, SILERO_CONTEXT + SILERO_WINDOW])
    const outputs = await network.run({ input, state, sr: longs([16_000], []) })
    probabilities.push((outputs['output']!.values as Float32Array)[0]!)
    state = outputs['stateN']!
    context = window.slice(-SILERO_CONTEXT)
  }
  return probabilities
}
