import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSync } from '#control-plane/store/database.ts'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import { openSqliteJournal } from '#control-plane/store/sqlite/journal.ts'
import { createLedger } from '#control-plane/tasks/ledger.ts'
import type { Change } from '#control-plane/tasks/record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { openLedger, resultOf, specOf } from '#test/support/doubles/ledger.ts'

const offer = (workerId: string, attemptId: string) => ({ kind: 'offer', workerId, attemptId }) as const
const isFull = (error: unknown) => error instanceof Failure && error.code === 'STORAGE_FULL'

test('all changes of one turn of the loop are one commit, and listeners are called after it', async (t) => {
  const { db, ledger } = openLedger(t)
  const rows = db.prepare<[], { n: number }>('select count(*) as n from task')
  const commits: number[] = []
  let told = 0
  ledger.onCommitted((changes) => {
    commits.push(changes.length)
    assert.equal(db.inTransaction, false)
    assert.equal(rows.get()!.n, 100, 'told after the commit')
  })
  const waits = Array.from({ length: 100 }, (_, index) => {
    ledger.submit(`t${index}`, specOf(), '')
    return ledger.settled().then(() => told++)
  })
  assert.equal(ledger.apply('t7', { kind: 'cancel' }).ok, true)
  await Promise.resolve()
  assert.deepEqual([rows.get()!.n, told, commits.length], [0, 0, 0])
  await Promise.all(waits)
  assert.deepEqual(commits, [101])
})

test('changes of a hook belong to the batch, changes of a listener to the next one', async (t) => {
  const { ledger } = openLedger(t)
  const turns: string[][] = []
  ledger.beforeCommit(() => {
    for (const { task } of ledger.live()) if (task.phase === 'queued') ledger.apply(task.id, offer('w0', `a-${task.id}`))
  })
  ledger.onCommitted((changes) => {
    turns.push(changes.map(({ record, event }) => `${record.task.id} ${event?.kind ?? 'submit'}`))
    if (turns.length === 1) ledger.apply('t', { kind: 'accept', epoch: 1 })
  })
  ledger.submit('t', specOf(), '')
  await ledger.settled()
  await ledger.settled()
  assert.deepEqual(turns.slice(0, 2), [['t submit', 't offer'], ['t accept']])
  assert.deepEqual(
    ledger.held('w0').map(({ task }) => task.phase),
    ['loading'],
  )
})

test('a batch that cannot be written is undone, and the next one is written', async (t) => {
  const open = openLedger(t)
  const { db, ledger } = open
  const undone: (readonly string[])[] = []
  const told: Change[] = []
  ledger.submit('held', specOf(), '')
  ledger.apply('held', offer('w0', 'a1'))
  ledger.submit('waiting', specOf(), '')
  ledger.flush()
  const before = [...ledger.live()]
  ledger.onCommitted((changes) => told.push(...changes))
  ledger.onUndone((failure, ids) => {
    assert.equal(failure.code, 'STORAGE_FULL')
    undone.push(ids)
  })

  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
  ledger.apply('held', { kind: 'decline', epoch: 1, code: 'WORKER_AT_CAPACITY', message: 'full' })
  ledger.apply('held', offer('w1', 'a2'))
  ledger.apply('waiting', offer('w1', 'a3'))
  ledger.submit('new', specOf({ idempotencyKey: 'k', params: JSON.stringify({ text: 'x'.repeat(200_000) }) }), '')
  await Promise.all([assert.rejects(ledger.settled(), isFull), assert.rejects(ledger.settled(), isFull)])

  assert.deepEqual(undone, [['held', 'waiting', 'new']])
  assert.deepEqual(told, [], 'nothing was told of it')
  assert.deepEqual([...ledger.live()], before)
  assert.deepEqual([await ledger.find('new'), await ledger.byKey('k'), ledger.hasKey('k')], [null, null, false])
  assert.deepEqual([ledger.held('w0').map(({ task }) => task.id), ledger.held('w1')], [['held'], []])

  db.pragma('max_page_count = 1073741823')
  ledger.submit('new', specOf({ idempotencyKey: 'k' }), '')
  ledger.apply('held', { kind: 'accept', epoch: 1 })
  await ledger.settled()
  open.reopen()
  assert.deepEqual(
    [...open.ledger.live()].map(({ task }) => `${task.id} ${task.phase}`),
    ['held loading', 'waiting queued', 'new queued'],
  )
})

