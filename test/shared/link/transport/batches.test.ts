import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentCodecs } from '#shared/link/rpc.ts'
import { createBatches } from '#shared/link/transport/batches.ts'
import { MESSAGE_LIMIT_BYTES } from '#shared/link/transport/options.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EXCHANGE_LIMITS, weightOf } from '#shared/protocol/run-messages.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function open() {
  const clock = createFakeClock()
  const sent: number[][] = []
  const batches = createBatches<number>((frames) => void sent.push(frames), clock)
  return { ...batches, clock, sent }
}

test('the urgent frames of one callback leave in one message, with the waiting ones before them', async () => {
  const { add, sent } = open()
  add(1, 10, 'soon')
  await turn()
  assert.deepEqual(sent, [])
  add(2, 10, 'urgent')
  add(3, 10, 'soon')
  add(4, 10, 'urgent')
  assert.deepEqual(sent, [])
  await turn()
  assert.deepEqual(sent, [[1, 2, 3, 4]])
  await turn()
  assert.equal(sent.length, 1)
})

test('urgent frames leave with the promises of their callback, before another turn of the loop', async () => {
  const { add, sent } = open()
  const atNextTurn = new Promise<number[][]>((resolve) => setImmediate(() => resolve([...sent])))
  add(1, 10, 'urgent')
  await Promise.resolve()
  add(2, 10, 'urgent')
  assert.deepEqual(await atNextTurn, [[1, 2]])
})

test('a frame that is not urgent leaves after 10 ms', async () => {
  const { add, clock, sent } = open()
  add(1, 10, 'soon')
  clock.advance(5)
  add(2, 10, 'soon')
  assert.deepEqual(sent, [])
  clock.advance(5)
  assert.deepEqual(sent, [[1, 2]])
  add(3, 10, 'soon')
  clock.advance(10)
  assert.deepEqual(sent, [[1, 2], [3]])
})

test('a message has at most 256 frames and 256 KiB, in order', async () => {
  const { add, sent } = open()
  for (let frame = 0; frame < 600; frame++) add(frame, 1, 'urgent')
  await turn()
  assert.deepEqual(
    sent.map(({ length }) => length),
    [256, 256, 88],
  )
  assert.deepEqual(
    sent.flat(),
    Array.from({ length: 600 }, (_, frame) => frame),
  )
  sent.length = 0
  for (let frame = 0; frame < 20; frame++) add(frame, 32 * 1024, 'urgent')
  await turn()
  assert.deepEqual(
    sent.map(({ length }) => length),
    [8, 8, 4],
  )
})

test('the largest message of each kind of event is below the limits of the link', () => {
  const facts: readonly Wire<'Event'>[] = [
    { seq: 1, fact: 'accepted', accepted: {} },
    { seq: 1, fact: 'progress', progress: { progress: 0.5, stage: '', keepalive: true } },
    { seq: 1, fact: 'loading', loading: { progress: 0.5, detail: '日'.repeat(2000) } },
    { seq: 1, fact: 'output', output: { part: 1, offset: 2 ** 40, payload: Buffer.alloc(10) } },
    { seq: 1, fact: 'completed', completed: { result_json: Buffer.from('{}'), sha256: Buffer.alloc(32), size: 2 ** 40 } },
    { seq: 1, fact: 'failed', failed: { code: 'WORKER_FAILED', message: 'm' } },
  ]
  for (const event of facts) {
    const most = Math.floor(EXCHANGE_LIMITS.bytes / weightOf({ events: [event] })) * 2
    const frame: Wire<'OutputFrame'> = { run: 1, step: 'output', output: { events: Array.from({ length: most }, () => event) } }
    const bytes = agentCodecs.exchange.responseSerialize({ frames: [frame] })
    assert.ok(bytes.length < MESSAGE_LIMIT_BYTES)
    assert.equal(agentCodecs.exchange.responseDeserialize(bytes).frames.length, 1)
  }
})
