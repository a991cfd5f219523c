// Memory that was used once is returned to the system.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesPassed, collectGarbage } from '#shared/runtime/collect-garbage.ts'

const MIB = 2 ** 20

test('the heap has little unused memory after a collection', () => {
  let kept: unknown[] | null = Array.from({ length: 600_000 }, (_, at) => ({ at, text: `object ${at}` }))
  const before = process.memoryUsage()
  assert.ok(before.heapUsed > 30 * MIB, `${kept.length} objects have ${before.heapUsed} bytes`)
  kept = null
  collectGarbage()
  const { heapTotal, heapUsed } = process.memoryUsage()
  assert.ok(heapUsed < before.heapUsed - 20 * MIB, `${heapUsed} of ${before.heapUsed} bytes are used`)
  assert.ok(heapTotal - heapUsed < 10 * MIB, `${heapTotal - heapUsed} bytes are unused`)
})

test('buffers that pass do not pile up', () => {
  const piece = 48_000
  let most = 0
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 4_000; count++) {
    const buffer = new Uint8Array(piece)
    buffer[count % piece] = 1
    bytesPassed(piece)
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  assert.ok(most < 16 * MIB, `${most} bytes were kept`)
})
