import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLeases } from '#control-plane/tasks/leases.ts'
import type { LeaseTerms } from '#shared/protocol/lease.ts'
import type { Phase } from '#shared/protocol/task.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { recordOf } from '#test/support/doubles/record.ts'

function open(terms: LeaseTerms | null = null) {
  const clock = createFakeClock()
  const crowd = { isThere: false }
  const leases = createLeases(clock, { terms: () => terms, isCrowded: () => crowd.isThere })
  let record = recordOf('t')
  const enter = (phase: Phase, epoch = 1) => {
    const before = record.task
    record = { ...record, task: { ...record.task, phase, epoch, workerId: 'w' } }
    leases.follow([{ record, before, event: null }])
  }
  const expired = () => leases.expired(() => record.task).map(({ code, epoch }) => `${code} ${epoch}`)
  return { clock, leases, crowd, enter, expired }
}

test('an unanswered offer expires, to the millisecond', () => {
  const { clock, enter, expired } = open()
  enter('offered')
  clock.advance(19_999)
  assert.deepEqual(expired(), [])
  clock.advance(1)
  assert.deepEqual(expired(), ['ACCEPT_TIMEOUT 1'])
})

test('a sign of life renews the lease, never beyond the budget of the phase', () => {
  const { clock, leases, enter, expired } = open()
  enter('running')
  for (let minute = 0; minute < 9; minute++) {
    clock.advance(60_000)
    leases.renew('t', 1)
    assert.deepEqual(expired(), [])
  }
  clock.advance(59_999)
  leases.renew('t', 1)
  assert.deepEqual(expired(), [])
  clock.advance(1)
  assert.deepEqual(expired(), ['EXECUTION_TIMEOUT 1'])
})

test('no keepalive outlives what the chosen model may take to load and to work', () => {
  const keepAlive = ({ clock, leases, expired }: ReturnType<typeof open>, budgetMs: number) => {
    for (let spent = 0; spent + 40_000 < budgetMs; spent += 40_000) {
      clock.advance(40_000)
      leases.renew('t', 1)
      assert.deepEqual(expired(), [])
    }
    leases.renew('t', 1)
    clock.advance(((budgetMs - 1) % 40_000) + 1)
    leases.renew('t', 1)
    return expired()
  }
  for (const [terms, loadMs, workMs] of [
    [{ device: 'cuda:0', resident: true, downloaded: true }, 60_000, 300_000],
    [{ device: 'cpu', resident: false, downloaded: true }, 600_000, 600_000],
    [{ device: 'cuda:0', resident: false, downloaded: false }, 1_800_000, 300_000],
  ] as const) {
    const opened = open(terms)
    opened.enter('loading')
    assert.deepEqual(keepAlive(opened, loadMs), ['MODEL_LOAD_TIMEOUT 1'])
    opened.enter('running')
    assert.deepEqual(keepAlive(opened, workMs), ['EXECUTION_TIMEOUT 1'], 'the next phase has its own')
  }
})

test('the signs of life of an older attempt renew nothing', () => {
  const { clock, leases, enter, expired } = open()
  enter('running', 2)
  clock.advance(100_000)
  leases.renew('t', 1)
  leases.renew('other', 2)
  clock.advance(20_000)
  assert.deepEqual(expired(), ['PROGRESS_LEASE_EXPIRED 2'])
})

test('a new phase and a new attempt are new leases; the same phase again is not', () => {
  const { clock, enter, expired } = open()
  enter('cancelling')
  clock.advance(9_000)
  enter('cancelling')
  clock.advance(1_000)
  assert.deepEqual(expired(), ['EXECUTION_TIMEOUT 1'])
  enter('offered', 2)
  assert.deepEqual(expired(), [])
})

test('queued and ended tasks have no lease', () => {
  for (const phase of ['queued', 'succeeded', 'cancelled'] as const) {
    const { clock, enter, expired } = open()
    enter('offered')
    enter(phase)
    clock.advance(10 ** 9)
    assert.deepEqual(expired(), [], phase)
  }
})

test('after a restart the machines get more time than a broken link gives them', () => {
  const { clock, leases, enter, expired } = open()
  enter('unknown')
  leases.extend('t', 90_000)
  clock.advance(89_999)
  assert.deepEqual(expired(), [])
  clock.advance(1)
  assert.deepEqual(expired(), ['WORKER_DISCONNECTED 1'])
})

test('a jump of the wall clock ends no lease', () => {
  const { clock, enter, expired } = open()
  enter('running')
  clock.jump(365 * 24 * 3600_000)
  assert.deepEqual(expired(), [])
  clock.jump(-2 * 365 * 24 * 3600_000)
  clock.advance(120_000)
  assert.deepEqual(expired(), ['PROGRESS_LEASE_EXPIRED 1'])
})

test('a lost machine gets the time that its work has taken, the wait for the offer left out', () => {
  const { clock, enter, expired } = open()
  enter('offered')
  clock.advance(9_000)
  enter('loading')
  clock.advance(3_000)
  enter('running')
  clock.advance(2_000)
  enter('unknown')
  clock.advance(4_999)
  assert.deepEqual(expired(), [])
  clock.advance(1)
  assert.deepEqual(expired(), ['WORKER_DISCONNECTED 1'])
})

test('a machine that was asked to come later keeps its tasks until its time, and six minutes at most', () => {
  const { clock, leases, enter, expired } = open()
  enter('running')
  leases.awaitMachine('w', ['t', 'gone'], 60_000)
  clock.advance(60_000)
  enter('unknown')
  clock.advance(69_999)
  assert.deepEqual(expired(), [], 'asked before the old link was found to be lost')
  for (let minute = 0; minute < 4; minute++) {
    leases.awaitMachine('w', ['t'], 60_000)
    clock.advance(60_000)
    assert.deepEqual(expired(), [])
  }
  leases.awaitMachine('w', ['t'], 300_000)
  clock.advance(6 * 60_000 - 309_999 - 1)
  assert.deepEqual(expired(), [])
  clock.advance(1)
  assert.deepEqual(expired(), ['WORKER_DISCONNECTED 1'], 'a caller only claims to be this machine')
})

test('a request to come later ends no lease early and renews none of a machine that works', () => {
  const { clock, leases, enter, expired } = open()
  enter('running')
  leases.awaitMachine('w', ['t'], 300_000)
  clock.advance(120_000)
  assert.deepEqual(expired(), ['PROGRESS_LEASE_EXPIRED 1'])
  enter('unknown')
  leases.extend('t', 90_000)
  leases.awaitMachine('w', ['t'], 1_000)
  clock.advance(89_999)
  assert.deepEqual(expired(), [])
})

test('while machines wait for an answer, the tasks of a lost one wait too, for half a minute at most', () => {
  const { clock, crowd, enter, expired } = open()
  enter('running')
  enter('unknown')
  crowd.isThere = true
  clock.advance(29_999)
  assert.deepEqual(expired(), [])
  clock.advance(1)
  assert.deepEqual(expired(), ['WORKER_DISCONNECTED 1'])
})