test('a restart finds every task that has not ended, held or not, and every key', async (t) => {
  const open = openLedger(t)
  open.ledger.submit('ended', specOf({ idempotencyKey: 'old' }), 'digest')
  open.ledger.apply('ended', { kind: 'cancel' })
  open.ledger.submit('held', specOf({ priority: 1, params: '{"text":"ä"}', deadlineAt: 5, ephemeral: true }), 'other')
  open.ledger.apply('held', offer('w2', 'a1'))
  open.ledger.apply('held', { kind: 'link-lost', epoch: 1 })
  await open.ledger.settled()
  const held = open.ledger.peek('held')
  open.ledger.submit('lost', specOf(), '') // no commit reaches it
  open.reopen()
  assert.deepEqual([...open.ledger.live()], [held])
  assert.deepEqual(open.ledger.held('w2'), [held])
  const old = await open.ledger.byKey('old')
  assert.deepEqual([old?.task.phase, old?.digest], ['cancelled', 'digest'])
  assert.equal(await open.ledger.find('lost'), null)
  assert.ok(open.ledger.submit('next', specOf(), '').seq > held!.seq, 'numbers go on')
})

test('an end is durable only after its commit', async (t) => {
  const { ledger } = openLedger(t)
  ledger.submit('t', specOf(), '')
  ledger.apply('t', { kind: 'cancel' })
  const ended = ledger.peek('t')!
  assert.equal(ledger.isDurablyEnded(ended), false)
  await ledger.settled()
  assert.deepEqual([ledger.isDurablyEnded(ended), ledger.peek('t'), ledger.stateOf('t')?.phase], [true, null, 'cancelled'])
  assert.deepEqual(ledger.apply('t', { kind: 'cancel' }), { ok: false, reason: 'not-allowed' })
  assert.deepEqual(ledger.apply('unknown', { kind: 'cancel' }), { ok: false, reason: 'unknown-task' })
})

test('a result is stored with its task and read back unchanged', async (t) => {
  const open = openLedger(t)
  open.ledger.submit('t', specOf(), '')
  open.ledger.apply('t', offer('w0', 'a'))
  open.ledger.apply('t', { kind: 'accept', epoch: 1 })
  open.ledger.apply('t', { kind: 'start', epoch: 1 })
  const result = resultOf(Buffer.from([0, 255, 1]))
  open.ledger.apply('t', { kind: 'complete', epoch: 1 }, result)
  await open.ledger.settled()
  open.reopen()
  const record = (await open.ledger.find('t'))!
  assert.deepEqual([record.result, record.finishedAt], [result, open.clock.now()])
})

test('an offer to a machine without consent is never committed, and its task is not offered again', async (t) => {
  const { ledger, workers } = openLedger(t)
  workers.withdraw('w0')
  ledger.submit('t', specOf(), '')
  ledger.apply('t', offer('w0', 'a'))
  await assert.rejects(ledger.settled(), { code: 'INTERNAL', message: /no live consent/ })
  assert.equal(await ledger.find('t'), null)
})

test('a commit leaves the sync to another thread, and no listener is called before it returned', async (t) => {
  const { db, folder, clock, marks, state } = openLedger(t)
  const wal = openSync(join(folder, 'studio.db'))
  t.after(() => wal.close())
  let finish: (() => void) | null = null
  const insideCommit = new Set<unknown>()
  const transaction = db.transaction.bind(db)
  db.transaction = ((run: (...args: unknown[]) => unknown) =>
    transaction((...args: unknown[]) => {
      insideCommit.add(db.pragma('synchronous', { simple: true }))
      return run(...args)
    })) as typeof db.transaction
  const { journal } = openSqliteJournal({
    db,
    sync(done) {
      wal.sync((error) => {
        finish = () => done(error)
      })
    },
  })
  const ledger = createLedger({ journal, state, commits: createGroupCommit({ journal, log, clock }), clock, marks })
  const calls: string[] = []
  ledger.onDecided((changes) => calls.push(`decided ${changes.length}`))
  ledger.onCommitted((changes) => calls.push(`committed ${changes.length}`))
  const record = ledger.submit('t', specOf(), '')
  const settled = ledger.settled().then(() => calls.push('settled'))
  ledger.flush()
  ledger.apply('t', { kind: 'cancel' })
  const ended = ledger.peek('t')!
  ledger.flush()
  while (finish === null) await turn()
  assert.deepEqual(calls, ['decided 1', 'decided 1'])
  assert.equal(ledger.isDurablyEnded(ended), false)
  ;(finish as () => void)()
  finish = null
  await settled
  assert.deepEqual(calls, ['decided 1', 'decided 1', 'committed 1', 'settled'])
  while (finish === null) await turn()
  ;(finish as () => void)()
  assert.equal(ledger.isDurablyEnded(ended), true)
  assert.equal(record.seq, ended.seq)
  assert.deepEqual([[...insideCommit], db.pragma('synchronous', { simple: true })], [[1], 2])
})

