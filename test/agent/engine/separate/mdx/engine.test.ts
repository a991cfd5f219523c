// Separation with planted networks: the identity, silence, and wrong outputs.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { mdxNet } from '#agent/engine/separate/mdx/engine.ts'
import { MDX_MODELS, type MdxModel } from '#agent/engine/separate/mdx/models.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { asAudio, eventsOf, noise, rmsOf } from '#test/agent/engine/audio/recording.ts'
import { failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { model, type Node } from '#test/support/models/onnx-graph.ts'
import { apart, refused, separated, stereo, tone } from '../network/separated.ts'

/** Small enough for many chunks in little time; all bins, so that the lowest three are the only ones that are lost. */
const SMALL: MdxModel = { file: 'small.onnx', geometry: { fftSize: 480, hop: 120, bins: 241, frames: 65 }, compensation: 1 }
const { signal } = new AbortController()

const network = ({ geometry: { bins, frames } }: MdxModel, factor: number, more: { name?: string; bins?: number; nodes?: Node[] } = {}) => {
  const dims = [1, 4, more.bins ?? bins, frames]
  return model({
    inputs: [{ name: more.name ?? 'input', type: 'float32', dims }],
    outputs: [{ name: 'output', type: 'float32', dims }],
    nodes: more.nodes ?? [{ op: 'Mul', inputs: [more.name ?? 'input', 'factor'], outputs: ['output'] }],
    initializers: [{ name: 'factor', type: 'float32', dims: [], values: [factor] }],
  })
}
function engineWith(t: TestContext, file: Uint8Array, wanted = SMALL) {
  const files = filesIn(t, { [wanted.file]: file })
  const engine = mdxNet.create(
    { clock: systemClock, path: '', filesOf: (id, name) => (id === 'mdx-net' && name === '' ? files : null) },
    (path, wish) => openGraph(path, { ...wish, device: 'cpu', threads: 1 }),
    { '': wanted },
  )
  t.after(() => engine.unload())
  return engine
}
test('an identity network gives the whole recording as the voice', async (t) => {
  const engine = engineWith(t, network(SMALL, 1))
  const given = tone(6_000, 44_100, 100_003)
  const { vocals, rest, result, events } = await separated(engine, asAudio(given, 44_100))
  assert.ok(apart(vocals, given, 500) < 1e-4, `${apart(vocals, given, 500)}`)
  assert.ok(rest.subarray(500, -500).every((one) => Math.abs(one) < 1e-4))
  assert.deepEqual(result.parts, [{ samples: 100_003 }, { samples: 100_003 }])
  assert.equal(result.sample_rate, 44_100)
  const progress = events.flatMap((one) => (one.kind === 'progress' ? [one.progress] : []))
  assert.ok(progress.length > 10, 'chunk by chunk')
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  const parts = events.flatMap((one) => (one.kind === 'audio' ? [one.part] : []))
  assert.deepEqual(
    parts,
    parts.toSorted((a, b) => a - b),
  )
})

test('a silent network gives the whole recording as the rest', async (t) => {
  const engine = engineWith(t, network(SMALL, 0))
  const given = noise(60_000, 0.2, 5)
  const { vocals, rest } = await separated(engine, asAudio(given, 44_100))
  assert.ok(vocals.every((one) => one === 0))
  assert.ok(apart(rest, given, 0) < 1 / 32_000)
  assert.equal(rest.length, given.length)
})

test('voice and rest add up to the recording, and the compensation is applied', async (t) => {
  const engine = engineWith(t, network(SMALL, 0.5), { ...SMALL, compensation: 1.2 })
  const given = tone(6_000, 44_100, 50_000)
  const { vocals, rest } = await separated(engine, asAudio(given, 44_100))
  assert.ok(
    apart(
      vocals,
      given.map((one) => one * 0.6),
      500,
    ) < 1e-4,
  )
  assert.ok(
    apart(
      vocals.map((one, n) => one + rest[n]!),
      given,
      0,
    ) <
      1 / 16_000,
  )
})

test('chunks join without a click, also when a chunk is slightly longer than the recording', async (t) => {
  const engine = engineWith(t, network(SMALL, 1))
  // A chunk is 7680 long, of which 7200 are used and 6720 are new.
  for (const length of [1, 100, 6_719, 6_720, 6_721, 7_199, 7_200, 7_201, 13_920, 13_921]) {
    const given = tone(6_000, 44_100, length)
    const { vocals, rest } = await separated(engine, asAudio(given, 44_100))
    assert.equal(vocals.length, length)
    assert.equal(rest.length, length)
    assert.ok(apart(vocals, given, 500) < 1e-4, `${length} samples: ${apart(vocals, given, 500)}`)
  }
})

test('both channels are used; the output keeps rate, length and position of the recording', async (t) => {
  const engine = engineWith(t, network(SMALL, 1))
  const [left, right] = [tone(6_000, 44_100, 30_000), tone(9_000, 44_100, 30_000, 0.2)]
  const both = await separated(engine, stereo(left, right))
  assert.ok(
    apart(
      both.vocals,
      left.map((one, n) => (one + right[n]!) / 2),
      500,
    ) < 1e-4,
  )
  const voices = await separated(engine, stereo(left, right), { stereo_vocals: true })
  assert.deepEqual(
    [left, right].map((channel, at) => apart([voices.vocals, voices.rest][at]!, channel, 500) < 1e-4),
    [true, true],
    'an identity network gives both channels of the recording as those of the voice',
  )
  assert.deepEqual(voices.result.parts, [{ samples: 30_000 }, { samples: 30_000 }])
  for (const rate of [16_000, 22_050, 48_000]) {
    const given = tone(3_000, rate, rate + 7)
    const { vocals, rest, result } = await separated(engine, asAudio(given, rate))
    assert.equal(result.sample_rate, rate)
    assert.deepEqual([vocals.length, rest.length], [rate + 7, rate + 7])
    assert.ok(apart(vocals, given, 500) < 0.003, `${rate} Hz: ${apart(vocals, given, 500)}`)
  }
  const alone = await separated(engine, asAudio(left, 44_100), { sample_rate: 24_000, vocals_only: true })
  assert.equal(alone.vocals.length, Math.round((30_000 * 24_000) / 44_100))
  assert.equal(alone.rest.length, 0)
  assert.deepEqual(alone.result.parts, [{ samples: alone.vocals.length }])
})

for (const [name, wanted] of Object.entries(MDX_MODELS)) {
  test(`model "${name}" at its full size: a tone goes through its two chunks`, async (t) => {
    const engine = engineWith(t, network(wanted, 1), wanted)
    const given = tone(1_000, 44_100, 280_000)
    const { vocals, rest } = await separated(engine, asAudio(given, 44_100))
    assert.ok(
      apart(
        vocals,
        given.map((one) => one * wanted.compensation),
        8_000,
      ) < 1e-4,
    )
    assert.equal(rest.length, given.length)
    assert.ok(Math.abs(rmsOf(rest) / rmsOf(given) - (wanted.compensation - 1)) < 0.01)
  })
}

test('the default model is used where several are downloaded', async (t) => {
  const other: MdxModel = { ...SMALL, file: 'other.onnx' }
  const files = filesIn(t, { [SMALL.file]: network(SMALL, 1), [other.file]: network(other, 0) })
  const engine = mdxNet.create(
    { clock: systemClock, path: '', filesOf: () => files },
    (path, wish) => openGraph(path, { ...wish, device: 'cpu', threads: 1 }),
    { '': SMALL, '9703': other },
  )
  t.after(() => engine.unload())
  const { vocals } = await separated(engine, asAudio(tone(6_000, 44_100, 9_000), 44_100))
  assert.ok(rmsOf(vocals) > 0.1)
})

test('stops between two chunks', async (t) => {
  const engine = engineWith(t, network(SMALL, 1))
  const abort = new AbortController()
  const run = engine.run('separate', {}, abort.signal, asAudio(new Float32Array(400_000), 44_100))[Symbol.asyncIterator]()
  await run.next()
  abort.abort(new Failure('CANCELLED', 'no longer wanted'))
  await assert.rejects(
    async () => {
      for (let turns = 0; turns < 4; turns++) await run.next()
    },
    refused('CANCELLED', /wanted/),
  )
})

test('wrong exports, non-finite output, wrong parameters and missing recordings are rejected', async (t) => {
  const sound = asAudio(tone(1_000, 44_100, 9_000), 44_100)
  const fails = (engine: Engine, code: string, words: RegExp, params: object = {}, inputs = sound) =>
    assert.rejects(eventsOf(engine.run('separate', params, signal, inputs)), refused(code, words))
  await fails(engineWith(t, network(SMALL, 1, { bins: 240 })), 'MODEL_NOT_DOWNLOADED', /wrong export: input input is \[1, 4, 240, 65\]/)
  await fails(engineWith(t, network(SMALL, 1, { name: 'x' })), 'MODEL_NOT_DOWNLOADED', /input input is missing/)
  await fails(engineWith(t, network(SMALL, Number.NaN)), 'NON_FINITE_OUTPUT', /not finite/)
  const engine = engineWith(t, network(SMALL, 1))
  await fails(engine, 'INVALID_TASK_PARAMS', /sample_rate/, { sample_rate: 7 })
  await fails(engine, 'INVALID_TASK_PARAMS', /path/, { path: '/etc/passwd' })
  await fails(engine, 'INVALID_TASK_PARAMS', /needs a recording/, {}, new Map())
  await fails(engine, 'INVALID_TASK_PARAMS', /empty/, {}, asAudio(new Float32Array(0), 44_100))
  await fails(engine, 'INVALID_TASK_PARAMS', /not a WAV/, {}, new Map([['audio', Buffer.from('hello')]]))
  await assert.rejects(eventsOf(engine.run('asr', {}, signal, sound)), refused('OPERATION_UNSUPPORTED', /asr/))
  assert.equal((await separated(engine, sound)).vocals.length, 9_000, 'and it still works')
})

test('through the pool, a missing model is reported', async (t) => {
  const { pool, tts } = await openPool(t)
  const [row] = (await pool.capabilities()).filter(({ engine }) => engine === 'mdx-net')
  assert.deepEqual([row?.operation, row?.supported, row?.installed, row?.downloaded], ['separate', true, true, false])
  assert.match(row!.reason!, /models install/)
  await failsWith(tts({}, { engine: 'mdx-net', operation: 'separate' }), 'MODEL_NOT_DOWNLOADED')
})
