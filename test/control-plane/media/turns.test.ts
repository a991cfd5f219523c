import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from '#control-plane/media/turns.ts'

const never = new AbortController().signal

test('work waits for its turn, leaves the queue with its signal, and is refused when too much waits', async () => {
  const inTurn = createTurns(1, { mostWaiting: 2, refuse: () => new Error('full') })
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const running = inTurn(never, () => first.promise)
  const abort = new AbortController()
  const left = inTurn(abort.signal, async () => order.push('left'))
  const second = inTurn(never, async () => order.push('second'))
  await assert.rejects(
    inTurn(never, async () => order.push('refused')),
    /full/,
  )
  abort.abort(new Error('left'))
  await assert.rejects(left, /left/)
  first.resolve()
  await Promise.all([running, second])
  await assert.rejects(
    inTurn(never, () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  await inTurn(never, async () => order.push('third'))
  assert.deepEqual(order, ['second', 'third'])
})
