import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#agent/engine/seam/random.ts'

const drawn = (seed: number, stream = 0, count = 4) => {
  const random = seededRandom(seed, stream)
  return Array.from({ length: count }, random.unit)
}

test('each seed and stream has its own sequence', () => {
  assert.deepEqual(drawn(7), drawn(7))
  const starts = [drawn(7), drawn(8), drawn(7, 1), drawn(0), drawn(0xffff_ffff)].map((numbers) => numbers.join())
  assert.equal(new Set(starts).size, starts.length)
})

test('the numbers never change between releases', () => {
  assert.deepEqual(drawn(7, 0, 3), [0.023378421552479267, 0.17787706130184233, 0.04765840223990381])
})

test('normal numbers have mean 0 and variance 1 and are all finite', () => {
  const random = seededRandom(1)
  const numbers = Array.from({ length: 20_000 }, random.gaussian)
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length
  const variance = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length
  assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.04, `${mean} ${variance}`)
  assert.ok(numbers.every(Number.isFinite))
})
