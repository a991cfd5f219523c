import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLineRing } from '#shared/runtime/line-ring.ts'

test('the last lines are kept, numbered as they were written', () => {
  const ring = createLineRing(3)
  ring.take('one\ntwo\n')
  ring.take('three\n')
  ring.take('four\n')
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

test('a line without measure is counted and not kept', () => {
  const ring = createLineRing()
  ring.take(`${'x'.repeat(9000)}\n`)
  ring.take('short\n')
  assert.deepEqual(ring.after(0), [{ seq: 2, text: 'short' }])
})

test('whoever waits is woken by a line, or by giving up', async () => {
  const ring = createLineRing()
  const patience = new AbortController()
  const woken = ring.changed(patience.signal)
  ring.take('line\n')
  await woken
  const waiting = ring.changed(patience.signal)
  patience.abort()
  await waiting
  await ring.changed(patience.signal)
})
