// The voice detector with speech of known borders, without speech, and with malicious input.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { silero } from '#agent/engine/vad/silero/engine.ts'
import { SILERO_CONTEXT, SILERO_WINDOW } from '#agent/engine/vad/silero/network.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { asAudio, eventsOf, FLITE_RATE, join, noise, resultOf, soundIn, spoken } from '#test/agent/engine/audio/recording.ts'

const SENTENCES = [
  'The quick brown fox jumps over the lazy dog.',
  'Please call me back when you have time.',
  'A good evening to all of you.',
  'We never met before that winter.',
  'Bring the green umbrella, it may rain.',
]
type Found = { segments: { start: number; end: number }[]; duration: number }
const engine = silero.create({})
const { signal } = new AbortController()
const detect = async (samples: Float32Array, params: object = {}, rate = FLITE_RATE) =>
  resultOf<Found>(await eventsOf(engine.run('vad', params, signal, asAudio(samples, rate))))
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const silence = (seconds: number) => new Float32Array(Math.round(seconds * FLITE_RATE))

test('finds each sentence between pauses, its borders within 60 ms in the median', async () => {
  const pieces: Float32Array[] = [silence(0.6)]
  const truth: { start: number; end: number }[] = []
  let at = pieces[0]!.length
  for (const clip of await spoken(SENTENCES)) {
    const { from, to } = soundIn(clip)
    truth.push({ start: (at + from) / FLITE_RATE, end: (at + to) / FLITE_RATE })
    pieces.push(clip, silence(0.8))
    at += clip.length + silence(0.8).length
  }
  const { segments, duration } = await detect(join(pieces), { min_silence_ms: 300, pad_ms: 0 })
  assert.equal(segments.length, SENTENCES.length, JSON.stringify(segments))
  const errors = segments.flatMap(({ start, end }, index) => [Math.abs(start - truth[index]!.start), Math.abs(end - truth[index]!.end)])
  assert.ok(median(errors) <= 0.06, `borders are ${errors.map((error) => error.toFixed(3)).join(' ')} s off`)
  assert.ok(Math.abs(duration - at / FLITE_RATE) < 1e-6)
})

test('finds no speech in silence and noise, at any rate', async () => {
  assert.deepEqual((await detect(silence(3))).segments, [])
  assert.deepEqual((await detect(noise(48_000 * 3, 0.05, 1), {}, 48_000)).segments, [])
  assert.deepEqual((await detect(noise(100, 0.05, 2))).segments, [])
})

test('passes the context and the state of the previous window', async () => {
  const seen: { first: number; window: number[]; state: number }[] = []
  const open: GraphFactory = async () => ({
    inputs: [],
    outputs: [],
    device: 'cpu',
    reason: '',
    run: async ({ input, state, sr }) => {
      assert.deepEqual([...input!.dims], [1, SILERO_CONTEXT + SILERO_WINDOW])
      assert.equal(sr!.values[0], 16_000n)
      const window = Array.from(input!.values as Float32Array, (sample) => Math.round(sample * 32_768))
      seen.push({ first: window[SILERO_CONTEXT]!, window, state: Number(state!.values[0]) })
      const next = new Float32Array(256).fill(seen.length)
      return {
        output: { type: 'float32', dims: [1, 1], values: Float32Array.of(0) },
        stateN: { type: 'float32', dims: [2, 1, 128], values: next },
      }
    },
    close: async () => {},
  })
  const ramp = Float32Array.from({ length: SILERO_WINDOW * 3 }, (_, index) => index / 32_768)
  await eventsOf(silero.create({}, open).run('vad', {}, signal, asAudio(ramp)))
  assert.deepEqual(
    seen.map(({ state }) => state),
    [0, 1, 2],
  )
  assert.ok(seen[0]!.window.slice(0, SILERO_CONTEXT).every((sample) => sample === 0))
  for (const [index, { window }] of seen.slice(1).entries())
    assert.deepEqual(
      window.slice(0, SILERO_CONTEXT),
      Array.from({ length: SILERO_CONTEXT }, (_, k) => (index + 1) * SILERO_WINDOW - SILERO_CONTEXT + k),
    )
})

test('rejects invalid recordings and parameters with the field', async () => {
  const refusal = async (params: object, inputs: Map<string, Uint8Array>, words: RegExp) =>
    assert.rejects(
      eventsOf(engine.run('vad', params, signal, inputs)),
      (error) => error instanceof Failure && error.code === 'INVALID_TASK_PARAMS' && words.test(error.message),
    )
  const speech = asAudio(silence(1)) as Map<string, Uint8Array>
  await refusal({}, new Map(), /audio: This operation needs a recording/)
  await refusal({}, new Map([['audio', Buffer.from('MP3?')]]), /not a WAV file/)
  await refusal({}, asAudio(new Float32Array(0)) as Map<string, Uint8Array>, /empty/)
  await refusal({}, asAudio(silence(1), 2_000) as Map<string, Uint8Array>, /2000 Hz/)
  await refusal({ threshold: 2 }, speech, /threshold/)
  await refusal({ threshold: 0.3, silence_threshold: 0.6 }, speech, /silence_threshold/)
  await refusal({ model_path: '/etc/passwd' }, speech, /model_path/)
})

test('a probability that is not a number is a failure', async () => {
  const values = Float32Array.of(Number.NaN)
  const open: GraphFactory = async () => ({
    inputs: [],
    outputs: [],
    device: 'cpu',
    reason: '',
    run: async () => ({ output: { type: 'float32', dims: [1, 1], values }, stateN: { type: 'float32', dims: [2, 1, 128], values } }),
    close: async () => {},
  })
  const run = silero.create({}, open).run('vad', {}, signal, asAudio(silence(1)))
  await assert.rejects(eventsOf(run), (error) => error instanceof Failure && error.code === 'NON_FINITE_OUTPUT')
})

test('can be cancelled between windows', async () => {
  const abort = new AbortController()
  const run = engine.run('vad', {}, abort.signal, asAudio(silence(60)))[Symbol.asyncIterator]()
  await run.next()
  abort.abort()
  await assert.rejects(run.next())
})
