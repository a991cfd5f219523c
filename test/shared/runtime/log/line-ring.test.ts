import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLineRing } from '#shared/runtime/log/line-ring.ts'

test('the newest lines are kept with their sequence numbers', () => {
  const ring = createLineRing(3)
  ring.append('one\ntwo\n')
  ring.append('three\n')
  ring.append('four\n')
  assert.deepEqual(
    ring.after(0).map(({ seq, text }) => `${seq} ${text}`),
    ['2 two', '3 three', '4 four'],
  )
  assert.deepEqual(
    ring.after(3).map(({ text }) => text),
    ['four'],
  )
  assert.equal(ring.lastSeq, 4)
})

test('a line that is too long is counted but not kept', () => {
  const ring = createLineRing()
  ring.append(`${'x'.repeat(9000)}\n`)
  ring.append('short\n')
  assert.deepEqual(ring.after(0), [{ seq: 2, text: 'short' }])
})

test('a waiting reader wakes with a new line or an abort', async () => {
  const ring = createLineRing()
  const patience = new AbortController()
  const woken = ring.changed(patience.signal)
  ring.append('line\n')
  await woken
  const waiting = ring.changed(patience.signal)
  patience.abort()
  await waiting
  await ring.changed(patience.signal)
})
