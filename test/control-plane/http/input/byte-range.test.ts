import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanOf } from '#control-plane/http/input/byte-range.ts'

test('a range is the part that exists; several ranges and other units are all', () => {
  assert.deepEqual(spanOf('bytes=0-', 10), { from: 0, to: 9 })
  assert.deepEqual(spanOf('bytes=3-99', 10), { from: 3, to: 9 })
  assert.deepEqual(spanOf('BYTES=3-4', 10), { from: 3, to: 4 })
  assert.deepEqual(spanOf('bytes=-4', 10), { from: 6, to: 9 })
  assert.deepEqual(spanOf('bytes=-40', 10), { from: 0, to: 9 })
  for (const beyond of ['bytes=10-', 'bytes=-0']) assert.equal(spanOf(beyond, 10), 'beyond')
  for (const all of [undefined, '', 'bytes=-', 'bytes=5-3', 'bytes=0-1,3-4', 'items=0-1', `bytes=${'1'.repeat(99)}-`])
    assert.equal(spanOf(all, 10), null, all)
})
