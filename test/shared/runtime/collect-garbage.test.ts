// Memory that was used once is returned to the system.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectGarbage } from '#shared/runtime/collect-garbage.ts'

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
