import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Host, LOCAL } from '#control-plane/workers/worker.store.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const host: Host = {
  hostname: 'h',
  os: 'linux',
  arch: 'x64',
  worker_version: '1',
  cpu_count: 2,
  system_memory_bytes: 5,
  gpus: [{ model: 'g' }],
}

test('enrolling approves nothing, and every change is there after a restart', (t) => {
  const open = openLedger(t)
  const added = open.workers.add({ id: 'new', name: 'New', pin: 'a'.repeat(64), endpoint: 'h:1' })
  assert.deepEqual([added.consentId, added.enabled, added.priority], [null, true, 50])
  open.clock.advance(5)
  open.workers.patch('new', { name: 'Renamed', priority: 90, enabled: null })
  open.workers.seen('new', host)
  open.workers.flush()
  open.workers.grant('new')
  const before = open.workers.get('new')!
  assert.deepEqual(
    [before.name, before.enabled, before.priority, before.host, before.lastSeenAt],
    ['Renamed', true, 90, host, open.clock.now()],
  )
  open.reopen()
  assert.deepEqual(open.workers.get('new'), before)
  open.workers.seen('new', null)
  assert.deepEqual(open.workers.get('new')!.host, host, 'what it said of itself is not forgotten when it goes')
})

test('a yes can be taken back and given again; each has its row', (t) => {
  const open = openLedger(t)
  const first = open.workers.get('w0')!.consentId
  open.workers.withdraw('w0')
  assert.equal(open.workers.get('w0')!.consentId, null)
  open.workers.withdraw('w0')
  open.clock.advance(10)
  const second = open.workers.grant('w0').consentId
  assert.ok(second && second !== first)
  assert.notEqual(open.workers.grant('w0').consentId, second, 'its moment is stamped anew')
  const rows = open.db
    .prepare<[], { live: number }>(`select withdrawn_at is null as live from consent where worker_id = 'w0' order by rowid`)
    .all()
  assert.deepEqual(
    rows.map(({ live }) => live),
    [0, 0, 1],
  )
})

test('a removed machine is out for good, with its key', (t) => {
  const open = openLedger(t)
  open.workers.revoke('w0')
  for (const when of ['at once', 'after a restart']) {
    const worker = open.workers.get('w0')!
    assert.deepEqual([worker.enabled, worker.consentId, worker.revokedAt], [false, null, open.clock.now()], when)
    assert.equal(open.workers.byPin(worker.pin)?.id, 'w0')
    assert.throws(() => open.workers.grant('w0'), fails('CONFLICT'))
    assert.deepEqual(
      open.workers.enrolled().map(({ id }) => id),
      ['w1', 'w2'],
    )
    open.reopen()
  }
})

test('machines are listed by preference, then by age; the own agent is not one of them', (t) => {
  const { workers, clock } = openLedger(t)
  clock.advance(1)
  workers.add({ id: 'young', name: '', pin: 'b'.repeat(64), endpoint: '' })
  workers.add({ id: LOCAL, name: 'Local', pin: 'c'.repeat(64), endpoint: '' })
  workers.patch('w2', { priority: 60 })
  assert.deepEqual(
    workers.enrolled().map(({ id }) => id),
    ['w2', 'w0', 'w1', 'young'],
  )
})

test('a machine that comes again with a new key keeps its row and what was decided about it', (t) => {
  const { workers } = openLedger(t)
  const before = workers.patch('w0', { name: 'Mine' })
  const after = workers.add({ id: 'w0', name: 'other', pin: 'd'.repeat(64), endpoint: '' })
  assert.deepEqual(
    [after.name, after.pin, after.generation, after.consentId],
    ['Mine', 'd'.repeat(64), before.generation + 1, before.consentId],
  )
  assert.equal(workers.byPin(before.pin), undefined)
})

test('nobody is known by a name that was never given', (t) => {
  const { workers } = openLedger(t)
  for (const act of [workers.known, workers.revoke, workers.grant, workers.withdraw, (id: string) => workers.patch(id, {})])
    assert.throws(() => act('nobody'), fails('NOT_FOUND'))
})
