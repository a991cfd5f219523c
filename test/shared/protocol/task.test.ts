import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'
import { EDGES, HELD, isPinnedTask, type Kind, ON_ENTER, PHASES, step, type Task, type TaskEvent, TERMINAL } from '#shared/protocol/task.ts'
import { task as newTask } from '#test/support/builders/task.ts'

const fresh = newTask()
const run = (task: Task, ...events: TaskEvent[]): Task =>
  events.reduce((t, e) => {
    const next = step(t, e)
    assert.ok(next.ok, `${t.phase} refuses ${e.kind}`)
    return next.task
  }, task)
const offer = (workerId: string): TaskEvent => ({ kind: 'offer', workerId, attemptId: `a-${workerId}` })
const broken = { code: 'ENGINE_CRASHED', message: 'died' } as const

test('a result of a superseded attempt is refused', () => {
  const second = run(
    fresh,
    offer('w1'),
    { kind: 'accept', epoch: 1 },
    { kind: 'start', epoch: 1 },
    { kind: 'link-lost', epoch: 1 },
    { kind: 'lost', epoch: 1, code: 'WORKER_DISCONNECTED', message: 'gone' },
    offer('w2'),
  )
  assert.deepEqual(step(second, { kind: 'complete', epoch: 1 }), { ok: false, reason: 'stale-epoch' })
  assert.deepEqual(second.avoided, ['w1'])
})

test('an offer that is not accepted costs no attempt', () => {
  for (const event of [
    { kind: 'decline', epoch: 1, code: 'WORKER_AT_CAPACITY', message: 'full' },
    { kind: 'lease-expired', epoch: 1, code: 'ACCEPT_TIMEOUT', message: 'no answer' },
  ] as const) {
    const back = run(fresh, offer('w1'), event)
    assert.deepEqual([back.phase, back.attempt, back.epoch], ['queued', 0, 1])
  }
  const unheard = run(
    fresh,
    offer('w1'),
    { kind: 'link-lost', epoch: 1 },
    { kind: 'lost', epoch: 1, code: 'WORKER_DISCONNECTED', message: '' },
  )
  assert.deepEqual([unheard.phase, unheard.attempt], ['queued', 0])
})

test('three failed attempts fail the task, with its own code for a pinned task', () => {
  const once = (task: Task) =>
    run(task, offer('w'), { kind: 'accept', epoch: task.epoch + 1 }, { kind: 'fail', epoch: task.epoch + 1, ...broken })
  const free = once(once(once(fresh)))
  assert.deepEqual([free.phase, free.failure?.code], ['failed', 'ENGINE_CRASHED'])
  const pinned = once(once(once({ ...fresh, target: 'w' })))
  assert.deepEqual([pinned.phase, pinned.failure?.code], ['failed', 'PINNED_WORKER_EXHAUSTED'])
})

test('a deadline ends as timed_out, a cancel as cancelled, and a late result changes neither', () => {
  const held = run(fresh, offer('w'), { kind: 'accept', epoch: 1 }, { kind: 'start', epoch: 1 })
  const late = run(held, { kind: 'deadline' }, { kind: 'complete', epoch: 1 })
  assert.deepEqual([late.phase, late.failure?.code], ['timed_out', 'TASK_DEADLINE_EXCEEDED'])
  assert.equal(run(held, { kind: 'cancel' }, { kind: 'complete', epoch: 1 }).phase, 'cancelled')
})

test('the pinned task of a revoked worker is released to any worker without cost', () => {
  const held = run({ ...fresh, target: 'w' }, offer('w'), { kind: 'accept', epoch: 1 }, { kind: 'start', epoch: 1 })
  const back = run(held, { kind: 'release', epoch: 1, retarget: 'auto', code: 'WORKER_REMOVED', message: 'revoked' })
  assert.deepEqual([back.phase, back.target, back.attempt, back.avoided], ['queued', 'auto', 0, ['w']])
})

test('a restored link returns to the interrupted phase', () => {
  const loading = run(fresh, offer('w'), { kind: 'accept', epoch: 1 })
  assert.equal(run(loading, { kind: 'link-lost', epoch: 1 }, { kind: 'found', epoch: 1 }).phase, 'loading')
})

