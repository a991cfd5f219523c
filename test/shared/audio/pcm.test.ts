import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createS16Reader, fromS16, s16In, toS16 } from '#shared/audio/pcm.ts'
import { concat } from '#shared/audio/stage.ts'

test('every 16-bit value survives a round trip', () => {
  const all = new Uint8Array(2 ** 17)
  new Uint16Array(all.buffer).forEach((_, i, words) => {
    words[i] = i
  })
  assert.deepEqual(toS16(fromS16(all)), all)
})

test('samples are rounded and clamped, and NaN becomes silence', () => {
  const bytes = toS16(Float32Array.of(1, 2, -1, -2, 0.5, 0.4 / 32768, 0.6 / 32768, Number.NaN))
  assert.deepEqual([...new Int16Array(bytes.buffer)], [32767, 32767, -32768, -32768, 16384, 0, 1, 0])
})

test('a sample that is split between chunks is joined', () => {
  const bytes = toS16(Float32Array.from({ length: 500 }, (_, i) => Math.sin(i)))
  for (const size of [1, 2, 3, 7, 999]) {
    const reader = createS16Reader()
    const parts: Float32Array[] = []
    for (let at = 0; at < bytes.length; at += size) parts.push(reader.push(bytes.subarray(at, at + size)), reader.push(new Uint8Array(0)))
    assert.deepEqual(concat(parts), fromS16(bytes), `pieces of ${size}`)
  }
})

test('bytes are read as integers at even and odd addresses, without a trailing odd byte', () => {
  const bytes = new Uint8Array([9, 0x34, 0x12, 0xff, 0x7f, 0x00, 0x80, 7])
  assert.deepEqual([...s16In(bytes.subarray(1))], [0x1234, 32767, -32768])
  const even = bytes.slice(1, 7)
  assert.deepEqual([...s16In(even)], [0x1234, 32767, -32768])
  assert.equal(s16In(even).buffer, even.buffer)
  assert.equal(s16In(new Uint8Array(1)).length, 0)
})
