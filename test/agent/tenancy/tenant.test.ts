// Several controllers on one machine: what they share and what stays separate.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createFairShare } from '#agent/tenancy/fair-share.ts'
import { createMachine } from '#agent/tenancy/machine.ts'
import { createTenant, type Tenant } from '#agent/tenancy/tenant.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { HeaderMessage } from '#shared/protocol/run-messages.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createMemoryBudget } from '#shared/runtime/memory/byte-log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { noLogLines } from '#test/support/builders/no-log-lines.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { createLimitedPool } from './limited-pool.ts'
import { noModels } from './no-models.ts'
import { headerOf } from './played-pool.ts'
import { peer, serveCall } from './served-call.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const settled = async () => {
  for (let turns = 0; turns < 8; turns++) await turn()
}

async function open(t: TestContext, permits: number) {
  const limited = createLimitedPool(permits)
  const turns = createFairShare(limited.pool)
  const clock = createFakeClock()
  const workDir = temporaryFolder(t)
  const memory = createMemoryBudget(0) // everything goes to files
  const begun: string[] = []
  const calls: { over: () => void }[] = []
  const openTenant = async (name: string) => {
    const tenant = createTenant({
      lines: noLogLines,
      models: noModels,
      inventory: noModels.generation,
      name,
      pool: { run: (request) => turns.run(name, request) },
      describe: async () => ({}) as Wire<'Description'>,
      resident: () => [],
      freeMemory: () => 1,
      freeDisk: async () => 2 ** 40,
      memory,
      workDir,
      clock,
      log,
      onBegun: () => begun.push(name),
    })
    await tenant.service.consent({ consent_id: `yes-${name}` }, peer)
    return tenant
  }
  const [a, b] = [await openTenant('a'), await openTenant('b')]
  t.after(() => {
    for (const { over } of calls) over()
    for (const tenant of [a, b]) tenant.wipe('the test is over')
  })
  const call = (tenant: Tenant, id: string, change: Partial<HeaderMessage> = {}) => {
    const served = serveCall(tenant.service, headerOf(id, { consent_id: `yes-${tenant.name}`, ...change }))
    calls.push(served)
    return served
  }
  const held = async (tenant: Tenant) =>
    (await tenant.service.watch({ interval_ms: 1000 }, peer)[Symbol.asyncIterator]().next()).value.held.map(
      ({ attempt_id, phase }: { attempt_id: string; phase: string }) => `${attempt_id} ${phase}`,
    )
  return { ...limited, turns, clock, workDir, begun, a, b, call, held }
}

test('two controllers may use the same attempt id, and neither can read, cancel or settle the other attempt', async (t) => {
  const { a, b, call, held, running, begun } = await open(t, 2)
  const [ofA, ofB] = [call(a, 'same'), call(b, 'same')]
  await settled()
  assert.equal(running.length, 2)
  assert.deepEqual(begun, ['a', 'b'])
  ofB.send({ step: 'cancel', cancel: {} })
  await settled()
  assert.deepEqual([await held(a), await held(b)], [['same running'], ['same cancelled']])
  await b.service.commit({ verdicts: [{ attempt_id: 'same', epoch: 1, committed: false }] }, peer)
  assert.deepEqual([await held(a), await held(b)], [['same running'], []])
  running[0]!.end()
  await settled()
  assert.deepEqual(ofA.facts(), ['1 accepted', '2 running', '3 completed'])
  assert.equal(ofB.facts().includes('3 completed'), false)
})

test('two attempts with the same id write to two files', async (t) => {
  const { a, b, call, running, workDir } = await open(t, 2)
  const both = [call(a, 'same'), call(b, 'same')]
  await settled()
  running[0]!.say(Buffer.from('of a'))
  running[1]!.say(Buffer.from('of b'))
  for (const run of [...running]) run.end()
  await settled()
  assert.equal(readdirSync(workDir).length, 2)
  const payloads = both.map(({ events }) => events.flatMap((event) => (event.fact === 'output' ? [event.output.payload.toString()] : [])))
  assert.deepEqual(payloads, [['of a'], ['of b']])
})

