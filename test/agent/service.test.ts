import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { createService } from '#agent/tenancy/service.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { KEEPALIVE_MS } from '#shared/protocol/lease.ts'
import type { HeaderMessage } from '#shared/protocol/run-messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { noLogLines } from '#test/support/builders/no-log-lines.ts'
import { turn } from '../support/doubles/fake-clock.ts'
import { noModels } from './tenancy/no-models.ts'
import { headerOf, openAttempts } from './tenancy/played-pool.ts'
import { peer, serveCall } from './tenancy/served-call.ts'

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code

async function open(t: TestContext, consent = 'yes', unload: (engine: string) => Promise<string[]> = async () => []) {
  const played = openAttempts(t)
  const { service, beginDrain, endDrain } = createService({
    lines: noLogLines,
    models: noModels,
    inventory: noModels.generation,
    owner: 'studio',
    attempts: played.attempts,
    describe: async () => ({}) as Wire<'Description'>,
    resident: () => ['svc-engine:'],
    freeMemory: () => 5,
    freeDisk: async () => 7,
    rotate: async () => {},
    unload,
    clock: played.clock,
    log,
  })
  await service.consent({ consent_id: consent }, peer)
  t.after(() => {
    for (const { over } of calls) over()
  })
  const calls: { over: () => void }[] = []

  function call(header: HeaderMessage) {
    const served = serveCall(service, header)
    calls.push(served)
    return served
  }
  return { ...played, service, beginDrain, endDrain, call }
}
const settled = async () => {
  for (let turns = 0; turns < 5; turns++) await turn()
}

test('without the consent in force a task is refused before it is read', async (t) => {
  const { call, runs, service } = await open(t, '')
  for (const consent_id of ['', 'yes']) await assert.rejects(call(headerOf('a', { consent_id })).ended, fails('CONSENT_MISSING'))
  await service.consent({ consent_id: 'new' }, peer)
  await assert.rejects(call(headerOf('a', { consent_id: 'old' })).ended, fails('CONSENT_MISSING'))
  assert.equal(runs.length, 0)
  const { facts } = call(headerOf('a', { consent_id: 'new' }))
  await settled()
  assert.deepEqual([facts(), runs.length], [['1 accepted'], 1])
})

test('inputs are requested only with consent, from the last received byte, and reach the engine once', async (t) => {
  const { call, runs, service } = await open(t, '')
  const bytes = Buffer.from('a recording')
  const inputs = [{ name: 'audio', size: bytes.length, sha256: createHash('sha256').update(bytes).digest() }]
  const refused = call(headerOf('a', { inputs }))
  await assert.rejects(refused.ended, fails('CONSENT_MISSING'))
  assert.deepEqual(refused.wants, [])

  await service.consent({ consent_id: 'yes' }, peer)
  const first = call(headerOf('a', { inputs }))
  await settled()
  assert.deepEqual(first.wants, [{ name: 'audio', offset: 0 }])
  first.send({ step: 'input', input: { name: 'audio', offset: 0, payload: bytes.subarray(0, 4) } })
  await settled()
  first.over()

  const second = call(headerOf('a', { inputs, from_seq: 1 }))
  await settled()
  assert.deepEqual(second.wants, [{ name: 'audio', offset: 4 }])
  second.send({ step: 'input', input: { name: 'audio', offset: 4, payload: bytes.subarray(4) } })
  assert.equal(runs.length, 0, 'no permit is taken before the inputs are complete')
  await settled()
  const given = runs[0]!.inputs!
  assert.deepEqual([runs.length, Buffer.from(given[0]!.bytes!).toString()], [1, 'a recording'])

  const third = call(headerOf('a', { inputs, from_seq: 1 }))
  await settled()
  assert.deepEqual(third.wants, [], 'the agent holds them')
})

test('inputs that are damaged in transit fail the attempt', async (t) => {
  const { call, attempts, runs } = await open(t)
  const inputs = [{ name: 'audio', size: 4, sha256: Buffer.alloc(32) }]
  const { send, events } = call(headerOf('a', { inputs }))
  await settled()
  send({ step: 'input', input: { name: 'audio', offset: 0, payload: Buffer.from('four') } })
  await settled()
  await attempts.get('a')!.ended
  await settled()
  const last = events.at(-1)!
  assert.equal(last.fact === 'failed' && last.failed.code, 'INPUT_CORRUPT')
  assert.deepEqual([attempts.get('a')!.phase, runs.length], ['failed', 0])
})