test('an admission is written with what follows it, in one transaction, unless a caller waits for it', async (t) => {
  const { db, clock, marks, state } = openLedger(t)
  const syncs: (() => void)[] = []
  const { journal } = openSqliteJournal({ db, sync: (done) => void syncs.push(() => done(null)) })
  // Its clock stands, so that nothing but a later batch or a caller ends a wait.
  const commits = createGroupCommit({ journal, log, clock })
  const ledger = createLedger({ journal, state, commits, clock, marks })
  const decided: string[] = []
  const committed: string[] = []
  ledger.onDecided((changes) => decided.push(...changes.map(({ event }) => event?.kind ?? 'submit')))
  ledger.onCommitted((changes) => committed.push(...changes.map(({ event }) => event?.kind ?? 'submit')))
  ledger.submit('t', specOf({ idempotencyKey: 'k' }), '')
  ledger.apply('t', offer('w0', 'a'))
  const { seq } = ledger.peek('t')!
  const began = clock.now()
  await turn()
  assert.deepEqual([decided, syncs.length, await journal.find('t')], [['submit', 'offer'], 0, null])
  assert.deepEqual([(await ledger.byKey('k'))?.task.id, ledger.hasKey('k'), (await ledger.find('t'))?.task.phase], ['t', true, 'offered'])
  clock.advance(3)
  for (const kind of ['accept', 'start', 'complete'] as const)
    ledger.apply('t', { kind, epoch: 1 }, kind === 'complete' ? resultOf() : null)
  await turn()
  assert.deepEqual([decided.length, syncs.length, committed], [5, 1, []])
  const [attempt] = await journal.attemptsOf(seq)
  assert.deepEqual([attempt?.state, attempt?.created_at, attempt?.finished_at], ['committed', began, began + 3])
  assert.deepEqual((await journal.find('t'))?.phase, 'succeeded')
  syncs.pop()!()
  assert.deepEqual(committed, ['submit', 'offer', 'accept', 'start', 'complete'])

  ledger.submit('u', specOf(), '')
  await turn()
  assert.equal(syncs.length, 0)
  const settled = ledger.settled()
  await turn()
  assert.equal(syncs.length, 1)
  syncs.pop()!()
  await settled
  assert.equal(committed.at(-1), 'submit')
  assert.equal(ledger.apply('u', offer('w1', 'b')).ok, true)
  await turn()
  assert.equal((await journal.find('u'))?.phase, 'offered', 'the offer of a task that its caller was told of is written before it leaves')
})

test('a consent is withdrawn after the admissions before it were written, with the tasks that it takes back', async (t) => {
  const { db, ledger, workers } = openLedger(t)
  ledger.submit('t', specOf(), '')
  ledger.apply('t', offer('w0', 'a'))
  await turn()
  workers.withdraw('w0')
  ledger.apply('t', { kind: 'release', epoch: 1, retarget: null, code: 'CONSENT_MISSING', message: '' })
  await ledger.settled()
  const kinds = db.prepare('select kind from task_event order by seq, place').pluck().all()
  assert.deepEqual(kinds, ['submit', 'offer', 'release'])
})

test('an admission that waits in memory is lost with its process, and a full disk undoes it after its offer has left', async (t) => {
  const open = openLedger(t)
  const undone: string[] = []
  open.ledger.onUndone((_failure, ids, decided) => undone.push(...ids, ...decided.map(({ event }) => event?.kind ?? 'submit')))
  const admit = async () => {
    open.ledger.submit('t', specOf({ idempotencyKey: 'k' }), '')
    open.ledger.apply('t', offer('w0', 'a'))
    await turn()
  }
  await admit()
  open.db.pragma('query_only = on')
  open.ledger.apply('t', { kind: 'accept', epoch: 1 })
  await assert.rejects(open.ledger.settled(), isFull)
  open.db.pragma('query_only = off')
  assert.deepEqual(undone, ['t', 't', 'submit', 'offer'], 'the newest first')
  assert.deepEqual([open.ledger.peek('t'), open.ledger.hasKey('k'), open.ledger.held('w0')], [null, false, []])

  await admit()
  open.reopen()
  assert.deepEqual([open.ledger.stateOf('t'), await open.ledger.byKey('k')], [null, null])
  await admit()
  await open.ledger.settled()
  assert.equal((await open.ledger.byKey('k'))?.task.phase, 'offered', 'its key is free again')
})