test('a controller cannot resume an attempt that it never began, even with a sequence', async (t) => {
  const { a, b, call } = await open(t, 2)
  call(a, 'secret')
  await settled()
  await assert.rejects(call(b, 'secret', { from_seq: 1 }).ended, fails('STALE_ATTEMPT'))
  await assert.rejects(call(b, 'secret', { consent_id: 'yes-a' }).ended, fails('CONSENT_MISSING'))
})

test('consent and drain apply to one controller only', async (t) => {
  const { a, b, call, held } = await open(t, 4)
  call(a, 'x')
  call(b, 'y')
  await settled()
  await b.service.consent({ consent_id: '' }, peer)
  assert.deepEqual([await held(a), await held(b)], [['x running'], []])
  await b.service.drain({ drain: true, deadline_ms: 0 }, peer)
  const further = call(a, 'z')
  await settled()
  assert.deepEqual(further.facts(), ['1 accepted', '2 running'])
  assert.deepEqual([a.isDraining(), b.isDraining()], [false, true])
})

test('a controller that sends its inputs slowly keeps no permit from the other', async (t) => {
  const { a, b, call, running, begun, clock } = await open(t, 1)
  const audio = Buffer.from('0123456789')
  const inputs = [{ name: 'audio', size: audio.length, sha256: createHash('sha256').update(audio).digest() }]
  const slow = call(a, 'slow', { inputs, deadline_ms_left: 1_000_000 })
  const drip = (at: number) => slow.send({ step: 'input', input: { name: 'audio', offset: at, payload: audio.subarray(at, at + 1) } })
  for (let at = 0; at < 3; at++) {
    drip(at)
    clock.advance(15_000)
    await settled()
    const other = call(b, `b${at}`)
    await settled()
    assert.deepEqual([other.facts(), running.length], [['1 accepted', '2 running'], 1])
    running[0]!.end()
    await settled()
  }
  const more = call(a, 'more', { inputs })
  await settled()
  assert.deepEqual(more.facts(), ['1 declined'], 'a controller has no more claims than there are permits')
  clock.advance(15_000)
  await settled()
  const last = slow.events.at(-1)!
  assert.equal(last.fact === 'failed' && last.failed.code, 'INPUT_FETCH_TIMEOUT')
  assert.deepEqual([begun, running.length], [['a', 'b', 'b', 'b'], 0])
})

test('a task with complete inputs waits for its turn like any other', async (t) => {
  const { a, b, call, running } = await open(t, 1)
  const audio = Buffer.from('x')
  const inputs = [{ name: 'audio', size: 1, sha256: createHash('sha256').update(audio).digest() }]
  const first = call(a, 'first', { inputs })
  await settled()
  call(b, 'second')
  await settled()
  first.send({ step: 'input', input: { name: 'audio', offset: 0, payload: audio } })
  await settled()
  assert.deepEqual([first.events.at(-1)!.fact, running.map(({ id }) => id)], ['loading', ['second']])
  running[0]!.end()
  await settled()
  assert.deepEqual(
    running.map(({ id }) => id),
    ['first'],
  )
})

test('a controller cannot announce more inputs than 1 GiB at a time', async (t) => {
  const { a, b, call } = await open(t, 8)
  const inputs = Array.from({ length: 8 }, (_, index) => ({ name: `i${index}`, size: 64 * 1024 * 1024, sha256: Buffer.alloc(32) }))
  const calls = [call(a, 'a1', { inputs }), call(a, 'a2', { inputs }), call(a, 'a3', { inputs }), call(b, 'b1', { inputs })]
  await settled()
  assert.deepEqual(
    calls.map(({ events }) => events[0]!.fact),
    ['accepted', 'accepted', 'declined', 'accepted'],
  )
  calls[0]!.send({ step: 'cancel', cancel: {} })
  await settled()
  const again = call(a, 'a4', { inputs })
  await settled()
  assert.equal(again.events[0]!.fact, 'accepted')
})

