import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCrossfade, crossfade } from '#shared/audio/crossfade.ts'
import { concat } from '#shared/audio/stage.ts'
import { powerOf, seeded } from './signal.ts'

const noise = (length: number, seed: number) => {
  const random = seeded(seed)
  return Float32Array.from({ length }, () => 2 * random() - 1)
}

test('no overlap is plain joining', () => {
  const chunks = [noise(10, 1), noise(0, 2), noise(3, 3)]
  assert.deepEqual(crossfade(chunks, 0), concat(chunks))
  assert.equal(crossfade([], 100).length, 0)
})

test('a join overlaps and keeps the power of unrelated audio', () => {
  const whole = crossfade([noise(6000, 1), noise(6000, 2)], 2000)
  assert.equal(whole.length, 10_000)
  const level = powerOf(whole.subarray(4000, 6000)) / powerOf(whole.subarray(0, 2000))
  assert.ok(level > 0.85 && level < 1.15, `the power in the fade is ${level} of that outside`)
  assert.deepEqual(whole.subarray(0, 4000), noise(6000, 1).subarray(0, 4000))
})

test('a chunk shorter than the fade keeps its middle', () => {
  const whole = crossfade([new Float32Array(100), new Float32Array(11).fill(1), new Float32Array(100)], 50)
  assert.equal(whole.length, 100 + 11 + 100 - 5 - 5)
  assert.equal(whole[100], 1)
})

test('pieces of any size give the same audio as whole chunks', () => {
  const chunks = [500, 3, 80, 1, 0, 700, 40].map((length, i) => noise(length, i))
  for (const size of [1, 7, 64, 300]) {
    const join = createCrossfade(60)
    const parts = chunks.flatMap((chunk) => {
      join.begin(chunk.length)
      return Array.from({ length: Math.ceil(chunk.length / size) }, (_, index) =>
        join.push(chunk.subarray(index * size, (index + 1) * size)),
      )
    })
    assert.deepEqual(concat([...parts, join.flush()]), crossfade(chunks, 60))
  }
})

test('emitted samples are never changed by a later chunk', () => {
  const chunks = [500, 3, 80, 1, 0, 700, 40].map((length, i) => noise(length, i))
  const join = createCrossfade(60)
  const parts = chunks.map((chunk) => {
    join.begin(chunk.length)
    return join.push(chunk).slice()
  })
  assert.deepEqual(concat([...parts, join.flush()]), crossfade(chunks, 60))
  assert.ok(parts[0]!.length === 440, 'the first chunk leaves but for its fade')
})
