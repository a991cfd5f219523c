import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLiveCandidates } from '#control-plane/scheduler/live-candidates.ts'
import { place } from '#control-plane/scheduler/place.ts'
import type { WorkerView } from '#control-plane/scheduler/worker-view.ts'
import { AWAY_PATIENCE_MS } from '#shared/protocol/backoff.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'
import { lineOf, workerOf } from '#test/support/placement/fleet.ts'

/** Two consented workers whose sessions the test decides. `reads`: the workers that were read, in order. */
function open(t: TestContext) {
  const { ledger, workers, clock, commits, db } = openLedger(t)
  const states = new Map<string, Partial<WorkerView>>()
  const reads: string[] = []
  const remote = { isOn: true }
  const live = createLiveCandidates({
    workers,
    ledger,
    clock,
    remoteOn: () => remote.isOn,
    view: ({ id, enabled, consentId }) => {
      reads.push(id)
      return workerOf(id, {
        enabled: enabled && remote.isOn,
        consented: consentId !== null,
        held: new Map([['svc-engine', ledger.held(id).length]]),
        ...states.get(id),
      })
    },
  })
  const choice = () => place([lineOf([1])], live.current()).placements[0]?.workerId ?? null
  const readsOf = (work: () => void) => {
    reads.length = 0
    work()
    return reads.toSorted()
  }
  readsOf(live.current)
  return { ledger, workers, clock, commits, db, states, live, choice, readsOf, remote }
}

test('only workers that have changed are read again', (t) => {
  const { live, ledger, workers, readsOf } = open(t)
  assert.deepEqual(readsOf(live.current), [])
  live.touch('w1')
  assert.deepEqual(readsOf(live.current), ['w1'])
  workers.patch('w0', { priority: 10 })
  assert.deepEqual(readsOf(live.current), ['w0'])
  ledger.submit('t', specOf({}), 'digest')
  assert.deepEqual(readsOf(live.current), [], 'a waiting task changes no worker')
  ledger.apply('t', { kind: 'offer', workerId: 'w1', attemptId: 'a' })
  assert.deepEqual(readsOf(live.current), ['w1'])
  ledger.apply('t', { kind: 'cancel' })
  assert.deepEqual(readsOf(live.current), ['w1'])
})

test('changes that the disk refused are read again', (t) => {
  const { live, workers, db, commits, readsOf } = open(t)
  workers.patch('w0', { priority: 10 })
  workers.withdraw('w1')
  live.current()
  db.pragma('query_only = on')
  commits.flush()
  assert.deepEqual(readsOf(live.current), ['w0'], 'what is undone; a withdrawal stays')
  assert.equal(live.current().viewAt(live.current().slotOf('w1')!).consented, false)
})

test('the chosen worker is read once more: nothing that was not reported gives it a task', (t) => {
  const { states, choice, readsOf } = open(t)
  const first = choice()!
  states.set(first, { session: null, awayMs: 60_000 })
  assert.equal(readsOf(() => assert.notEqual(choice(), first)).includes(first), true, 'without a report of the change')
})

test('what changes with the time is read when it changes', (t) => {
  const { live, states, clock, readsOf } = open(t)
  states.set('w0', { session: null, awayMs: AWAY_PATIENCE_MS - 1_000 })
  states.set('w1', { cooling: true })
  for (const id of ['w0', 'w1']) live.touch(id)
  live.current()
  assert.deepEqual(readsOf(live.current), ['w1'], 'a worker without room for now is read in each pass')
  states.delete('w1')
  live.current()
  assert.deepEqual(readsOf(live.current), [])
  clock.advance(1_000)
  states.set('w0', { session: null, awayMs: AWAY_PATIENCE_MS + 1 })
  assert.deepEqual(readsOf(live.current), ['w0'])
  assert.deepEqual(readsOf(live.current), [])
})

test('removed workers leave, and turning other machines off or on reads all', (t) => {
  const { live, workers, remote, choice, readsOf } = open(t)
  remote.isOn = false
  assert.equal(choice(), null)
  remote.isOn = true
  assert.deepEqual(readsOf(live.current).length, live.current().views().length)
  for (const { id } of [...workers.all()]) workers.revoke(id)
  assert.deepEqual(live.current().views(), [])
})
