import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createBus } from '#control-plane/events/bus.ts'
import { createEvents } from '#control-plane/features/machines/tasks/events.service.ts'
import type { Fleet } from '#control-plane/features/machines/workers/workers.schema.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { recordOf } from '#test/support/doubles/record.ts'

function open(t: TestContext) {
  const clock = createFakeClock()
  const records = new Map<string, TaskRecord>()
  const marks: AttemptMarks = new Map()
  const fleet = { enabled: true, running: true, queue_depth: 0, workers: [] as { id: string; name: string; latency_ms?: number }[] }
  let viewed = 0
  const bus = createBus({ clock })
  const events = createEvents({
    clock,
    bus,
    run: 'abc',
    marks,
    taskOf: async ({ task }) => {
      viewed++
      return { task_id: task.id } as never
    },
    taskById: async (id) => records.get(id) ?? null,
    running: () => records.values(),
    fleet: () => fleet as unknown as Fleet,
  })
  void events.start()
  t.after(events.stop)
  const change = (id: string, more: Partial<TaskRecord['task']> = {}) => {
    const record = recordOf(id, {}, more)
    records.set(id, record)
    events.committed([{ record, before: null, event: null }])
  }
  const follow = (last = '') => {
    const abort = new AbortController()
    t.after(() => abort.abort())
    const lines = events.follow(last, abort.signal)
    return {
      next: async () => /^event: (.+)\nid: (.+)\ndata: (.+)\n/.exec((await lines.next()).value as string)!,
      leave: () => abort.abort(),
    }
  }
  /** `count` ticks of the loop, each of which has run when this resolves. */
  const tick = async (count = 1) => {
    for (let index = 0; index < count; index++) {
      clock.advance(1_000) // the interval of the loop without followers
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { events, bus, marks, fleet, change, follow, tick, viewed: () => viewed }
}

test('a slow follower gets a reset and continues from there', async (t) => {
  const { change, follow, tick } = open(t)
  const slow = follow()
  for (let round = 0; round < 8; round++) {
    for (let index = 0; index < 150; index++) change(`t${index}`)
    await tick()
  }
  const [, kind, id] = await slow.next()
  assert.equal(kind, 'reset')
  assert.notEqual(id, 'abc-0', 'it differs from the id of the first event')
  const again = follow(id)
  change('t777')
  await tick()
  for (let remaining = 1024; ; remaining--) {
    assert.ok(remaining > 0)
    if ((await again.next())[3] === '{"task_id":"t777"}') break
  }
})

test('followers beyond the limit are refused until another disconnects', (t) => {
  const { follow } = open(t)
  const first = follow()
  for (let index = 1; index < 64; index++) follow()
  assert.throws(
    () => follow(),
    (error) => error instanceof Failure && error.code === 'QUEUE_FULL' && /at most 64 places/.test(error.message),
  )
  first.leave()
  follow()
})

test('many changes between two ticks become one event', async (t) => {
  const { change, follow, tick, viewed } = open(t)
  const follower = follow()
  await follower.next()
  for (let index = 0; index < 5_000; index++) change(`t${index}`)
  await tick()
  const [, kind, , body] = await follower.next()
  assert.deepEqual([kind, body], ['tasks', '{"changed":5000}'])
  assert.equal(viewed(), 0)
})

test('a tick examines only tasks with changes, no waiting or unchanged ones', async (t) => {
  const { change, follow, tick, marks, viewed } = open(t)
  await follow().next()
  marks.set('a1', { progress: 0.1, stage: 'speaking' })
  for (let index = 0; index < 100; index++) change(`t${index}`)
  change('t500', { phase: 'running', attemptId: 'a1', workerId: 'w0' })
  await tick()
  const before = viewed()
  await tick(8)
  assert.equal(viewed(), before)
  marks.set('a1', { progress: 0.2, stage: 'speaking' })
  await tick()
  assert.equal(viewed(), before + 1)
})

test('the first follower gets events for changed machines only', async (t) => {
  const { fleet, follow, tick } = open(t)
  fleet.workers = Array.from({ length: 1_000 }, (_, index) => ({ id: `w${index}`, name: 'box' }))
  const follower = follow()
  assert.equal((await follower.next())[1], 'reset')
  await tick(8)
  fleet.workers[7] = { id: 'w7', name: 'renamed' }
  await tick(8)
  const [, kind, , body] = await follower.next()
  assert.deepEqual([kind, body], ['worker', '{"id":"w7","name":"renamed"}'])
})

test('a small change of latency is no event, a doubled latency is', async (t) => {
  const { fleet, follow, tick } = open(t)
  const answers = async (latency_ms: number) => {
    fleet.workers = [{ id: 'w0', name: 'box', latency_ms }]
    await tick(8)
  }
  fleet.workers = [{ id: 'w0', name: 'box', latency_ms: 10 }]
  const follower = follow()
  await follower.next()
  for (const small of [1, 29, 14]) await answers(small)
  await answers(80)
  for (const small of [61, 100]) await answers(small)
  await answers(30)
  assert.match((await follower.next())[3]!, /"latency_ms":80/)
  assert.match((await follower.next())[3]!, /"latency_ms":30/)
})

test('a reader of the bus gets a hint with only the id for each changed or removed machine', async (t) => {
  const { bus, fleet, tick } = open(t)
  fleet.workers = [{ id: 'w0', name: 'attic' }]
  const hints = bus.listen(new AbortController().signal)
  await tick(4)
  fleet.workers = [{ id: 'w0', name: 'cellar' }]
  await tick(4)
  const { value: changed } = await hints.next()
  assert.deepEqual({ ...changed, at: 0 }, { kind: 'worker', action: 'updated', id: 'w0', at: 0, fields: {} })
  fleet.workers = []
  await tick(4)
  const { value: removed } = await hints.next()
  assert.deepEqual({ ...removed, at: 0 }, { kind: 'worker', action: 'removed', id: 'w0', at: 0, fields: {} })
})
