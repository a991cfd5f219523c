import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectGarbage } from '#shared/runtime/memory/collect-garbage.ts'
import { createOwnedBytes, freeBytes } from '#shared/runtime/memory/owned-bytes.ts'

const SIZE = 32 * 1024 * 1024
const held = () => process.memoryUsage().arrayBuffers
/** Other tests of this process leave buffers, which could be freed meanwhile. The second collection ends what the first one began. */
const settled = () => {
  for (let count = 0; count < 2; count++) collectGarbage()
  return held()
}

test('memory is free at once, without a collection of garbage', () => {
  const before = settled()
  const bytes = Buffer.from(new ArrayBuffer(SIZE))
  assert.ok(held() - before >= SIZE)
  const view = bytes.subarray(10)
  freeBytes(bytes)
  assert.ok(held() - before < SIZE / 4)
  assert.deepEqual([bytes.length, view.length], [0, 0])
  const part = Buffer.from(new ArrayBuffer(8), 0, 4)
  freeBytes(part)
  assert.equal(part.length, 4, 'the memory belongs to others too')
})

test('bytes that are appended lie one after the other, in memory that grows and is free at once', () => {
  const before = settled()
  const bytes = createOwnedBytes()
  const piece = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251)
  const all = Buffer.concat(Array.from({ length: 300 }, () => piece))
  for (let from = 0; from < all.length; from += 100_000) bytes.append(piece)
  assert.equal(bytes.length, all.length)
  assert.ok(bytes.view(0, bytes.length).equals(all))
  assert.ok(bytes.view(150_000, 250_001).equals(all.subarray(150_000, 250_001)))
  bytes.free()
  assert.equal(bytes.length, 0)
  assert.ok(held() - before - all.length < SIZE / 4)
  bytes.append(Uint8Array.of(7))
  assert.deepEqual([...bytes.view(0, 1)], [7])
  bytes.free()
})
