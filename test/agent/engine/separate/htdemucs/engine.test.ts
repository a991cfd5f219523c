// HTDemucs with planted graphs of the real names, types and sizes, whose voice is known for every sample.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { HTDEMUCS_FILE, htdemucs, HTDEMUCS_WINDOW as WINDOW } from '#agent/engine/separate/htdemucs/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { asAudio, eventsOf, noise } from '#test/agent/engine/audio/recording.ts'
import { failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { type Initializer, model, type Node } from '#test/support/models/onnx-graph.ts'
import { apart, refused, separated, stereo, sum, tone } from '../network/separated.ts'

const { signal } = new AbortController()
const FADE = WINDOW / 4
const STEP = WINDOW - FADE
assert.equal(STEP, 257_985, 'the stride of Demucs for its usual overlap of a quarter')
/** Drums, bass and other get different shares of the rest, so that a wrong stem gives another result. */
const SHARES = [0.5, 0.2, 0.05, 0.25]
const ALL = SHARES.map((value, stem): Initializer => ({ name: `share${stem}`, type: 'float32', dims: [], values: [value] }))

type More = {
  input?: string
  output?: string
  dims?: readonly number[]
  stems?: readonly number[]
  factor?: Initializer
  /** Marks of the stems that are given, in a way that unknown can know before it runs. */
  kept?: readonly (0 | 1)[]
}
/** Each stem is its share of the mix, and all of them times `factor`: a number, or one for each place of a window. */
function network({ input = 'mix', output = 'stems', dims = [1, 2, WINDOW], stems = [0, 1, 2, 3], kept, factor }: More = {}) {
  const row: Initializer = { name: 'row', type: 'int64', dims: [4], values: [1, 1, 2, -1] }
  const from = factor ? 'weighed' : 'rows'
  const nodes: Node[] = [
    { op: 'Reshape', inputs: [input, 'row'], outputs: ['rows'] },
    ...(factor ? [{ op: 'Mul', inputs: ['rows', factor.name], outputs: ['weighed'] }] : []),
    ...stems.map((stem): Node => ({ op: 'Mul', inputs: [from, `share${stem}`], outputs: [`stem${stem}`] })),
    { op: 'Concat', inputs: stems.map((stem) => `stem${stem}`), outputs: [kept ? 'each' : output], attributes: { axis: 1 } },
    ...(kept ? [{ op: 'Compress', inputs: ['each', 'kept'], outputs: [output], attributes: { axis: 1 } }] : []),
  ]
  return model({
    inputs: [{ name: input, type: 'float32', dims }],
    outputs: [{ name: output, type: 'float32', dims: [1, kept ? 'stem' : stems.length, ...dims.slice(1)] }],
    nodes,
    initializers: [
      row,
      ...ALL,
      ...(factor ? [factor] : []),
      ...(kept ? [{ name: 'kept', type: 'bool', dims: [kept.length], values: kept } satisfies Initializer] : []),
    ],
  })
}
const constant = (value: number): Initializer => ({ name: 'factor', type: 'float32', dims: [], values: [value] })

function engineWith(t: TestContext, file: Uint8Array) {
  const files = filesIn(t, { [HTDEMUCS_FILE]: file })
  const engine = htdemucs.create(
    { clock: systemClock, path: '', filesOf: (id, name) => (id === 'htdemucs' && name === '' ? files : null) },
    (path, wish) => openGraph(path, { ...wish, device: 'cpu', threads: 1 }),
  )
  t.after(() => engine.unload())
  return engine
}
const scaled = (sound: Float32Array, factor: number) => sound.map((one) => one * factor)
/** A step of 16 bits. */
const STEP_OF_16 = 1 / 32_768

test('the fourth stem is the voice, and the rest is the difference, for lengths around a window', async (t) => {
  const engine = engineWith(t, network())
  for (const length of [1, 1_000, STEP, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + STEP + 1]) {
    const given = noise(length, 0.1, length)
    const { vocals, rest, result } = await separated(engine, asAudio(given, 44_100))
    assert.deepEqual(result.parts, [{ samples: length }, { samples: length }])
    assert.ok(apart(vocals, scaled(given, 0.25), 0) < STEP_OF_16, `${length} samples`)
    assert.ok(apart(sum(vocals, rest), given, 0) < 2 * STEP_OF_16, `${length} samples add up`)
  }
})

test('windows have the right positions and are cross-faded linearly', async (t) => {
  const ramp = Float32Array.from({ length: WINDOW }, (_, at) => at / WINDOW)
  const engine = engineWith(t, network({ factor: { name: 'factor', type: 'float32', dims: [1, 1, 1, WINDOW], values: ramp } }))
  const total = 2 * STEP + WINDOW - 1_000
  const given = noise(total, 0.1, 9)
  const { vocals, rest, events } = await separated(engine, asAudio(given, 44_100))
  const wanted = given.map((one, at) => {
    const window = Math.min(2, Math.floor(at / STEP))
    const place = at - window * STEP
    const share = window > 0 && place < FADE ? place / FADE : 1
    // The last window is 1,000 samples too long and begins half of them earlier.
    return one * 0.25 * (share * ramp[place + (window === 2 ? 500 : 0)]! + (share < 1 ? (1 - share) * ramp[place + STEP]! : 0))
  })
  assert.ok(apart(vocals, wanted, 0) < 1e-4, `${apart(vocals, wanted, 0)}`)
  assert.ok(apart(sum(vocals, rest), given, 0) < 1e-3)
  const progress = events.flatMap((one) => (one.kind === 'progress' ? [one.progress] : []))
  assert.equal(progress.length, 4, 'three windows and the end')
  assert.equal(progress.at(-1), 1)
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
})

test('both channels are used; the output keeps the rate of the recording, also at 8 kHz mono', async (t) => {
  const engine = engineWith(t, network())
  const [left, right] = [tone(600, 44_100, 30_000), tone(900, 44_100, 30_000, 0.2)]
  const both = await separated(engine, stereo(left, right))
  assert.ok(apart(both.vocals, scaled(sum(left, right), 0.125), 0) < 2 * STEP_OF_16)
  const voices = await separated(engine, stereo(left, right), { stereo_vocals: true })
  assert.ok(apart(voices.vocals, scaled(left, 0.25), 0) < 2 * STEP_OF_16)
  assert.ok(apart(voices.rest, scaled(right, 0.25), 0) < 2 * STEP_OF_16)
  for (const rate of [8_000, 16_000, 48_000]) {
    const given = tone(600, rate, rate + 7)
    const { vocals, rest, result } = await separated(engine, asAudio(given, rate))
    assert.equal(result.sample_rate, rate)
    assert.deepEqual([vocals.length, rest.length], [rate + 7, rate + 7])
    assert.ok(apart(vocals, scaled(given, 0.25), 500) < 0.001, `${rate} Hz: ${apart(vocals, scaled(given, 0.25), 500)}`)
    assert.ok(apart(sum(vocals, rest), given, 500) < 0.003, `${rate} Hz`)
  }
  const alone = await separated(engine, asAudio(left, 44_100), { sample_rate: 24_000, vocals_only: true })
  assert.equal(alone.vocals.length, Math.round((30_000 * 24_000) / 44_100))
  assert.deepEqual(alone.result.parts, [{ samples: alone.vocals.length }])
})

test('stops between two windows', async (t) => {
  const engine = engineWith(t, network())
  const abort = new AbortController()
  const run = engine.run('separate', {}, abort.signal, asAudio(new Float32Array(3 * WINDOW), 44_100))[Symbol.asyncIterator]()
  const seen: string[] = []
  await assert.rejects(
    async () => {
      for (let next = await run.next(); !next.done; next = await run.next()) {
        seen.push(next.value.kind)
        if (next.value.kind === 'progress') abort.abort(new Failure('CANCELLED', 'no longer wanted'))
      }
    },
    refused('CANCELLED', /wanted/),
  )
  assert.deepEqual(seen, ['audio', 'progress'], 'one window and no more')
})

test('wrong exports, incomplete files, non-finite output and wrong parameters are rejected', async (t) => {
  const sound = asAudio(tone(1_000, 44_100, 9_000), 44_100)
  const fails = (engine: Engine, code: string, words: RegExp, params: object = {}, inputs = sound) =>
    assert.rejects(eventsOf(engine.run('separate', params, signal, inputs)), refused(code, words))
  const wrong: [More, RegExp][] = [
    [{ input: 'input' }, /wrong export: input mix is missing/],
    [{ output: 'sources' }, /wrong export: output stems is missing/],
    [{ dims: [1, 2, 441_000] }, /wrong export: input mix is \[1, 2, 441000\], not \[1, 2, 343980\]/],
    [{ dims: [2, WINDOW] }, /wrong export: input mix has 2 dimensions, not 3/],
    [{ stems: [0, 3] }, /wrong export: output stems is \[1, 2, 2, 343980\], not \[1, 4, 2, 343980\]/],
    [{ kept: [1, 0, 0, 1] }, /wrong export: stems has 1375920 values/],
  ]
  for (const [more, words] of wrong) await fails(engineWith(t, network(more)), 'MODEL_NOT_DOWNLOADED', words)
  const whole = network()
  await fails(engineWith(t, whole.subarray(0, whole.length / 2)), 'MODEL_NOT_DOWNLOADED', /htdemucs_fp16weights\.onnx/)
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    await fails(engineWith(t, network({ factor: constant(value) })), 'NON_FINITE_OUTPUT', /not finite/)
  const engine = engineWith(t, network({ kept: [1, 1, 1, 1] }))
  await fails(engine, 'INVALID_TASK_PARAMS', /sample_rate/, { sample_rate: 7 })
  await fails(engine, 'INVALID_TASK_PARAMS', /stems/, { stems: 2 })
  await fails(engine, 'INVALID_TASK_PARAMS', /needs a recording/, {}, new Map())
  await assert.rejects(
    eventsOf(engine.run('asr', {}, signal, sound)),
    refused('OPERATION_UNSUPPORTED', /htdemucs does not support the operation "asr"/),
  )
  assert.equal((await separated(engine, sound)).vocals.length, 9_000, 'and it still works, also where the export leaves its sizes open')
})

test('through the pool, a missing model is reported with a remedy', async (t) => {
  const { pool, tts } = await openPool(t)
  const [row] = (await pool.capabilities()).filter(({ engine }) => engine === 'htdemucs')
  assert.deepEqual([row?.operation, row?.supported, row?.installed, row?.downloaded], ['separate', true, true, false])
  assert.match(row!.reason!, /models install StemSplitio\/htdemucs-onnx:fp16\.$/)
  await failsWith(tts({}, { engine: 'htdemucs', operation: 'separate' }), 'MODEL_NOT_DOWNLOADED')
})