test('a waiting attempt reports it, and can be cancelled, settled, wiped or expire', async (t) => {
  const { a, b, call, held, clock, turns, running } = await open(t, 2)
  call(a, 'runs-1')
  call(a, 'runs-2')
  const cancelled = call(b, 'cancelled', { deadline_ms_left: 1_000_000 })
  await settled()
  assert.deepEqual(cancelled.facts(), ['1 accepted', '2 loading'])
  assert.deepEqual(cancelled.events[1], { seq: 2, fact: 'loading', loading: { progress: -1, detail: 'waiting for a free engine' } })
  cancelled.send({ step: 'cancel', cancel: {} })
  const late = call(b, 'late', { deadline_ms_left: 1_000 })
  await settled()
  clock.advance(1_000)
  await settled()
  const last = late.events.at(-1)!
  assert.ok(last.fact === 'failed' && last.failed.code === 'TASK_DEADLINE_EXCEEDED')
  assert.deepEqual(await held(b), ['cancelled cancelled', 'late failed'])
  call(b, 'settled')
  await settled()
  await b.service.commit({ verdicts: [{ attempt_id: 'settled', epoch: 1, committed: false }] }, peer)
  call(b, 'withdrawn')
  await settled()
  assert.equal(turns.waiting(), 1)
  await b.service.consent({ consent_id: '' }, peer)
  await settled()
  assert.deepEqual([turns.waiting(), b.held()], [0, 0])
  for (const run of [...running]) run.end()
  assert.equal(running.length, 0, 'nothing that was given up has come to run')
})

test('an attempt is declined when its own controller holds all permits and waits when others do', async (t) => {
  const { a, b, call } = await open(t, 1)
  call(a, 'runs')
  const own = call(a, 'own')
  const other = call(b, 'other')
  await settled()
  assert.deepEqual([own.facts(), other.facts()], [['1 declined'], ['1 accepted', '2 loading']])
})

test('hand back finishes attempts within the grace period, returns the rest and leaves no file', async (t) => {
  const { a, b, call, running, clock, workDir } = await open(t, 4)
  const [first, second] = [call(a, 'first'), call(a, 'second')]
  const others = call(b, 'others')
  await settled()
  const back = a.handBack(10_000)
  running[0]!.end()
  await settled()
  await a.service.commit({ verdicts: [{ attempt_id: 'first', epoch: 1, committed: true }] }, peer)
  clock.advance(10_000)
  await settled()
  clock.advance(50)
  await settled()
  await back
  assert.deepEqual(first.facts(), ['1 accepted', '2 running', '3 completed'])
  const last = second.events.at(-1)!
  assert.ok(last.fact === 'failed' && last.failed.code === 'WORKER_DRAINING')
  assert.deepEqual(others.facts(), ['1 accepted', '2 running'])
  a.wipe('over')
  b.wipe('over')
  await settled()
  assert.deepEqual(readdirSync(workDir), [])
})

test('a machine keeps its open tenants, and nothing of those that were closed', async (t) => {
  const machine = createMachine({
    folder: temporaryFolder(t),
    development: true,
    downloadSource: () => ({ url: 'http://127.0.0.1:1', token: null, tokenUrl: 'http://127.0.0.1:1' }),
    modelsCache: null,
    hostEnvironment: {},
    clock: systemClock,
    random,
    log,
    lines: { of: () => noLogLines },
  })
  t.after(() => machine.stop())
  const openTenant = (name: string, isClosed: boolean) => {
    const tenant = machine.openTenant(name)
    if (isClosed) tenant.close('the test closes it')
    return new WeakRef(tenant)
  }
  const [kept, closed] = [openTenant('kept', false), openTenant('closed', true)]
  await turn() // a WeakRef holds its target until the end of the turn that made it
  collectGarbage()
  assert.ok(kept.deref())
  assert.equal(closed.deref(), undefined)
})