test('withdrawing consent stops and wipes; repeating the same consent has no effect', async (t) => {
  const { call, runs, attempts, service } = await open(t)
  const { refused } = call(headerOf('a'))
  await service.consent({ consent_id: 'yes' }, peer)
  assert.deepEqual([runs[0]!.signal.aborted, attempts.count()], [false, 1])
  await service.consent({ consent_id: '' }, peer)
  assert.deepEqual([runs[0]!.signal.aborted, attempts.count()], [true, 0])
  assert.equal(refused(), 'CONSENT_MISSING', 'the studio does not wait for events that are deleted')
})

test('withdrawing consent stops the installations of this controller', async (t) => {
  const stopAll = t.mock.method(noModels, 'stopAll')
  const { service } = await open(t)
  assert.equal(stopAll.mock.callCount(), 0)
  await service.consent({ consent_id: '' }, peer)
  assert.deepEqual(stopAll.mock.calls[0]?.arguments, ['studio'])
})

test('a controller with consent can unload an idle engine; a busy one stays, with a reason', async (t) => {
  const asked: string[] = []
  const { service } = await open(t, 'yes', async (engine) => {
    asked.push(engine)
    if (engine === 'busy') throw new Failure('CONFLICT', 'busy is working')
    if (engine === 'broken') throw new Failure('UNKNOWN', 'broken')
    return [engine]
  })
  assert.deepEqual(await service.unload({ engine: 'tone' }, peer), { unloaded: ['tone'], reason: '' })
  assert.deepEqual(await service.unload({ engine: 'busy' }, peer), { unloaded: [], reason: 'busy is working' })
  await assert.rejects(service.unload({ engine: 'broken' }, peer), fails('UNKNOWN'))
  await assert.rejects(service.unload({ engine: '../x' }, peer), fails('INVALID_TASK_PARAMS'))
  await service.consent({ consent_id: '' }, peer)
  await assert.rejects(service.unload({ engine: 'tone' }, peer), fails('CONSENT_MISSING'))
  assert.deepEqual(asked, ['tone', 'busy', 'broken'])
})

test('an invalid header is refused before any work', async (t) => {
  const { call, runs } = await open(t)
  for (const change of [{ model: '../../etc' }, { engine: 'a b' }, { epoch: 0 }, { deadline_ms_left: 0 }])
    await assert.rejects(call(headerOf('a', change)).ended, fails('INVALID_TASK_PARAMS'))
  assert.equal(runs.length, 0)
})

test('an attempt survives a broken link and resumes after the last event of the studio', async (t) => {
  const { call, runs } = await open(t)
  const first = call(headerOf('a'))
  runs[0]!.say({ kind: 'running' })
  await settled()
  first.over()
  await first.ended
  runs[0]!.say({ kind: 'audio', part: 0, bytes: Buffer.from('x') })
  await settled()
  const second = call(headerOf('a', { from_seq: 1 }))
  await settled()
  runs[0]!.say({ kind: 'result', result: {} })
  runs[0]!.end()
  await settled()
  assert.deepEqual(first.facts(), ['1 accepted', '2 running'])
  assert.deepEqual(second.facts(), ['2 running', '3 output', '4 completed'])
  assert.equal(runs.length, 1, 'begun once')
})

test('the newest call receives the events; the older one is ended with a reason', async (t) => {
  const { call, runs } = await open(t)
  const older = call(headerOf('a'))
  await settled()
  const newer = call(headerOf('a'))
  await older.ended
  assert.equal(older.refused(), 'STALE_ATTEMPT')
  runs[0]!.say({ kind: 'running' })
  await settled()
  assert.deepEqual([older.facts(), newer.facts()], [['1 accepted'], ['1 accepted', '2 running']])
  assert.equal(newer.refused(), null)
})

test('an attempt of another epoch, a settled one and one resumed without a start are refused', async (t) => {
  const { call, runs, service } = await open(t)
  call(headerOf('a', { epoch: 2 }))
  await settled()
  for (const epoch of [1, 3]) await assert.rejects(call(headerOf('a', { epoch })).ended, fails('STALE_EPOCH'))
  await service.commit({ verdicts: [{ attempt_id: 'a', epoch: 2, committed: true }] }, peer)
  await assert.rejects(call(headerOf('a', { epoch: 2 })).ended, fails('STALE_ATTEMPT'))
  await assert.rejects(call(headerOf('b', { from_seq: 3 })).ended, fails('STALE_ATTEMPT'))
  assert.equal(runs.length, 1)
})

