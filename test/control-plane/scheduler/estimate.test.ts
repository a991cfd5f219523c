import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEstimates } from '#control-plane/scheduler/estimate.ts'
import { step, type TaskEvent } from '#shared/protocol/task.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { recordOf } from '#test/support/doubles/record.ts'

function open() {
  const clock = createFakeClock()
  const estimates = createEstimates(clock)
  let serial = 0
  /** One attempt of 100 characters on w0: [what happens, after how long]. */
  const attempt = (...story: [kind: 'accept' | 'start' | 'complete' | 'fail', afterMs: number][]) => {
    let record = recordOf(`t${serial}`, { size: 100 })
    const apply = (event: TaskEvent) => {
      const before = record.task
      const next = step(before, event)
      assert.ok(next.ok)
      record = { ...record, task: next.task }
      estimates.follow([{ record, before, event }])
    }
    apply({ kind: 'offer', workerId: 'w0', attemptId: `a${serial++}` })
    for (const [kind, afterMs] of story) {
      clock.advance(afterMs)
      apply({ kind, epoch: 1, code: 'ENGINE_CRASHED', message: '' } as TaskEvent)
    }
  }
  const measured = (workerId = 'w0') => estimates.measured(workerId, 'svc-engine', '', 'tts')
  return {
    attempt,
    measured,
    sinceMs: estimates.sinceMs,
    advance: clock.advance,
    of: (workerId = 'w0') => estimates.of(workerId, 'svc-engine', '', 'tts'),
  }
}

test('before the first measurement the priors apply, for each machine separately', () => {
  const { attempt, of } = open()
  assert.deepEqual(of(), { loadMs: 5_000, msPerUnit: 10 })
  attempt(['accept', 0], ['start', 1_000], ['complete', 200])
  assert.deepEqual(of('w1'), { loadMs: 5_000, msPerUnit: 10 })
})

test('estimates come closer to what is measured with every task', () => {
  const { attempt, of } = open()
  attempt(['accept', 0], ['start', 1_000], ['complete', 200])
  assert.deepEqual(of(), { loadMs: 5_000 - 0.3 * 4_000, msPerUnit: 10 - 0.3 * 8 })
  for (let index = 0; index < 30; index++) attempt(['accept', 50], ['start', 1_000], ['complete', 200])
  assert.ok(Math.abs(of().loadMs - 1_000) < 1 && Math.abs(of().msPerUnit - 2) < 0.01)
})

test('a failed attempt does not change the estimates', () => {
  const { attempt, of } = open()
  attempt(['accept', 0], ['start', 0], ['fail', 3])
  attempt(['accept', 0], ['start', 90_000], ['fail', 3])
  assert.deepEqual(of(), { loadMs: 5_000, msPerUnit: 10 })
})

test('nothing counts as measured until a task has finished there, and a phase is as old as the time since it began', () => {
  const { attempt, measured, sinceMs, advance } = open()
  attempt(['accept', 0], ['start', 1_000], ['fail', 3])
  assert.equal(measured(), null)
  attempt(['accept', 0], ['start', 1_000], ['complete', 200])
  assert.notEqual(measured(), null)
  assert.equal(measured('w1'), null)
  attempt(['accept', 0], ['start', 1_000])
  advance(700)
  assert.equal(sinceMs('a2'), 700)
  assert.equal(sinceMs('a1'), null, 'it has ended')
})
