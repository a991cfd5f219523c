import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dubRegions, shareAt } from '#shared/audio/dub/regions.ts'

const RATE = 1000

test('spans get a margin of 80 ms within the film, and those that touch are one', () => {
  const spans = [
    { from: 5000, to: 6000 },
    { from: 20, to: 300 },
    { from: 6150, to: 7000 },
    { from: 6500, to: 6600 },
    { from: 8000, to: 8000 },
    { from: 9000, to: 99_000 },
  ]
  assert.deepEqual(dubRegions(spans, 10_000, RATE), [
    { from: 0, to: 380 },
    { from: 4920, to: 7080 },
    { from: 8920, to: 10_000 },
  ])
  assert.deepEqual(dubRegions([{ from: 20_000, to: 30_000 }], 10_000, RATE), [])
})

test('the share is zero outside of a region, one in it, and symmetric in between', () => {
  const region = { from: 100, to: 400 }
  const shares = Array.from({ length: 500 }, (_, at) => shareAt(region, at, RATE))
  assert.ok(shares.every((share, at) => (at < 100 || at >= 400 ? share === 0 : share > 0 && share <= 1)))
  assert.ok(shares.slice(160, 340).every((share) => share === 1))
  for (let i = 0; i < 150; i++) assert.ok(Math.abs(shares[100 + i]! - shares[399 - i]!) < 1e-12)
  assert.ok(Math.abs(shares[129]! + shares[130]! - 1) < 1e-9, 'half way in the middle of the joint')
  assert.ok(Array.from({ length: 20 }, (_, at) => shareAt({ from: 0, to: 20 }, at, RATE)).every((share) => share > 0 && share <= 1))
})
