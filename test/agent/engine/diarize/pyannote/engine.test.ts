// Diarisation with planted networks; damaged files.
import assert from 'node:assert/strict'

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { test } from 'node:test'
import { pyannote } from '#agent/engine/diarize/pyannote/engine.ts'
import { diarisationBytes } from '#agent/engine/diarize/pyannote/memory.ts'
import { renumberedTurns } from '#agent/engine/diarize/pyannote/turns.ts'
import { ownSpeech } from '#agent/engine/diarize/pyannote/voices.ts'
import type { PoolEvent } from '#agent/engine/host/pool.ts'
import { DiarizeResult } from '#shared/operations/diarize.ts'
import { asAudio, eventsOf, join as joined, resultOf } from '#test/agent/engine/audio/recording.ts'
import { asGiven, failsWith, nextOf, openPool } from '#test/agent/engine/host/open-pool.ts'
import { files, NAMES, rejectsDamaged } from './damaged.ts'
import { embedding, segmentation, spoken } from './planted.ts'

type Result = {
  segments: { start: number; end: number; speaker: number }[]
  voices?: { speaker: number; seconds: number; vector: number[] }[]
}
const { signal } = new AbortController()
const silence = (seconds: number) => new Float32Array(seconds * 16_000)
/** A low voice, a high one, the low one again. */
const TALK = joined([silence(1), spoken(200, 3), silence(2), spoken(3_000, 3), silence(2), spoken(200, 3), silence(1)])