test('a full machine declines; the call does not fail', async (t) => {
  const { call, refuse } = await open(t)
  refuse(new Failure('WORKER_AT_CAPACITY', 'all permits are taken'))
  const full = call(headerOf('a'))
  await full.ended
  assert.deepEqual(full.events, [{ seq: 1, fact: 'declined', declined: { code: 'WORKER_AT_CAPACITY', message: 'all permits are taken' } }])
  refuse(null)
  call(headerOf('a'))
  await settled()
})

test('a draining machine declines new work and continues its attempts', async (t) => {
  const { call, runs, service, beginDrain } = await open(t)
  const held = call(headerOf('a'))
  await settled()
  assert.deepEqual(await service.drain({ drain: true, deadline_ms: 0 }, peer), { held: 1 })
  const late = call(headerOf('b'))
  await late.ended
  assert.deepEqual(late.facts(), ['1 declined'])
  runs[0]!.say({ kind: 'running' })
  await settled()
  assert.deepEqual(held.facts(), ['1 accepted', '2 running'])
  await service.drain({ drain: false, deadline_ms: 0 }, peer)
  call(headerOf('c'))
  assert.equal(runs.length, 2)
  beginDrain()
  const beat = await service.watch({ interval_ms: 1000 }, peer)[Symbol.asyncIterator]().next()
  assert.deepEqual([beat.value.draining, beat.value.held.length, beat.value.resident_models], [true, 2, ['svc-engine:']])
  assert.deepEqual([beat.value.free_memory_bytes, beat.value.free_disk_bytes], [5, 7])
  await service.drain({ drain: false, deadline_ms: 0 }, peer)
  const afterwards = call(headerOf('d'))
  await afterwards.ended
  assert.deepEqual(afterwards.facts(), ['1 declined'], 'a machine that stops cannot be asked to go on')
})

test('a drain deadline returns running attempts; without a deadline they finish', async (t) => {
  const { call, runs, service, clock } = await open(t)
  const held = call(headerOf('a'))
  await settled()
  await service.drain({ drain: true, deadline_ms: 1_000 }, peer)
  await service.drain({ drain: true, deadline_ms: 0 }, peer)
  clock.advance(10_000)
  await settled()
  assert.equal(runs[0]!.signal.aborted, false, 'the newer wish counts')
  await service.drain({ drain: true, deadline_ms: 2_000 }, peer)
  clock.advance(1_999)
  await settled()
  assert.equal(runs[0]!.signal.aborted, false)
  clock.advance(1)
  await settled()
  assert.equal(runs[0]!.signal.aborted, true)
  const last = held.events.at(-1)!
  assert.ok(last.fact === 'failed')
  assert.equal(last.failed.code, 'WORKER_DRAINING')
})

test('the studio cannot end a drain of the owner, and the reverse', async (t) => {
  const { service, beginDrain, endDrain } = await open(t)
  const isDraining = async () => (await service.watch({ interval_ms: 1000 }, peer)[Symbol.asyncIterator]().next()).value.draining
  beginDrain()
  await service.drain({ drain: false, deadline_ms: 0 }, peer)
  assert.equal(await isDraining(), true)
  await service.drain({ drain: true, deadline_ms: 0 }, peer)
  endDrain()
  assert.equal(await isDraining(), true)
  await service.drain({ drain: false, deadline_ms: 0 }, peer)
  assert.equal(await isDraining(), false)
})

test('cancel and commit arrive on the call of the attempt', async (t) => {
  const { call, runs, attempts } = await open(t)
  const cancelled = call(headerOf('a'))
  cancelled.send({ step: 'cancel', cancel: {} })
  await settled()
  assert.equal(runs[0]!.signal.aborted, true)
  assert.deepEqual(cancelled.facts(), ['1 accepted', '2 failed'])
  cancelled.send({ step: 'commit', commit: {} })
  await cancelled.ended
  assert.equal(attempts.count(), 0)
})

test('a silent attempt sends keepalives that do not count as events', async (t) => {
  const { call, clock } = await open(t)
  const { events, over, ended } = call(headerOf('a', { deadline_ms_left: 3600_000 }))
  await settled()
  for (let beat = 0; beat < 2; beat++) clock.advance(KEEPALIVE_MS)
  const alive = { seq: 1, fact: 'progress', progress: { progress: 0, stage: '', keepalive: true } }
  assert.deepEqual(events.slice(1), [alive, alive])
  over()
  await ended
  assert.equal(clock.waiting(), 1, 'only the deadline of the attempt is left')
})
