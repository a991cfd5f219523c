import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillCounts } from '#agent/engine/tts/omnivoice/loop/schedule.ts'

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

test('the published schedules are reproduced exactly', () => {
  assert.equal(fillCounts(8 * 25, 16, 0.1).join(' '), '2 2 2 2 3 3 4 4 5 6 8 11 15 22 38 73')
  assert.equal(fillCounts(8 * 375, 16, 0.1).join(' '), '20 23 26 30 34 40 47 57 70 87 113 152 215 329 565 1192')
  assert.deepEqual(fillCounts(8, 32, 0.1), [...Array(8).fill(1), ...Array(24).fill(0)])
})

test('every cell is filled once, and no step follows the last cell', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4_000 }),
      fc.integer({ min: 1, max: 512 }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      (frames, steps, shift) => {
        const counts = fillCounts(8 * frames, steps, shift)
        assert.equal(counts.length, steps)
        assert.equal(sum(counts), 8 * frames)
        assert.ok(counts.every((count) => Number.isInteger(count) && count >= 0))
      },
    ),
  )
})

test('a shift below one gives increasing counts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 64 }),
      fc.double({ min: 0.01, max: 0.9 }),
      (frames, steps, shift) => {
        const counts = fillCounts(8 * frames, steps, shift)
        // The last steps may find less than their share, because every step before was rounded up; and rounding up may differ by one.
        let left = 8 * frames
        for (let n = 1; n < steps; n++) {
          left -= counts[n - 1]!
          assert.ok(counts[n]! >= counts[n - 1]! - 1 || counts[n] === left || n === steps - 1, counts.join(' '))
        }
      },
    ),
  )
})

test('one step fills everything', () => {
  assert.deepEqual(fillCounts(200, 1, 0.1), [200])
})
