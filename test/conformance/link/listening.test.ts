// The promises of every engine that does not speak, through the pool and a real host. Adding one means adding a row to SUBJECTS.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PoolEvent } from '#agent/engine/host/pool.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import { asAudio, join, spoken } from '#test/agent/engine/audio/recording.ts'
import { asGiven, failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'

type Subject = { readonly operation: string; readonly params: object; readonly answer: (events: readonly PoolEvent[]) => void }
const SPEECH = join([...(await spoken(['Hello there, how are you today?'])), new Float32Array(8_000)])
const last = (events: readonly PoolEvent[]) => (events.at(-1) as Extract<PoolEvent, { kind: 'result' }>).result as Record<string, unknown>

const SUBJECTS: Readonly<Record<string, Subject>> = {
  silero: { operation: 'vad', params: {}, answer: (events) => assert.equal((last(events)['segments'] as unknown[]).length, 1) },
  rnnoise: {
    operation: 'denoise',
    params: {},
    answer(events) {
      const samples = join(events.flatMap((event) => (event.kind === 'audio' ? [fromS16(event.bytes)] : [])))
      assert.equal(samples.length, SPEECH.length * 3)
      assert.ok(samples.some((sample) => Math.abs(sample) > 0.05))
    },
  },
}

for (const [engine, { operation, params, answer }] of Object.entries(SUBJECTS)) {
  test(`${engine}: describes itself without a host and runs in one`, async (t) => {
    const { pool, hosts } = await openPool(t)
    const [capability] = (await pool.capabilities()).filter((row) => row.engine === engine)
    assert.ok(capability?.operation === operation && capability.model === '')
    assert.ok(capability.supported && capability.installed && capability.downloaded && capability.reason === undefined)
    assert.match(capability.modelDigest, /^[0-9a-f]{64}$/)
    assert.deepEqual(hosts, [])
    const { signal } = new AbortController()
    const run = (more: object = {}) =>
      pool.run({ id: 'test', engine, model: '', operation, params, signal, inputs: asGiven(asAudio(SPEECH)), ...more })
    const answers: PoolEvent[][] = []
    for (let time = 0; time < 2; time++) {
      const events: PoolEvent[] = []
      for await (const event of run()) events.push(event)
      answer(events)
      answers.push(events.filter(({ kind }) => kind === 'audio' || kind === 'result'))
      const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))
      assert.deepEqual(
        progress,
        progress.toSorted((left, right) => left - right),
      )
      assert.equal(progress.at(-1), 1)
    }
    assert.deepEqual(answers[0], answers[1], 'the same input gives the same answer')
    assert.match((await failsWith(run({ params: { ...params, model_path: '/etc/passwd' } }), 'INVALID_TASK_PARAMS')).message, /model_path/)
    assert.match((await failsWith(run({ inputs: asGiven(new Map()) }), 'INVALID_TASK_PARAMS')).message, /audio/)
    assert.throws(() => run({ operation: 'tts' }), { code: 'OPERATION_UNSUPPORTED' })
    assert.throws(() => run({ modelDigest: '0'.repeat(64) }), { code: 'MODEL_DIGEST_MISMATCH' })
    const abort = new AbortController()
    const stopped = run({ inputs: asGiven(asAudio(new Float32Array(16_000 * 600))), signal: abort.signal })
    for await (const event of stopped) if (event.kind === 'running') break
    abort.abort()
    for await (const event of run({ modelDigest: capability.modelDigest })) void event
    assert.equal(hosts.length, 1, 'a polite engine is not killed')
  })
}
