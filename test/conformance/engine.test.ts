// Common behaviour of all engines, through the pool and a real host. A new engine needs a row in one of the three lists.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '#agent/engine/catalog/catalog.ts'
import { followsInstructions } from '#control-plane/inference/offers.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { foreignWords } from '#shared/text/scripts.ts'
import { collect, failsWith, nextOf, oneSegment, openPool } from '../agent/engine/host/open-pool.ts'
import { eventually } from '../support/world/world.ts'

type Subject = {
  readonly voices: number
  readonly rate: number
  readonly models: readonly string[]
  readonly standsIn: boolean
  readonly program?: string
}
const path = process.env['PATH'] ?? ''
const environment = { PATH: path }
/** `voices`: minimum number. `standsIn`: it is a substitute. `program`: required on the machine; the tests of the engine cover machines without it. */
const SUBJECTS: Readonly<Record<string, Subject>> = {
  'svc-engine': { voices: 1, rate: 24_000, models: [], standsIn: true },
  flite: { voices: 5, rate: 16_000, models: [], standsIn: false },
  tone: { voices: 1, rate: 16_000, models: ['vast', 'weighed'], standsIn: true },
  heart: { voices: 1, rate: 24_000, models: [], standsIn: false },
  'espeak-ng': { voices: 20, rate: 22_050, models: [], standsIn: false, program: 'espeak-ng' },
}
/** Engines without speech, which have tests of their own. */
const SILENT = [
  'silero',
  'rnnoise',
  'pocketsphinx',
  'apertium',
  'faster-whisper',
  'whisperx',
  'moonshine',
  'opus-mt',
  'm2m100',
  'pyannote',
  'sherpa-onnx-asr',
  'nemo-parakeet',
  'sherpa-onnx-lid',
  'mdx-net',
  'htdemucs',
]
/** Engines that need a download: here they can only report that it is missing. */
const WITHOUT_MODEL = ['kittentts', 'kokoro', 'moss-tts-nano', 'piper', 'pockettts', 'sherpa-onnx', 'supertonic3']
const SENTENCE = 'The quick brown fox jumps over the lazy dog. '
const refused = (code: string) => (error: Error & { code?: string }) => error.code === code

test('every engine of the catalogue is a subject of this suite', () => {
  const listed = catalog(true).map(({ id }) => id)
  assert.deepEqual(listed.sort(), [...Object.keys(SUBJECTS), ...SILENT, ...WITHOUT_MODEL].sort())
})

for (const engine of WITHOUT_MODEL) {
  test(`${engine}: reports that its model is not downloaded, and its host survives the attempt`, async (t) => {
    const { pool, hosts, tts } = await openPool(t)
    const rows = (await pool.capabilities()).filter((row) => row.engine === engine)
    assert.deepEqual(
      rows.map(({ model, downloaded }) => [model, downloaded]),
      [['', false]],
    )
    assert.match(rows[0]!.reason!, /not downloaded/)
    await failsWith(tts(oneSegment('Hello.'), { engine }), 'MODEL_NOT_DOWNLOADED')
    await failsWith(tts(oneSegment('Hello.'), { engine }), 'MODEL_NOT_DOWNLOADED')
    assert.equal(hosts.length, 1)
  })
}

test('the test voice exists in development only', () => {
  assert.ok(!catalog(false).some(({ id }) => id === 'tone'))
})

