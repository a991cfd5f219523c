import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportBegun, reportOutcomes, withdrawOffers } from '#control-plane/scheduler/outcome.ts'
import type { Change } from '#control-plane/tasks/record.ts'
import { createRejections } from '#control-plane/workers/rejections.ts'
import { step, type TaskEvent } from '#shared/protocol/task.ts'
import { recordOf } from '#test/support/doubles/record.ts'

/** Reports to the breakers about one task with these events. `isUndone`: its admission was not written, nor what followed. */
function reportsOf(events: readonly TaskEvent[], isUndone = false, rejections = createRejections()): unknown[] {
  const heard: unknown[] = []
  const breakers = {
    began: ({ workerId, modelKey, attemptId }: Record<string, unknown>) => void heard.push(['began', workerId, modelKey, attemptId]),
    ended: ({ attemptId }: Record<string, unknown>, succeeded: boolean, fault: unknown) =>
      void heard.push(['ended', attemptId, succeeded, (fault as { code?: string } | null)?.code ?? null]),
  }
  let record = recordOf('t', { engine: 'tone', model: 'm' })
  const changes: Change[] = [{ record, before: null, event: null }]
  for (const event of events) {
    const next = step(record.task, event)
    assert.ok(next.ok)
    const before = record.task
    record = { ...record, task: next.task }
    changes.push({ record, before, event })
  }
  reportOutcomes(breakers, rejections, changes)
  if (isUndone) withdrawOffers(breakers, changes)
  return heard
}
const told = (...events: TaskEvent[]) => reportsOf(events)
const offer = { kind: 'offer', workerId: 'w0', attemptId: 'a' } as const
const began = ['began', 'w0', 'tone:m', 'a']
const epoch = 1
const crash = { kind: 'fail', epoch, code: 'ENGINE_CRASHED', message: 'it died' } as const

test('an attempt begins with its offer and ends when it is no longer held', () => {
  const work = [offer, { kind: 'accept', epoch }, { kind: 'start', epoch }] as const
  assert.deepEqual(told(...work), [began])
  assert.deepEqual(told(...work, { kind: 'complete', epoch }), [began, ['ended', 'a', true, null]])
  assert.deepEqual(told(...work, crash), [began, ['ended', 'a', false, 'ENGINE_CRASHED']])
  assert.deepEqual(told(offer, { kind: 'decline', epoch, code: 'WORKER_AT_CAPACITY', message: '' }), [
    began,
    ['ended', 'a', false, 'WORKER_AT_CAPACITY'],
  ])
  assert.deepEqual(told(offer, { kind: 'lease-expired', epoch, code: 'ACCEPT_TIMEOUT', message: '' }), [
    began,
    ['ended', 'a', false, 'ACCEPT_TIMEOUT'],
  ])
})

test('a broken link is not the end of an attempt; its loss is charged to the worker that held it', () => {
  const lost = { kind: 'lost', epoch, code: 'WORKER_DISCONNECTED', message: '' } as const
  assert.deepEqual(told(offer, { kind: 'link-lost', epoch }), [began])
  assert.deepEqual(told(offer, { kind: 'link-lost', epoch }, lost), [began, ['ended', 'a', false, 'WORKER_DISCONNECTED']])
})

test('the end of a stopped attempt is no evidence', () => {
  const work = [offer, { kind: 'accept', epoch }, { kind: 'start', epoch }, { kind: 'cancel' }] as const
  const nothing = [began, ['ended', 'a', false, null]]
  assert.deepEqual(told(...work, crash), nothing)
  assert.deepEqual(told(...work, { kind: 'complete', epoch }), nothing)
  assert.deepEqual(told(...work, { kind: 'cancel-confirmed', epoch }), nothing)
})

test('an offer that was not written is no evidence', () => {
  assert.deepEqual(reportsOf([offer], true), [began, ['ended', 'a', false, null]])
})

test('a machine is blamed for a request that it rejected and another one fulfilled, and not before', () => {
  const rejections = createRejections()
  const reject = { kind: 'fail', epoch, code: 'WORKER_REJECTED', message: 'No such voice.' } as const
  const second = { ...offer, workerId: 'w1', attemptId: 'b' }
  const begun = [offer, { kind: 'accept', epoch }, reject, second, { kind: 'accept', epoch: 2 }, { kind: 'start', epoch: 2 }] as const
  const rejected = [began, ['ended', 'a', false, 'WORKER_REJECTED'], ['began', 'w1', 'tone:m', 'b']]
  const given = () => rejections.add('t', { workerId: 'w0', attemptId: 'a', code: 'INVALID_TASK_PARAMS', message: 'No such voice.' })
  given()
  assert.deepEqual(reportsOf(begun, false, rejections), rejected)
  assert.deepEqual(reportsOf([...begun, { kind: 'complete', epoch: 2 }], false, rejections), [
    ...rejected,
    ['ended', 'a', false, 'WORKER_FAILED'],
    ['ended', 'b', true, null],
  ])
  assert.deepEqual(rejections.of('t'), [], 'it is forgotten with its task')
  given()
  const bad = { kind: 'fail', epoch: 2, code: 'INVALID_TASK_PARAMS', message: 'No such voice.' } as const
  assert.deepEqual(reportsOf([...begun, bad], false, rejections), [...rejected, ['ended', 'b', false, 'INVALID_TASK_PARAMS']])
})

test('a waiting task reports nothing', () => {
  assert.deepEqual(told({ kind: 'cancel' }), [])
  const heard: unknown[] = []
  const breakers = { began: (tried: unknown) => void heard.push(tried), ended: () => {} }
  reportBegun(breakers, recordOf('t'))
  reportBegun(breakers, recordOf('t', {}, { phase: 'unknown', interrupted: 'running', workerId: 'w1', attemptId: 'b' }))
  assert.deepEqual(heard, [{ workerId: 'w1', attemptId: 'b', modelKey: 'svc-engine:' }])
})