test('two voices are separated, numbered in order of speaking', async (t) => {
  const found = files(t)
  const engine = pyannote.create({ filesOf: () => found })
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
  assert.deepEqual(
    resultOf<Result>(await eventsOf(engine.run('diarize', {}, signal, asAudio(spoken(200, 1).subarray(0, 99))))).segments,
    [],
  )
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

test('the voices of speakers are compared between recordings', async (t) => {
  const found = files(t)
  const engine = pyannote.create({ filesOf: () => found })
  t.after(() => engine.unload())
  const run = async (params: object, sound: Float32Array) =>
    resultOf<Result>(await eventsOf(engine.run('diarize', params, signal, asAudio(sound))))
  assert.equal((await run({}, TALK)).voices, undefined)
  const first = await run({ voices: true }, TALK)
  // The high voice speaks first here.
  const second = await run({ voices: true }, joined([silence(1), spoken(3_000, 4), silence(2), spoken(200, 2), silence(1)]))
  assert.deepEqual(DiarizeResult.parse(first), first)
  const voiceOf = ({ voices }: Result, speaker: number) => voices!.find((voice) => voice.speaker === speaker)!.vector
  const distance = (one: number[], other: number[]) => 1 - one.reduce((sum, value, at) => sum + value * other[at]!, 0)
  assert.deepEqual(
    first.voices!.map(({ speaker, seconds, vector }) => [speaker, Math.round(seconds), vector.length]),
    [
      [0, 6, 80],
      [1, 3, 80],
    ],
  )
  assert.ok(distance(voiceOf(first, 0), voiceOf(second, 1)) < 0.1, 'the low voice')
  assert.ok(distance(voiceOf(first, 1), voiceOf(second, 0)) < 0.1, 'the high voice')
  assert.ok(distance(voiceOf(first, 0), voiceOf(first, 1)) > 0.5, 'two voices')
  assert.deepEqual((await run({ voices: true }, silence(3))).voices, [])
})

test('the voice of a speaker is taken from what he says alone, at most 30 seconds', () => {
  const turns = [
    { start: 0, end: 10, speaker: 0 },
    { start: 8, end: 12, speaker: 1 },
    { start: 20, end: 60, speaker: 0 },
    { start: 30, end: 31, speaker: 2 },
  ]
  const spans = ownSpeech(turns)
  assert.deepEqual(spans.get(0), [
    { start: 31, end: 60 },
    { start: 20, end: 21 },
  ])
  assert.deepEqual(spans.get(1), [{ start: 10, end: 12 }])
  assert.deepEqual(spans.get(2), [])
})

test('a recording that does not fit into memory is refused before it is computed', async (t) => {
  const found = files(t)
  const engine = pyannote.create({ filesOf: () => found }, undefined, () => 4 * TALK.length)
  t.after(() => engine.unload())
  const run = () => eventsOf(engine.run('diarize', {}, signal, asAudio(TALK)))
  await assert.rejects(run(), { code: 'INSUFFICIENT_MEMORY', message: /\(1 min\) needs up to \d+ MiB.*shorter pieces/ })
  assert.ok(engine.describe()[0]!.memoryBytes >= diarisationBytes(1_800))
})

test('the memory grows with the length of the recording', () => {
  const second = diarisationBytes(601) - diarisationBytes(600)
  assert.ok(second > 64_000 + 589 + 3 * 256 * 16, `${second}`)
  assert.equal(diarisationBytes(7_200) - diarisationBytes(3_600), 3_600 * second)
  assert.ok(diarisationBytes(7_200) < 1e9)
})

test('damaged files are rejected by name without ending this process', async (t) => {
  await rejectsDamaged(t)
  const half = pyannote.create({ filesOf: () => new Map([[NAMES[0], '/nowhere']]) })
  await assert.rejects(half.load(), { code: 'MODEL_NOT_DOWNLOADED', message: /embedding.* is missing/ })
})

test('a missing model is reported with a remedy, and its host survives', async (t) => {
  const { pool, hosts } = await openPool(t)
  const row = (await pool.capabilities()).find(({ engine }) => engine === 'pyannote')!
  assert.ok(row.supported && row.installed && !row.downloaded && /Download "Speaker detection"/.test(row.reason!))
  const run = () => pool.run({ id: 'test', engine: 'pyannote', model: '', operation: 'diarize', params: {}, signal })
  await failsWith(run(), 'MODEL_NOT_DOWNLOADED')
  await failsWith(run(), 'MODEL_NOT_DOWNLOADED')
  assert.equal(hosts.length, 1)
})

test('a cancelled run frees its permit, and the next one succeeds', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'studio-models-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const place = join(root, 'pyannote/default')
  const contents = { [NAMES[0]]: segmentation(), [NAMES[1]]: embedding() }
  const listed = Object.entries(contents).map(([path, bytes]) => {
    mkdirSync(join(place, path, '..'), { recursive: true })
    writeFileSync(join(place, path), bytes)
    return { path, repo: 'planted/planted', revision: '0'.repeat(40), size: bytes.length, sha256: '0'.repeat(64) }
  })
  const manifest = { version: 1, id: 'planted', engine: 'pyannote', model: '', by: 'test', digest: '0'.repeat(64), files: listed }
  writeFileSync(join(place, 'manifest.json'), JSON.stringify(manifest))
  const { pool } = await openPool(t, { modelsFolder: root })
  const run = (samples: Float32Array, stop = signal) =>
    pool.run({
      id: 'test',
      engine: 'pyannote',
      model: '',
      operation: 'diarize',
      params: {},
      signal: stop,
      inputs: asGiven(asAudio(samples)),
    })
  const abort = new AbortController()
  const long = run(joined(Array.from({ length: 40 }, () => TALK)), abort.signal)
  await nextOf(long, 'running')
  abort.abort()
  await failsWith(long, 'CANCELLED')
  assert.equal(pool.freePermits('pyannote'), 1)
  const { segments } = await resultAfter(run(TALK))
  assert.equal(segments.length, 3)
})

test('turns are ordered, within the recording, and numbered by first appearance', () => {
  assert.deepEqual(
    renumberedTurns(
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

async function resultAfter(run: AsyncIterable<PoolEvent>): Promise<Result> {
  const events: PoolEvent[] = []
  for await (const event of run) events.push(event)
  return (events.at(-1) as unknown as { result: Result }).result
}
