import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createQueue, head } from '#control-plane/tasks/queue.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { type Phase, step, type Task } from '#shared/protocol/task.ts'
import { recordOf } from '#test/support/doubles/record.ts'

const order = (queue: ReturnType<typeof createQueue>) => queue.lines().map((line) => [...line.waiting.keys()])

test('equal needs wait in one line; interactive lines come first, then the oldest', () => {
  const queue = createQueue()
  const add = (id: string, wish: Parameters<typeof recordOf>[1] = {}) => queue.follow(recordOf(id, wish), null)
  add('batch', { priority: 1 })
  add('a1')
  add('b1', { engine: 'tone' })
  add('a2')
  add('pinned', { target: 'w0' })
  assert.deepEqual(order(queue), [['a1', 'a2'], ['b1'], ['pinned'], ['batch']])
  assert.equal(queue.count, 5)
  assert.equal(head(queue.lines()[0]!).id, 'a1')
})

test('a task that leaves the phase leaves its line, wherever it stood, and an empty line is gone', () => {
  const queue = createQueue()
  const records = ['t1', 't2', 't3'].map((id) => recordOf(id))
  for (const record of records) queue.follow(record, null)
  const middle = records[1]!
  const offered = step(middle.task, { kind: 'offer', workerId: 'w0', attemptId: 'a' })
  assert.ok(offered.ok)
  queue.follow({ ...middle, task: offered.task }, middle.task)
  assert.deepEqual(order(queue), [['t1', 't3']])
  for (const record of [records[0]!, records[2]!]) queue.follow({ ...record, task: { ...record.task, phase: 'cancelled' } }, record.task)
  assert.deepEqual([order(queue), queue.count], [[], 0])
})

test('a retried task goes before those that came after it', () => {
  const queue = createQueue()
  const first = recordOf('t1')
  const second = recordOf('t2')
  queue.follow(second, null)
  // Declined for lack of room: the same needs as before, but an older task.
  queue.follow({ ...first, task: { ...first.task, epoch: 1 } }, { ...first.task, phase: 'offered' })
  assert.deepEqual(order(queue), [['t1'], ['t2']])
})

test('a retargeted task changes its line', () => {
  const queue = createQueue()
  const record = recordOf('t', { target: 'w0' })
  queue.follow(record, null)
  queue.follow({ ...record, task: { ...record.task, target: 'auto' } }, record.task)
  assert.deepEqual(
    queue.lines().map(({ need }) => need.target),
    ['auto'],
  )
  assert.equal(queue.count, 1)
})

test('following every change and rebuilding give the same lines', () => {
  const moved = fc.record({
    id: fc.nat(9),
    phase: fc.constantFrom<Phase>('queued', 'queued', 'offered', 'running', 'cancelled'),
    target: fc.constantFrom('auto', 'w0'),
    avoided: fc.constantFrom([], ['w1']),
    epoch: fc.nat(1),
  })
  fc.assert(
    fc.property(fc.array(moved, { maxLength: 60 }), (moves) => {
      const queue = createQueue()
      const now = new Map<string, TaskRecord>()
      for (const { id, ...change } of moves) {
        const record = now.get(`t${id}`) ?? recordOf(`t${id}`, { priority: id % 2 ? 1 : 0 })
        const before: Task | null = now.has(`t${id}`) ? record.task : null
        const next = { ...record, task: { ...record.task, ...change } }
        now.set(`t${id}`, next)
        queue.follow(next, before)
      }
      const fresh = createQueue()
      fresh.rebuild(now.values())
      const asSets = (lines: string[][]) => lines.map((line) => [...line].sort().join()).sort()
      assert.deepEqual(asSets(order(queue)), asSets(order(fresh)))
      assert.equal(queue.count, [...now.values()].filter(({ task }) => task.phase === 'queued').length)
    }),
    { numRuns: 200, seed: 7 },
  )
})