test('random walks use every edge and no other, and keep the invariants', () => {
  let seed = 7
  const pick = (n: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed >>> 12) % n // high bits: the low ones cycle
  }
  const codes = Object.keys(FAILURES) as FailureCode[]
  const reached = new Set<string>()
  for (let walk = 0; walk < 30_000; walk++) {
    let task: Task = { ...fresh, maxAttempts: 1 + pick(3), target: pick(3) === 0 ? 'w0' : 'auto' }
    for (let i = 0; i < 32; i++) {
      const epoch = pick(8) ? task.epoch : pick(5)
      const fault = { code: pick(3) ? codes[pick(codes.length)]! : 'EXECUTION_TIMEOUT', message: 'm' }
      const events: TaskEvent[] = [
        { kind: 'offer', workerId: `w${pick(3)}`, attemptId: `a${i}` },
        { kind: 'refuse', ...fault },
        { kind: 'retarget', target: 'auto' },
        { kind: 'cancel' },
        { kind: 'deadline' },
        { kind: 'accept', epoch },
        { kind: 'decline', epoch, ...fault },
        { kind: 'start', epoch },
        { kind: 'deliver', epoch },
        { kind: 'complete', epoch },
        { kind: 'fail', epoch, ...fault },
        { kind: 'cancel-confirmed', epoch },
        { kind: 'lease-expired', epoch, code: pick(2) ? 'EXECUTION_TIMEOUT' : 'ACCEPT_TIMEOUT', message: 'm' },
        { kind: 'lease-expired', epoch, ...fault },
        { kind: 'link-lost', epoch },
        { kind: 'found', epoch },
        { kind: 'lost', epoch, ...fault },
        { kind: 'release', epoch, retarget: pick(2) ? 'auto' : null, ...fault },
      ]
      // Mostly forward, so that deep phases are visited often enough.
      const steps: Kind[] = ['offer', 'accept', 'start', 'deliver']
      const forward: Kind[] = [...steps, ...steps, 'link-lost', 'found', 'fail', 'lease-expired', 'lost', 'release']
      const likely = forward[pick(forward.length)]
      const event = pick(3) ? events.find((e) => e.kind === likely)! : events[pick(events.length)]!
      const next = step(task, event)
      if (!next.ok) {
        assert.ok(!('epoch' in event) || event.epoch === task.epoch || next.reason === 'stale-epoch')
        continue
      }
      const after = next.task
      reached.add(`${task.phase} ${event.kind} ${after.phase}`)
      assert.equal(after.epoch, event.kind === 'offer' ? task.epoch + 1 : task.epoch, 'only an offer moves the epoch, and only up')
      assert.ok(after.attempt >= 0 && after.attempt <= after.maxAttempts, `attempts stay in bounds: ${after.attempt} after ${event.kind}`)
      assert.equal(after.workerId !== null, HELD.has(after.phase), 'held means owned')
      assert.equal(after.attemptId !== null, HELD.has(after.phase), 'held means an attempt')
      assert.equal(after.interrupted !== null, after.phase === 'unknown', 'unknown remembers what was interrupted')
      assert.equal(
        after.stopping !== null || after.phase === 'timed_out',
        ['cancelling', 'cancelled', 'timed_out'].includes(after.phase),
        'stopping means asked to',
      )
      if (['failed', 'timed_out'].includes(after.phase)) assert.ok(after.failure, 'failed means explained')
      if (['queued', 'succeeded', 'cancelled'].includes(after.phase)) assert.equal(after.failure, null)
      if (isPinnedTask(after)) assert.equal(after.target, 'w0')
      task = after
    }
  }
  const drawn = PHASES.flatMap((p) => Object.entries(EDGES[p]).flatMap(([k, to]) => to.map((t) => `${p} ${k} ${t}`)))
  assert.deepEqual([...reached].sort(), drawn.sort())
})

test('a terminal phase has no edge, and every phase has its effect', () => {
  for (const phase of PHASES) {
    assert.equal(TERMINAL.has(phase), Object.keys(EDGES[phase]).length === 0)
    assert.ok(phase in ON_ENTER)
    if (TERMINAL.has(phase)) assert.equal(ON_ENTER[phase], 'settle')
  }
})
