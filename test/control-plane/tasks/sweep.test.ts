import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, utimesSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { createLeases } from '#control-plane/tasks/leases.ts'
import { createRetention } from '#control-plane/tasks/retention.ts'
import { createSweep } from '#control-plane/tasks/sweep.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { openLedger, resultOf, specOf } from '#test/support/doubles/ledger.ts'
import { eventually } from '#test/support/world/world.ts'

async function openSweep(t: TestContext) {
  const open = openLedger(t)
  const { clock, ledger } = open
  const leases = createLeases(clock)
  ledger.onCommitted(leases.follow)
  const artifacts = createFolderArtifacts(open.folder)
  const retention = createRetention({ journal: open.journal, ledger })
  artifacts.addNamer(retention.names)
  const sweep = createSweep({ ledger, leases, retention, artifacts, clock, log })
  await sweep.start()
  t.after(() => sweep.stop())
  /** One pass of the sweep after that time; it is over when the sweep sleeps again. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await turn()
    // Its files are removed by threads that a busy machine lets wait.
    await eventually(() => clock.waiting() > 0)
    ledger.flush()
  }
  const begin = (id: string, wish = {}, events: readonly ('accept' | 'start' | 'link-lost')[] = ['accept', 'start']) => {
    ledger.submit(id, specOf(wish), '')
    ledger.apply(id, { kind: 'offer', workerId: 'w0', attemptId: `a-${id}` })
    for (const kind of events) ledger.apply(id, { kind, epoch: 1 })
    ledger.flush()
  }
  const phaseOf = (id: string) => ledger.stateOf(id)!.phase
  return { ...open, ledger, artifacts, leases, pass, begin, phaseOf }
}

const DAY_MS = 24 * 3600_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('leases that ran out become events of their own phase', async (t) => {
  const { pass, begin, phaseOf, ledger } = await openSweep(t)
  begin('offered', {}, [])
  begin('running')
  begin('unknown', {}, ['accept', 'start', 'link-lost'])
  await pass(500)
  assert.deepEqual(['offered', 'running', 'unknown'].map(phaseOf), ['offered', 'running', 'unknown'])
  await pass(9_600)
  assert.deepEqual([phaseOf('offered'), phaseOf('unknown')], ['offered', 'queued'], 'the grace of a listener is over')
  await pass(10_000)
  assert.equal(phaseOf('offered'), 'queued')
  await pass(100_000)
  assert.equal(phaseOf('running'), 'queued')
  assert.deepEqual(
    await Promise.all(['offered', 'running', 'unknown'].map(async (id) => (await ledger.attemptsOf(ledger.peek(id)!))[0]!.failure_code)),
    ['ACCEPT_TIMEOUT', 'PROGRESS_LEASE_EXPIRED', 'WORKER_DISCONNECTED'],
  )
})

test('a deadline ends what waits at once, and stops what runs', async (t) => {
  const { clock, ledger, pass, begin, phaseOf } = await openSweep(t)
  const deadlineAt = clock.now() + 5_000
  ledger.submit('waiting', specOf({ deadlineAt }), '')
  begin('running', { deadlineAt })
  await pass(4_900)
  assert.deepEqual([phaseOf('waiting'), phaseOf('running')], ['queued', 'running'])
  await pass(600)
  assert.deepEqual([phaseOf('waiting'), phaseOf('running')], ['timed_out', 'cancelling'])
  await pass(10_000)
  assert.equal(phaseOf('running'), 'timed_out', 'also when the machine never confirms')
  assert.equal(ledger.stateOf('running')?.failure?.code, 'TASK_DEADLINE_EXCEEDED')
})

test('ended tasks are kept a week, those with a key for ever, and files as long as they can be requested', async (t) => {
  const { db, clock, ledger, artifacts, pass, begin } = await openSweep(t)
  const digests = { plain: sha256('plain'), fleeting: sha256('fleeting'), keyed: sha256('keyed') }
  for (const [id, digest] of Object.entries(digests)) {
    begin(id, { ephemeral: id === 'fleeting', idempotencyKey: id === 'keyed' ? 'k' : null })
    ledger.apply(id, { kind: 'complete', epoch: 1 }, { ...resultOf(), digest, bytes: null })
    await artifacts.keep(digest, { chunks: [Buffer.from(id)] })
    utimesSync(artifacts.pathOf(digest), clock.now() / 1000, clock.now() / 1000)
  }
  ledger.flush()
  const there = () => Object.values(digests).map((digest) => existsSync(artifacts.pathOf(digest)))
  await pass(11 * 60_000)
  assert.deepEqual(there(), [true, true, true])
  await pass(3600_000)
  assert.deepEqual(there(), [true, false, true], 'bytes that only the caller wanted live for an hour')
  await pass(6 * DAY_MS)
  assert.deepEqual([(await ledger.find('plain'))?.task.phase, there()[0]], ['succeeded', true])
  await pass(DAY_MS)
  assert.deepEqual(there(), [false, false, false])
  const found = await Promise.all(['plain', 'fleeting', 'keyed'].map(ledger.find))
  assert.deepEqual(
    found.map((record) => record?.task.phase ?? null),
    [null, null, 'succeeded'],
  )
  const named = (table: string) => db.prepare(`select distinct task_id from ${table}`).pluck().all()
  assert.deepEqual([named('attempt'), named('task_event')], [['keyed'], []], 'nothing hangs on what is gone')
  assert.equal((await ledger.byKey('k'))?.task.id, 'keyed')
})

test('an input is kept while its task lives, and not longer', async (t) => {
  const { artifacts, ledger, pass } = await openSweep(t)
  const digest = sha256('a recording')
  await artifacts.keep(digest, { chunks: [Buffer.from('a recording')] })
  utimesSync(artifacts.pathOf(digest), 0, 0)
  ledger.submit('listens', specOf({ inputs: [{ name: 'audio', size: 11, sha256: digest }], deadlineAt: Number.MAX_SAFE_INTEGER }), '')
  ledger.flush()
  assert.deepEqual(ledger.peek('listens')!.spec.inputs, [{ name: 'audio', size: 11, sha256: digest }])
  await pass(600_500)
  assert.ok(existsSync(artifacts.pathOf(digest)), 'it is not over yet')
  ledger.apply('listens', { kind: 'cancel' })
  ledger.flush()
  await pass(600_500)
  assert.equal(existsSync(artifacts.pathOf(digest)), false)
})

test('a jump of the wall clock neither ends a task nor prolongs it, also across a restart', async (t) => {
  for (const jump of [DAY_MS, -DAY_MS]) {
    const { clock, ledger, pass, begin, phaseOf } = await openSweep(t)
    const deadlineAt = clock.now() + 60_000
    begin('running', { deadlineAt })
    ledger.submit('waiting', specOf({ deadlineAt }), '')
    ledger.flush()
    clock.jump(jump)
    await pass(59_000)
    assert.deepEqual([phaseOf('waiting'), phaseOf('running')], ['queued', 'running'], `${jump}`)
    const left = ledger.msLeft(ledger.peek('running')!)
    assert.ok(left > 0 && left <= 1_000, `${left} ms are left`)
    await pass(1_500)
    assert.deepEqual([phaseOf('waiting'), phaseOf('running')], ['timed_out', 'cancelling'])
  }
  const store = openLedger(t)
  store.ledger.submit('waiting', specOf({ deadlineAt: store.clock.now() + 60_000 }), '')
  store.ledger.flush()
  store.clock.jump(-DAY_MS)
  store.reopen()
  assert.ok(store.ledger.msLeft(store.ledger.peek('waiting')!) <= 60_000, 'it has at most the whole of its time')
})

test('a jump of the wall clock removes no file that a task may soon need, and keeps none for ever', async (t) => {
  const { clock, artifacts, pass } = await openSweep(t)
  const keep = async (digest: string, text: string) => {
    await artifacts.keep(digest, { chunks: [Buffer.from(text)] })
    utimesSync(artifacts.pathOf(digest), clock.now() / 1000, clock.now() / 1000)
  }
  const there = (digest: string) => existsSync(artifacts.pathOf(digest))
  const [before, after] = [sha256('before'), sha256('after')]
  await pass(500)
  await keep(before, 'before')
  clock.jump(DAY_MS)
  await pass(600_500)
  assert.equal(there(before), true, 'it is ten minutes old')
  await pass(3600_000)
  assert.equal(there(before), false)
  await keep(after, 'after')
  clock.jump(-400 * DAY_MS)
  await pass(600_500)
  assert.equal(there(after), true, 'it is ten minutes old')
  await pass(3600_000)
  assert.equal(there(after), false, 'although its time is in the future')
})
