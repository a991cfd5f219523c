// The parts of the relay that need no link: what a pool offers, the task of an attempt, orphans, recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineSlots, type MachineRow, requireOffer, unionOf } from '#control-plane/relay/offered.ts'
import { createRecordings } from '#control-plane/relay/recordings.ts'
import { asAgentFailure, isUsable, keysOf, type Relayed, specOf, tenantOf, workDigest } from '#control-plane/relay/relayed-task.ts'
import { createRelayedTasks } from '#control-plane/relay/relayed-tasks.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { RESTART_GRACE_MS } from '#shared/protocol/lease.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { wireCapability } from '#test/support/builders/wire.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { recordOf } from '#test/support/doubles/record.ts'

const row = (fields: Omit<Parameters<typeof wireCapability>[0] & object, 'phones'> = {}): MachineRow => ({
  ...wireCapability({ engine: 'tone', operation: 'tts', supported: true, installed: true, downloaded: true, permits: 2, ...fields }),
  phones: '',
})
const voice = (id: string) => ({ id, name: id, language: 'en', default_for: [] })
const work = (fields: Partial<Relayed> = {}, epoch = 1): Relayed => ({
  tenant: 'panel-1',
  engine: 'tone',
  model: '',
  operation: 'tts',
  params: { segments: [{ text: 'Hello.' }] },
  attempt: { task_id: 'task', epoch, deadline_ms_left: 5_000, traceparent: '', priority: 1, size: 6 },
  ...fields,
})

test('machines are added up by engine, model, operation and digest', () => {
  const machines = [
    [row({ voices: [voice('a')] })],
    [row({ voices: [voice('b'), voice('a')], languages: ['de'] })],
    [row({ model_digest: 'f0' })],
  ]
  const rows = unionOf(machines)
  assert.deepEqual(
    rows.map(({ permits, model_digest, voices }) => [permits, model_digest, voices.map(({ id }) => id)]),
    [
      [4, '', ['a', 'b']],
      [2, 'f0', []],
    ],
  )
  assert.equal(engineSlots(machines, 'tone'), 6)
})

test('a machine that lacks the files, or has a substitute, does not speak for one that has the engine', () => {
  const missing = row({ downloaded: false })
  for (const machines of [
    [[missing], [row()]],
    [[row()], [missing]],
  ])
    assert.deepEqual(
      unionOf(machines).map(({ downloaded, permits }) => [downloaded, permits]),
      [[true, 2]],
    )
  const substitute = row({ stands_in: 'Another engine speaks.' })
  for (const machines of [
    [[substitute], [row()]],
    [[row()], [substitute]],
  ])
    assert.deepEqual(
      unionOf(machines).map(({ stands_in, permits }) => [stands_in, permits]),
      [['', 2]],
    )
})

test('the description of a pool of any size is valid', () => {
  const many = Array.from({ length: 1_500 }, (_, at) => [row({ model: `m${at}` }), row()])
  const rows = unionOf(many)
  assert.ok(rows.length <= 1_000 && rows.every(({ permits }) => permits <= 1_024))
})

test('an attempt that no machine can run is refused with the reason', () => {
  const code = (choice: object) => {
    try {
      requireOffer([row({ model: 'a', model_digest: 'f0' }), row({ model: 'b', downloaded: false })], {
        engine: 'tone',
        model: 'a',
        operation: 'tts',
        ...choice,
      })
      return null
    } catch (error) {
      return Failure.from(error).code
    }
  }
  assert.deepEqual(
    [{}, { operation: 'asr' }, { engine: 'other' }, { model: 'c' }, { model: 'b' }, { modelDigest: 'f1' }, { modelDigest: 'f0' }].map(code),
    [null, 'OPERATION_UNSUPPORTED', 'OPERATION_UNSUPPORTED', 'MODEL_REF_REJECTED', 'MODEL_NOT_DOWNLOADED', 'MODEL_DIGEST_MISMATCH', null],
  )
})

test('the key of a task names its tenant, and attempts look for earlier ones', () => {
  const spec = specOf(work(), [], { at: 1_000, preferred: null, offers: [] })
  assert.deepEqual([spec.deadlineAt, spec.priority, spec.size, spec.target, spec.ephemeral], [6_000, 1, 6, 'auto', false])
  assert.equal(tenantOf(spec), 'panel-1')
  assert.equal(tenantOf({ idempotencyKey: 'relay-of-another' }), null)
  assert.equal(tenantOf({ idempotencyKey: null }), null)
  const keys = keysOf(work({}, 3))
  assert.deepEqual([keys.length, keys.at(-1)], [3, spec.idempotencyKey])
  assert.ok(keysOf(work({}, 1_000)).length < 20)
  assert.ok(!keys.includes(keysOf(work({ tenant: 'panel-2' }, 3))[0]!))
})

test('other work under one key has another digest', () => {
  const input = { name: 'audio', size: 1, sha256: 'aa' }
  const digests = [
    workDigest(work(), []),
    workDigest(work({ model: 'm' }), []),
    workDigest(work({ modelDigest: 'f0' }), []),
    workDigest(work({ params: {} }), []),
    workDigest(work(), [input]),
    workDigest(work(), [{ ...input, sha256: 'bb' }]),
  ]
  assert.equal(new Set(digests).size, digests.length)
  assert.equal(workDigest(work({}, 4), []), digests[0], 'the next attempt does the same work')
})