for (const [engine, { voices, rate, models, standsIn, program }] of Object.entries(SUBJECTS)) {
  const options = { skip: program !== undefined && !findProgram(program, path) && `${program} is not installed` }
  // One pool and one host for all: a test that starts another host says so.
  test(engine, options, async (t) => {
    const { pool, hosts, tts } = await openPool(t, { environment })

    await t.test(`${engine}: describes itself without a host`, async () => {
      const [capability, ...others] = (await pool.capabilities()).filter((row) => row.engine === engine && row.operation === 'tts')
      assert.ok(capability)
      assert.equal(capability.model, '', 'the default model comes first')
      assert.deepEqual(
        others.map(({ model }) => model),
        models,
      )
      assert.equal(capability.operation, 'tts')
      assert.ok(capability.voices.length >= voices)
      assert.ok(capability.supported && capability.installed && capability.downloaded)
      assert.ok(capability.permits >= 1)
      assert.ok(capability.memoryBytes > 0)
      assert.equal(capability.standsIn !== null, standsIn, 'a substitute must say so')
      assert.equal(pool.freePermits(engine), capability.permits)
      assert.deepEqual(hosts, [])
    })

    await t.test(`${engine}: streams its parts in order and ends with the result`, async () => {
      const segments = [{ text: `${SENTENCE}${SENTENCE}` }, { text: 'Second.', pause_after_ms: 250 }, { text: 'Third and last.', seed: 7 }]
      const { events, parts, result } = await collect(tts({ segments }, { engine }))

      assert.equal(events[0]?.kind, 'loading')
      assert.equal(events.filter((event) => event.kind === 'running').length, 1)
      assert.equal(events.at(-1)?.kind, 'result')
      assert.equal(result.sample_rate, rate)
      // Neural engines also report their device.
      const fields = Object.keys(result).filter((name) => !name.startsWith('device'))
      assert.deepEqual(fields.sort(), ['notices', 'parts', 'sample_rate', 'voice'])
      assert.deepEqual(
        parts.map((bytes) => bytes.length / 2),
        result.parts.map((part) => part.samples),
      )
      const order = events.flatMap((event) => (event.kind === 'audio' ? [event.part] : []))
      assert.deepEqual(
        order,
        order.toSorted((left, right) => left - right),
      )
      assert.ok(order.filter((part) => part === 0).length >= 2, 'a long part comes in several pieces')

      const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))
      assert.deepEqual(
        progress,
        progress.toSorted((left, right) => left - right),
      )
      assert.ok(progress.length >= 3 && progress[0]! > 0 && Math.abs(progress.at(-1)! - 1) < 1e-9)

      const pause = parts[1]!.subarray(-2 * rate * 0.25)
      assert.ok(pause.every((byte) => byte === 0) && parts[1]!.some((byte) => byte !== 0))
      assert.ok(parts[2]!.some((byte) => byte !== 0))
      assert.ok(pool.resident().includes(`${engine}:`))
    })

    await t.test(`${engine}: the same task gives the same bytes, also in another host`, async () => {
      const params = oneSegment(SENTENCE)
      const first = await collect(tts(params, { engine }))
      const started = hosts.length
      const second = await collect(tts(params, { engine }))
      await pool.unload(engine)
      assert.deepEqual(pool.resident(), [])
      const third = await collect(tts(params, { engine }))
      assert.equal(hosts.length, started + 1)
      assert.ok(first.parts[0]!.length > rate)
      assert.ok(first.parts[0]!.equals(second.parts[0]!) && first.parts[0]!.equals(third.parts[0]!))
    })

    await t.test(`${engine}: a segment has the same bytes alone and beside others`, async () => {
      const segments = [SENTENCE, 'No. 7 is second, since 1990.', 'Third and last.'].map((text, seed) => ({ text, seed }))
      const { parts } = await collect(tts({ segments }, { engine }))
      const reversed = await collect(tts({ segments: segments.toReversed() }, { engine }))
      for (const [at, bytes] of parts.entries()) {
        assert.ok(bytes.equals(reversed.parts[2 - at]!), `${at} in another order`)
        const alone = await collect(tts({ segments: [segments[at]!] }, { engine }))
        assert.ok(bytes.equals(alone.parts[0]!), `${at} alone`)
      }
    })

    await t.test(`${engine}: a cancelled run stops and keeps its host`, async () => {
      const abort = new AbortController()
      const long = tts({ segments: Array.from({ length: 2_000 }, () => ({ text: SENTENCE })) }, { engine, signal: abort.signal })
      await nextOf(long, 'audio')
      const started = hosts.length
      const free = pool.freePermits(engine)
      abort.abort()
      await failsWith(long, 'CANCELLED')
      assert.equal(pool.freePermits(engine), free + 1)
      assert.equal((await long.next()).done, true)
      await collect(tts(oneSegment('Again.'), { engine }))
      assert.equal(hosts.length, started, 'an engine that stops in time is not killed')
    })

    await t.test(`${engine}: a consumer that leaves early stops the run`, async () => {
      const long = tts({ segments: Array.from({ length: 2_000 }, () => ({ text: SENTENCE })) }, { engine })
      for await (const event of long) if (event.kind === 'audio') break
      const started = hosts.length
      const { permits } = (await pool.capabilities()).find((row) => row.engine === engine)!
      const again = await collect(tts(oneSegment('Again.'), { engine }))
      assert.equal(again.events[0]?.kind, 'running')
      // The host of an engine with two permits may still be stopping the first run.
      await eventually(() => pool.freePermits(engine) === permits)
      assert.equal(hosts.length, started)
    })

    await t.test(`${engine}: rejects wrong parameters and names the field`, async () => {
      const bad: [object, RegExp][] = [
        [{}, /segments/],
        [{ segments: [] }, /segments/],
        [{ segments: [{ text: '' }] }, /segments\.0\.text/],
        [{ segments: [{ text: 'x'.repeat(100_001) }] }, /segments\.0\.text/],
        [oneSegment('hi', { speed: 9 }), /speed/],
        [oneSegment('hi', { speed: Number.NaN }), /speed/],
        [oneSegment('hi', { num_step: 0 }), /num_step/],
        [oneSegment('hi', { duration: -1 }), /duration/],
        [oneSegment('hi', { model_path: '/etc/passwd' }), /model_path/],
        [{ segments: [{ text: 'hi', pause_after_ms: 60_001 }] }, /segments\.0\.pause_after_ms/],
        [{ segments: [{ text: 'hi', pause_after_ms: 5_000 }], duration: 2 }, /duration/],
      ]
      for (const [params, field] of bad) assert.match((await failsWith(tts(params, { engine }), 'INVALID_TASK_PARAMS')).message, field)
      await collect(tts(oneSegment('Still here.'), { engine }))

      assert.throws(() => tts(oneSegment('hi'), { engine, operation: 'separate' }), refused('OPERATION_UNSUPPORTED'))
      assert.throws(() => tts(oneSegment('hi'), { engine, model: '/etc/passwd' }), refused('MODEL_REF_REJECTED'))
      assert.throws(() => tts(oneSegment('hi'), { engine: 'unknown' }), refused('OPERATION_UNSUPPORTED'))
    })

    await t.test(`${engine}: runs as many tasks as it has permits`, async () => {
      const permits = pool.freePermits(engine)
      const abort = new AbortController()
      const runs = Array.from({ length: permits }, () => tts(oneSegment(SENTENCE.repeat(100)), { engine, signal: abort.signal }))
      assert.equal(pool.freePermits(engine), 0)
      assert.throws(() => tts(oneSegment('hi'), { engine }), refused('WORKER_AT_CAPACITY'))
      for (const run of runs) await nextOf(run, 'audio')
      const started = hosts.length
      await assert.rejects(pool.unload(engine), refused('CONFLICT'))
      abort.abort()
      for (const run of runs) await failsWith(run, 'CANCELLED')
      assert.equal(pool.freePermits(engine), permits)
      assert.equal(hosts.length, started)
    })

    await t.test(`${engine}: follows a duration and a speed`, async () => {
      const segments = [{ text: SENTENCE.repeat(2), pause_after_ms: 500 }, { text: SENTENCE }]
      const seconds = async (more: object) => {
        const { result } = await collect(tts({ segments, ...more }, { engine }))
        return result.parts.reduce((sum, part) => sum + part.samples, 0) / result.sample_rate
      }
      const natural = await seconds({})
      for (const wanted of [natural * 0.7, natural * 1.4]) {
        const got = await seconds({ duration: wanted })
        assert.ok(Math.abs(got / wanted - 1) < 0.05, `wanted ${wanted} s, got ${got} s`)
      }
      const half = await seconds({ speed: 2 })
      assert.ok(Math.abs((half - 0.5) / ((natural - 0.5) / 2) - 1) < 0.1, `natural ${natural} s, at double speed ${half} s`)
    })

    await t.test(`${engine}: what its capability says about scripts and instructions is what its result says`, async () => {
      const [capability] = (await pool.capabilities()).filter((row) => row.engine === engine)
      const noticesOf = async (text: string, more: object = {}) =>
        (await collect(tts(oneSegment(text, more), { engine }))).result.notices.join()
      const isLeftOut = /left out/.test(await noticesOf('Hello, спасибо and 水 to you.'))
      assert.equal(isLeftOut, capability!.scripts.length > 0)
      assert.equal(foreignWords('Café, naïve, Łódź, 5 µm.', capability!.scripts), 0)
      assert.doesNotMatch(await noticesOf('Café, naïve, Łódź.'), /left out/)
      const isUnheeded = /does not follow instructions/.test(await noticesOf('Hello.', { instruct: 'calm' }))
      if (isUnheeded) assert.ok(!followsInstructions({ engine, stands_in: capability!.standsIn ?? '' }))
    })

    await t.test(`${engine}: an unknown voice is replaced and the result says so`, async () => {
      const { result } = await collect(tts(oneSegment('Hello.', { voice: 'unknown' }), { engine }))
      assert.notEqual(result.voice, 'unknown')
      assert.match(result.notices.join(), /unknown/)
      assert.deepEqual((await collect(tts(oneSegment('Hello.'), { engine }))).result.notices, [])
    })
  })
}
