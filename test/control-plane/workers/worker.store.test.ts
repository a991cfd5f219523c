import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAudit } from '#control-plane/audit/audit-log.store.ts'
import { type Host, LOCAL } from '#control-plane/workers/worker.store.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const host: Host = {
  hostname: 'h',
  os: 'linux',
  arch: 'x64',
  worker_version: '1',
  cpu_count: 2,
  system_memory_bytes: 5,
  gpus: [{ model: 'g' }],
  unusable_gpus: [],
}

test('enrolment grants no consent, and every change survives a restart', (t) => {
  const open = openLedger(t)
  const added = open.workers.add({ id: 'new', name: 'New', pin: 'a'.repeat(64), endpoint: 'h:1' })
  assert.deepEqual([added.consentId, added.enabled, added.priority], [null, true, 50])
  open.clock.advance(5)
  open.workers.patch('new', { name: 'Renamed', priority: 90, enabled: null })
  open.workers.recordContact('new', host)
  open.workers.flushContacts()
  open.workers.grant('new')
  open.commits.flush()
  const before = open.workers.get('new')!
  assert.deepEqual(
    [before.name, before.enabled, before.priority, before.host, before.lastSeenAt],
    ['Renamed', true, 90, host, open.clock.now()],
  )
  open.reopen()
  assert.deepEqual(open.workers.get('new'), before)
  open.workers.recordContact('new', null)
  assert.deepEqual(open.workers.get('new')!.host, host, 'what it said of itself is not forgotten when it goes')
})

test('a consent can be withdrawn and granted again; each has its row', (t) => {
  const open = openLedger(t)
  const first = open.workers.get('w0')!.consentId
  open.workers.withdraw('w0')
  assert.equal(open.workers.get('w0')!.consentId, null)
  open.workers.withdraw('w0')
  open.clock.advance(10)
  const grant = () => {
    open.workers.grant('w0')
    const before = open.workers.get('w0')!.consentId
    open.commits.flush()
    return [before, open.workers.get('w0')!.consentId]
  }
  const [before, second] = grant()
  assert.ok(before === null && second && second !== first, 'a consent counts once it is durable')
  const [stillSecond, third] = grant()
  assert.ok(stillSecond === second && third !== second, 'its time is the newest')
  const rows = open.db
    .prepare<[], { live: number }>(`select withdrawn_at is null as live from consent where worker_id = 'w0' order by rowid`)
    .all()
  assert.deepEqual(
    rows.map(({ live }) => live),
    [0, 0, 1],
  )
})

test('a removed machine stays removed, with its key', (t) => {
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
    open.commits.flush()
    open.reopen()
  }
})

