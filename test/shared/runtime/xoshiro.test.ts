import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createXoshiro } from '#shared/runtime/xoshiro.ts'

const draw = (seed: number, count: number) => {
  const next = createXoshiro(seed)
  return Array.from({ length: count }, next)
}

test('a seed is a stream, and neighbouring seeds are strangers', () => {
  assert.deepEqual(draw(7, 20), draw(7, 20))
  assert.ok(draw(7, 20).every((value, at) => value !== draw(8, 20)[at]))
  assert.equal(new Set(draw(0, 10_000)).size > 9_990, true)
})

test('the numbers are even in [0, 1)', () => {
  const values = draw(0, 100_000)
  assert.ok(values.every((value) => value >= 0 && value < 1))
  const bins = new Array<number>(20).fill(0)
  for (const value of values) bins[Math.floor(value * 20)]!++
  const chi = bins.reduce((sum, count) => sum + (count - 5_000) ** 2 / 5_000, 0)
  assert.ok(chi < 60, `chi square ${chi} of 19 degrees of freedom`)
})
