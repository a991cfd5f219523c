import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { CommitMessage, ConsentMessage, DescriptionMessage, DrainMessage, SnapshotMessage } from '#shared/protocol/messages.ts'
import { EventMessage, HeaderMessage } from '#shared/protocol/run-messages.ts'

const header = {
  task_id: 't1',
  attempt_id: 'a1',
  epoch: 1,
  engine: 'svc-engine',
  model: '',
  operation: 'tts',
  model_digest: '',
  params_json: Buffer.from('{}'),
  consent_id: 'c',
  deadline_ms_left: 60_000,
  from_seq: 0,
  traceparent: '',
  inputs: [],
  priority: 0,
  size: 0,
}
const takes = (change: object) => HeaderMessage.safeParse({ ...header, ...change }).success

test('a header names engines and models, never a path, a URL or code', () => {
  assert.ok(takes({}))
  for (const model of ['large-v3', 'openai/whisper-base', 'a.b_c-d/e.f', '']) assert.ok(takes({ model }), model)
  for (const model of [
    '/etc/passwd',
    '../up',
    'a/../b',
    'a/b/c',
    'https://x/y',
    'a b',
    '.hidden',
    'a\0b',
    'x'.repeat(129),
    'a/',
    '~/m',
    'C:\\m',
  ])
    assert.equal(takes({ model }), false, model)
  for (const engine of ['', 'Svc', 'a/b', '../a', 'a b', 'x'.repeat(65)]) assert.equal(takes({ engine }), false, engine)
  for (const operation of ['', 'TTS', 'tts2', 'rm -rf']) assert.equal(takes({ operation }), false, operation)
  for (const id of ['', '../x', 'a b', 'x'.repeat(65)]) assert.equal(takes({ attempt_id: id }), false, id)
})

test('numbers outside their range are refused', () => {
  for (const epoch of [0, -1, 1.5, Number.NaN, 2 ** 60, '1']) assert.equal(takes({ epoch }), false, String(epoch))
  for (const deadline_ms_left of [0, -5, 24 * 3600_000 + 1]) assert.equal(takes({ deadline_ms_left }), false)
  assert.ok(takes({ params_json: Buffer.alloc(1024 * 1024) }))
  assert.equal(takes({ params_json: Buffer.alloc(1024 * 1024 + 1) }), false)
  assert.equal(takes({ params_json: '{}' }), false)
})

test('an event has exactly the fields of its fact', () => {
  const parse = (event: object) => EventMessage.safeParse(event).success
  for (const event of [
    { fact: 'accepted' },
    { fact: 'running' },
    { fact: 'declined', declined: { code: 'WORKER_AT_CAPACITY', message: '' } },
    { fact: 'loading', loading: { progress: -1, detail: 'weights' } },
    { fact: 'progress', progress: { progress: 1, stage: 's', keepalive: false } },
    { fact: 'output', output: { part: 0, offset: 0, payload: Buffer.alloc(3) } },
    { fact: 'completed', completed: { result_json: Buffer.from('{}'), sha256: Buffer.alloc(32), size: 0 } },
    { fact: 'failed', failed: { code: 'ENGINE_CRASHED', message: 'x'.repeat(2000) } },
  ]) {
    assert.ok(parse({ seq: 1, ...event }), event.fact)
    assert.equal(parse({ seq: -1, ...event }), false)
    assert.equal(parse({ ...event }), false, 'without its number')
  }
  for (const event of [
    { fact: 'rumour' },
    { fact: 'output', output: { part: 0, offset: -1, payload: Buffer.alloc(0) } },
    { fact: 'progress', progress: { progress: Number.NaN, stage: '', keepalive: false } },
    { fact: 'progress', progress: { progress: 2, stage: '', keepalive: false } },
    { fact: 'failed', failed: { code: 'drop table', message: '' } },
    { fact: 'failed', failed: { code: 'X', message: 'x'.repeat(2001) } },
    { fact: 'failed', declined: { code: 'X', message: '' } },
  ])
    assert.equal(parse({ seq: 1, ...event }), false, JSON.stringify(event))
})

test('lists from a peer are limited', () => {
  const held = { attempt_id: 'a', task_id: 't', epoch: 1, phase: 'running', last_seq: 0 }
  const snapshot = { held: [held], resident_models: [], free_memory_bytes: 0, free_disk_bytes: 0, draining: false, beat: 0, inventory: 0 }
  assert.ok(SnapshotMessage.safeParse(snapshot).success)
  assert.equal(SnapshotMessage.safeParse({ ...snapshot, held: Array(10_001).fill(held) }).success, false)
  assert.equal(SnapshotMessage.safeParse({ ...snapshot, held: [{ ...held, phase: 'resting' }] }).success, false)
  assert.equal(CommitMessage.safeParse({ verdicts: Array(10_001).fill({ attempt_id: 'a', epoch: 1, committed: true }) }).success, false)
  assert.equal(ConsentMessage.safeParse({ consent_id: 'x'.repeat(65) }).success, false)
  assert.equal(SnapshotMessage.safeParse({ ...snapshot, free_disk_bytes: -1 }).success, false)
  assert.equal(DrainMessage.safeParse({ drain: 'yes', deadline_ms: 0 }).success, false)
  assert.equal(DrainMessage.safeParse({ drain: true, deadline_ms: 24 * 3600_000 + 1 }).success, false, 'no timer is that long')
})

test('an invalid description is refused', () => {
  const capability = {
    engine: 'tone',
    model: '',
    operation: 'tts',
    implementation: 'tone',
    stands_in: '',
    languages: ['en'],
    voices: [],
    cloning: false,
    supported: true,
    installed: true,
    downloaded: true,
    device: 'cpu',
    sample_rate: 24_000,
    permits: 1,
    model_digest: '',
    memory_bytes: 0,
  }
  const host = { hostname: 'h', os: 'linux', arch: 'x64', cpu_count: 2, memory_bytes: 1, gpus: [] }
  const parse = (change: object, capabilityChange: object = {}) =>
    DescriptionMessage.safeParse({
      agent_version: '1',
      features: [],
      host,
      capabilities: [{ ...capability, ...capabilityChange }],
      generation: 0,
      protocol: 1,
      instance: '0a',
      inventory: 0,
      ...change,
    }).success
  assert.ok(parse({}))
  for (const change of [
    { host: null },
    { protocol: -1 },
    { instance: 'not hex' },
    { instance: 'a'.repeat(65) },
    { features: Array(257).fill('f') },
    { host: { ...host, hostname: 'x'.repeat(201) } },
  ])
    assert.equal(parse(change), false, JSON.stringify(change).slice(0, 80))
  for (const change of [
    { permits: 1e6 },
    { permits: -1 },
    { engine: '../x' },
    { model_digest: 'sha' },
    { sample_rate: 1e9 },
    { memory_bytes: -1 },
  ])
    assert.equal(parse({}, change), false, JSON.stringify(change))
})

test('a refusal names the field and never its value', () => {
  assert.throws(
    () => parseMessage(HeaderMessage, { ...header, model: '/secret/path' }, 'INVALID_TASK_PARAMS'),
    (error) =>
      error instanceof Failure &&
      error.code === 'INVALID_TASK_PARAMS' &&
      /model is not/.test(error.message) &&
      !/secret/.test(error.message),
  )
  assert.throws(() => parseMessage(ConsentMessage, null), Failure)
  assert.deepEqual(parseMessage(ConsentMessage, { consent_id: 'c', more: 1 }), { consent_id: 'c' })
})