test('machines are listed by priority, then by age, without the local agent', (t) => {
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

test('a machine that enrols again with a new key keeps its row and its settings', (t) => {
  const { workers } = openLedger(t)
  const before = workers.patch('w0', { name: 'Mine' })
  const after = workers.add({ id: 'w0', name: 'other', pin: 'd'.repeat(64), endpoint: '' })
  assert.deepEqual(
    [after.name, after.pin, after.generation, after.consentId],
    ['Mine', 'd'.repeat(64), before.generation + 1, before.consentId],
  )
  assert.equal(workers.byPin(before.pin), undefined)
})

test('an unknown id is refused', (t) => {
  const { workers } = openLedger(t)
  for (const act of [workers.required, workers.revoke, workers.grant, workers.withdraw, (id: string) => workers.patch(id, {})])
    assert.throws(() => act('unknown'), fails('NOT_FOUND'))
})

test('a batch that could not be written gives nothing, and gives nothing back that was taken away', async (t) => {
  const open = openLedger(t)
  const { db, workers, commits } = open
  const before = [...workers.all()]
  const fail = (act: () => void) => {
    db.pragma('query_only = on')
    act()
    commits.flush()
    db.pragma('query_only = off')
  }
  fail(() => workers.add({ id: 'new', name: 'New', pin: 'a'.repeat(64), endpoint: '' }))
  fail(() => workers.patch('w0', { name: 'Other', priority: 90 }))
  fail(() => workers.grant('w2'))
  assert.deepEqual([...workers.all()], before)

  const states = ({ workers }: Pick<typeof open, 'workers'>) =>
    ['w0', 'w1', 'w2'].map((id) => {
      const { consentId, revokedAt, quarantine, enabled } = workers.required(id)
      return [consentId !== null, revokedAt !== null, quarantine, enabled]
    })
  const taken = [
    [false, false, null, false],
    [false, true, null, false],
    [true, false, 'copied', true],
  ]
  fail(() => {
    workers.add({ id: 'lost', name: 'Lost', pin: 'b'.repeat(64), endpoint: '' })
    for (const id of ['w0', 'lost']) {
      workers.grant(id)
      workers.withdraw(id)
    }
    workers.patch('w0', { name: 'Other', enabled: false })
    workers.revoke('w1')
    workers.quarantine('w2', 'copied')
  })
  assert.equal(workers.get('w0')!.name, 'w0')
  assert.deepEqual(states(open), taken, 'in force without the disk')
  assert.equal(workers.get('lost'), undefined)
  commits.flush()
  open.reopen()
  assert.deepEqual(states(open), taken, 'written by the next batch')
  const kinds = (await readAudit(join(open.folder, 'studio.db'))).map(({ kind }) => kind)
  assert.deepEqual(kinds.slice(-3), ['withdraw', 'revoke', 'quarantine'])
})

test('a removed machine that is reinstated is in the audit log', async (t) => {
  const { workers, commits, folder } = openLedger(t)
  workers.revoke('w0')
  workers.reinstate('w0')
  commits.flush()
  const [last] = (await readAudit(join(folder, 'studio.db'))).slice(-1)
  assert.deepEqual([last?.kind, last?.subject, last?.detail], ['enrol', 'w0', '{"again":true}'])
})

test('a withdrawal that follows a grant in the same batch wins', (t) => {
  const open = openLedger(t)
  open.workers.withdraw('w0')
  open.workers.grant('w0')
  open.workers.withdraw('w0')
  open.commits.flush()
  assert.equal(open.workers.get('w0')!.consentId, null)
  open.reopen()
  assert.equal(open.workers.get('w0')!.consentId, null)
})

test('contacts of machines that could not be written are written later', async (t) => {
  const { db, workers, commits, folder } = openLedger(t)
  const path = join(folder, 'studio.db')
  const count = (await readAudit(path)).length
  workers.recordContact('w0', host)
  db.pragma('query_only = on')
  workers.flushContacts()
  commits.flush()
  db.pragma('query_only = off')
  assert.equal((await readAudit(path)).length, count)
  workers.flushContacts()
  commits.flush()
  assert.deepEqual(
    (await readAudit(path)).slice(count).map(({ kind }) => kind),
    ['connect'],
  )
})

test('a withdrawal and the tasks it takes back are one commit', async (t) => {
  const { ledger, workers, journal, db } = openLedger(t)
  ledger.submit('t', specOf(), '')
  ledger.apply('t', { kind: 'offer', workerId: 'w0', attemptId: 'a' })
  await ledger.settled()
  const commit = t.mock.method(journal, 'commit')
  workers.withdraw('w0')
  ledger.apply('t', { kind: 'release', epoch: 1, retarget: 'auto', code: 'CONSENT_MISSING', message: 'Consent was withdrawn.' })
  await workers.settled()
  assert.equal(commit.mock.callCount(), 1)
  const live = db.prepare<[], string>(`select worker_id from consent where withdrawn_at is null order by worker_id`).pluck()
  assert.deepEqual([live.all(), ledger.peek('t')?.task.phase], [['w1', 'w2'], 'queued'])
})

test('no offer shares a batch with the consent it rests on', async (t) => {
  const { ledger, workers, commits, journal } = openLedger(t)
  workers.withdraw('w0')
  commits.flush()
  const batches: [consents: number, offers: number][] = []
  const { commit } = journal
  t.mock.method(journal, 'commit', (...[writes, outcome]: Parameters<typeof commit>) => {
    batches.push([writes.consents.size, writes.newAttempts.length])
    commit(writes, outcome)
  })
  ledger.beforeCommit(() => {
    const isWaiting = ledger.peek('t')?.task.phase === 'queued'
    if (isWaiting && workers.get('w0')!.consentId) ledger.apply('t', { kind: 'offer', workerId: 'w0', attemptId: 'a' })
  })
  ledger.submit('t', specOf(), '')
  workers.grant('w0')
  await workers.settled()
  await ledger.settled()
  assert.deepEqual(batches, [
    [1, 0],
    [0, 1],
  ])
})
