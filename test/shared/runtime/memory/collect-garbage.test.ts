// Memory that was used once is returned to the system.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { collectGarbage } from '#shared/runtime/memory/collect-garbage.ts'
import { type Passed, passBuffers } from '#test/support/starting/pass-buffers.ts'

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

test('buffers that pass through a thread do not pile up', async () => {
  const thread = new Worker(new URL('../../../support/starting/pass-buffers.ts', import.meta.url))
  const [{ mostBytes, minor }] = (await once(thread, 'message')) as [Passed]
  assert.ok(mostBytes < 16 * MIB, `${mostBytes} bytes were kept`)
  assert.ok(minor > 40, `${minor} collections`)
})

test('the main thread asks for no collection, which would end a full one that is under way', async () => {
  const { minor } = await passBuffers()
  assert.ok(minor < 40, `${minor} collections`)
})