test('a task that failed or was cancelled answers no further attempt', () => {
  const usable = (['queued', 'running', 'unknown', 'succeeded', 'failed', 'timed_out', 'cancelling', 'cancelled'] as const).filter(
    (phase) => isUsable(recordOf('t', {}, { phase })),
  )
  assert.deepEqual(usable, ['queued', 'running', 'unknown', 'succeeded'])
  assert.equal(isUsable(recordOf('t', { ephemeral: true }, { phase: 'succeeded' })), false, 'its sound is gone')
})

test('failures of the pool arrive as those of an agent', () => {
  const codes = (['ENGINE_CRASHED', 'QUEUE_FULL', 'STORAGE_FULL', 'WORKER_REJECTED', 'WORKER_UNREACHABLE'] as const).map(
    (code) => asAgentFailure(new Failure(code, 'why')).code,
  )
  assert.deepEqual(codes, ['ENGINE_CRASHED', 'WORKER_AT_CAPACITY', 'WORKER_AT_CAPACITY', 'INVALID_TASK_PARAMS', 'WORKER_FAILED'])
})

function openTasks(records: TaskRecord[]) {
  const clock = createFakeClock()
  const cancelled: string[] = []
  const peek = (id: string) => records.find(({ task }) => task.id === id) ?? null
  const relayed = createRelayedTasks({
    ledger: { byKey: async () => null, peek, live: () => records },
    nameOf: (id) => `name of ${id}`,
    cancel: (id) => void cancelled.push(id),
    clock,
    log,
  })
  return { relayed, clock, cancelled }
}
const ofTenant = (id: string, tenant: string, fields: Parameters<typeof recordOf>[1] = {}, moved: Parameters<typeof recordOf>[2] = {}) =>
  recordOf(id, { ...fields, idempotencyKey: keysOf(work({ tenant }))[0]! }, moved)

test('tasks of the last run that no studio comes back for are cancelled after the grace period, and no others', () => {
  const { relayed, clock, cancelled } = openTasks([ofTenant('left', 'a'), ofTenant('read', 'a'), recordOf('own')])
  relayed.cancelOrphans()
  const claim = relayed.claim(work(), ofTenant('read', 'a'), { running() {}, waiting() {} })
  clock.advance(RESTART_GRACE_MS - 1)
  assert.deepEqual(cancelled, [])
  clock.advance(1)
  assert.deepEqual(cancelled, ['left'])
  claim.end()
})

test('an attempt learns the machine once, and again when it changes', () => {
  const records = [ofTenant('t', 'a', {}, { phase: 'queued' })]
  const { relayed } = openTasks(records)
  const said: string[] = []
  const claim = relayed.claim(work(), records[0]!, { running: (name) => said.push(name), waiting: () => said.push('waiting') })
  const move = (workerId: string) => {
    records[0] = ofTenant('t', 'a', {}, { phase: 'running', workerId })
    relayed.follow([{ record: records[0], before: null, event: null }])
  }
  for (const id of ['one', 'one', 'two']) move(id)
  claim.begun()
  assert.deepEqual(said, ['waiting', 'name of one', 'name of two'])
})

test('a recording that goes on stays on its machine for a minute', () => {
  const partial = { operation: 'asr', params: { partial: true } }
  const { relayed, clock } = openTasks([])
  const sent = (workerId: string, tenant: string) =>
    relayed.follow([
      {
        record: ofTenant(
          't',
          tenant,
          { operation: 'asr', engine: 'tone', model: '', params: '{"partial":true}' },
          { phase: 'running', workerId },
        ),
        before: null,
        event: null,
      },
    ])
  sent('box', 'panel-1')
  assert.equal(relayed.preferredFor(work(partial)), 'box')
  assert.equal(relayed.preferredFor(work({ ...partial, tenant: 'panel-2' })), null)
  assert.equal(relayed.preferredFor(work({ operation: 'asr' })), null)
  clock.advance(60_000)
  assert.equal(relayed.preferredFor(work(partial)), null)
})

test('a forgotten recording cancels work of its tenant only, and stays where another tenant has sent it', async () => {
  const inputs = (...digests: string[]) => digests.map((sha256) => ({ name: 'reference', size: 1, sha256 }))
  const live = [ofTenant('a', 'ada', { inputs: inputs('x') }), ofTenant('b', 'bob', { inputs: inputs('x', 'y') })]
  const [cancelled, forgotten, removed]: string[][] = [[], [], []]
  const recordings = createRecordings({
    live: () => live,
    cancel: (id) => void cancelled!.push(id),
    forgetOnMachines: async (digests) => void forgotten!.push(...digests),
    remove: async (digest) => void removed!.push(digest),
    log,
  })
  recordings.used('ada', inputs('x', 'z', 'w'))
  recordings.used('bob', inputs('x', 'y'))
  recordings.forget('ada', ['x', 'z'])
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([cancelled, forgotten, removed], [['a'], ['z'], ['z']])
  recordings.forget('ada', null)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([cancelled, forgotten], [['a'], ['z', 'w']], 'all others of this tenant')
  recordings.forget('bob', null)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(forgotten, ['z', 'w'], 'its task still has them')
})
