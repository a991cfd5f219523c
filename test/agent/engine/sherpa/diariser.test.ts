// Who spoke when, by the real library over planted networks; and files that are not what they should be.
import assert from 'node:assert/strict'

import { tmpdir } from 'node:os'

import { type TestContext, test } from 'node:test'
import { createPyannote, renumbered } from '#agent/engine/sherpa/diariser.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { failsWith, openPool } from '#test/agent/engine/open-pool.ts'
import { filesIn } from '../onnx/folder.ts'
import { asAudio, eventsOf, join as joined, resultOf } from '../recording.ts'
import { embedding, segmentation } from './planted.ts'

type Result = { segments: { start: number; end: number; speaker: number }[] }
const { signal } = new AbortController()
const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / 16_000))
const silence = (seconds: number) => new Float32Array(seconds * 16_000)
/** A low voice, a high one, the low one again. */
const TALK = joined([silence(1), tone(200, 3), silence(2), tone(3_000, 3), silence(2), tone(200, 3), silence(1)])
const NAMES = ['segmentation/model.onnx', 'embedding/voices.onnx'] as const
const files = (t: TestContext, more: Partial<Record<(typeof NAMES)[number], Uint8Array | string>> = {}) =>
  filesIn(t, { [NAMES[0]]: segmentation(), [NAMES[1]]: embedding(), ...more })

test('two voices are told apart, in the order in which they speak', async (t) => {
  const found = files(t)
  const engine = createPyannote({ filesOf: () => found })
  const [row] = engine.describe()
  assert.ok(row!.supported && row!.installed && row!.downloaded && row!.reason === undefined)
  for (const params of [{ num_speakers: 2 }, {}, { threshold: 0.5 }]) {
    const events = await eventsOf(engine.run('diarize', params, signal, asAudio(TALK)))
    const { segments } = resultOf<Result>(events)
    assert.deepEqual(
      segments.map(({ start, end, speaker }) => [Math.round(start), Math.round(end), speaker]),
      [
        [1, 4, 0],
        [6, 9, 1],
        [11, 14, 0],
      ],
      JSON.stringify(params),
    )
    const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))
    assert.deepEqual([progress.toSorted((one, other) => one - other), progress.at(-1)], [progress, 1])
  }
  const one = resultOf<Result>(await eventsOf(engine.run('diarize', { num_speakers: 1 }, signal, asAudio(TALK))))
  assert.deepEqual(new Set(one.segments.map(({ speaker }) => speaker)), new Set([0]))
  assert.deepEqual(resultOf<Result>(await eventsOf(engine.run('diarize', {}, signal, asAudio(silence(3))))).segments, [])
  assert.deepEqual(resultOf<Result>(await eventsOf(engine.run('diarize', {}, signal, asAudio(tone(200, 1).subarray(0, 99))))).segments, [])
  for (const [params, field] of [
    [{ num_speakers: 0 }, /num_speakers/],
    [{ num_speakers: 21 }, /num_speakers/],
    [{ threshold: Number.NaN }, /threshold/],
    [{ model: '/etc/passwd' }, /model/],
  ] as const)
    await assert.rejects(eventsOf(engine.run('diarize', params, signal, asAudio(TALK))), { code: 'INVALID_TASK_PARAMS', message: field })
  await assert.rejects(eventsOf(engine.run('asr', {}, signal, asAudio(TALK))), { code: 'OPERATION_UNSUPPORTED' })
  await engine.unload()
})

test('files that are not what they should be are named in a refusal, and this process lives', async (t) => {
  const broken: [Parameters<typeof files>[1], RegExp][] = [
    [{ [NAMES[0]]: segmentation().subarray(0, 200) }, /model\.onnx/],
    [{ [NAMES[0]]: 'PK\u0003\u0004 a zip' }, /model\.onnx/],
    [{ [NAMES[0]]: '' }, /./],
    [{ [NAMES[0]]: embedding() }, /metadata/],
    [{ [NAMES[1]]: segmentation() }, /speaker embedding/],
  ]
  for (const [more, words] of broken) {
    const found = files(t, more)
    const engine = createPyannote({ filesOf: () => found })
    const failure = await engine.load().catch((error: Failure) => error)
    assert.ok(failure, 'it was opened')
    assert.deepEqual([failure.code, words.test(failure.message)], ['MODEL_NOT_DOWNLOADED', true], failure.message)
    assert.ok(/download it again/.test(failure.message) && !failure.message.includes(tmpdir()), failure.message)
  }
  const half = createPyannote({ filesOf: () => new Map([[NAMES[0], '/nowhere']]) })
  await assert.rejects(half.load(), { code: 'MODEL_NOT_DOWNLOADED', message: /embedding.* is missing/ })
})

test('a machine without the model says what to download; its host, where there is one, outlives the refusal', async (t) => {
  const { pool, hosts } = await openPool(t)
  const row = (await pool.capabilities()).find(({ engine }) => engine === 'pyannote')!
  assert.ok(row.supported && row.installed && !row.downloaded && /download "Speaker diarisation"/.test(row.reason!))
  const run = () => pool.run({ id: 'test', engine: 'pyannote', model: '', operation: 'diarize', params: {}, signal })
  await failsWith(run(), 'MODEL_NOT_DOWNLOADED')
  await failsWith(run(), 'MODEL_NOT_DOWNLOADED')
  assert.equal(hosts.length, 1)
})

test('turns are in time, within the recording, and numbered by who speaks first', () => {
  assert.deepEqual(
    renumbered(
      [
        { start: 4, end: 9, speaker: 0 },
        { start: -1, end: 2, speaker: 7 },
        { start: 2, end: 2, speaker: 3 },
        { start: 9.5, end: 12, speaker: 7 },
      ],
      8,
    ),
    [
      { start: 0, end: 2, speaker: 0 },
      { start: 4, end: 8, speaker: 1 },
    ],
  )
})
