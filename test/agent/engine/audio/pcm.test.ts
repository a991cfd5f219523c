import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromS16le, toS16le } from '#agent/engine/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'

test('all 65536 values survive a round trip through floats', () => {
  const every = Int16Array.from({ length: 65_536 }, (_, at) => at - 32_768)
  const bytes = Buffer.from(every.buffer)
  assert.ok(toS16le(fromS16le(bytes)).equals(bytes))
})

test('is little-endian, rounds and clamps', () => {
  assert.deepEqual([...toS16le(Float32Array.of(0, 0.5, -1))], [0, 0, 0, 0x40, 0, 0x80])
  assert.deepEqual([...toS16le(Float32Array.of(1, 7, -7))], [0xff, 0x7f, 0xff, 0x7f, 0, 0x80])
  assert.equal(toS16le(new Float32Array(0)).length, 0)
})

for (const bad of [Number.NaN, Infinity, -Infinity]) {
  test(`${bad} is refused`, () => {
    assert.throws(
      () => toS16le(Float32Array.of(0, bad)),
      (error) => error instanceof Failure && error.code === 'NON_FINITE_OUTPUT',
    )
  })
}
