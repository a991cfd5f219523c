import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventQueue } from '#agent/engine/seam/event-queue.ts'

const open = () => {
  const seen = { taken: [] as number[], abandoned: 0 }
  const queue = createEventQueue<number>(
    (event) => seen.taken.push(event),
    () => seen.abandoned++,
  )
  return { queue, seen }
}

test('returns events in order and reports when they are consumed', async () => {
  const { queue, seen } = open()
  queue.push(1)
  const first = queue.events.next()
  const second = queue.events.next()
  queue.push(2)
  queue.push(3)
  assert.deepEqual([(await first).value, (await second).value], [1, 2])
  assert.deepEqual(seen.taken, [1, 2])
  queue.end()
  queue.push(4)
  const rest: number[] = []
  for await (const event of queue.events) rest.push(event)
  assert.deepEqual(rest, [3])
  assert.equal(seen.abandoned, 0)
})

test('a failure replaces pending events and is thrown once', async () => {
  const { queue } = open()
  queue.push(1)
  queue.fail(new Error('broken'))
  queue.end()
  await assert.rejects(queue.events.next(), /broken/)
  assert.equal((await queue.events.next()).done, true)
})

test('leaving early is reported once, leaving after the end is not', async () => {
  const { queue, seen } = open()
  queue.push(1)
  queue.push(2)
  for await (const event of queue.events) if (event === 1) break
  queue.push(3)
  await queue.events.return!()
  assert.equal((await queue.events.next()).done, true)
  assert.equal(seen.abandoned, 1)

  const ended = open()
  ended.queue.end()
  await ended.queue.events.return!()
  assert.equal(ended.seen.abandoned, 0)
})
