import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onOnsets } from '#shared/timing/onsets.ts'

const line = (start: number, end: number) => ({ start, end })
const placed = (lines: { start: number; end: number }[], onsets: number[]) => onOnsets(lines, onsets).map(({ start, end }) => [start, end])

test('a line begins at the nearest onset within a quarter of a second', () => {
  assert.deepEqual(placed([line(1, 3)], [0.2, 1.1, 2.5]), [[1.1, 3]])
  assert.deepEqual(placed([line(1, 3)], [0.9, 1.2]), [[0.9, 3]])
  assert.deepEqual(placed([line(1, 3)], [0.74, 1.26]), [[1, 3]], 'further away')
  assert.deepEqual(placed([line(1, 1.2)], [1.15]), [[1, 1.2]], 'nothing would be left of it')
  assert.deepEqual(placed([line(1, 3)], []), [[1, 3]])
})

test('the line before gives way to an onset, and is never passed', () => {
  assert.deepEqual(placed([line(0, 2.1), line(2.1, 4)], [0, 2]), [
    [0, 2],
    [2, 4],
  ])
  assert.deepEqual(placed([line(1.9, 2.1), line(2.1, 4)], [1.95]), [
    [1.95, 2.1],
    [2.1, 4],
  ])
})

test('of two lines near one onset the nearer gets it', () => {
  assert.deepEqual(placed([line(1, 1.2), line(1.2, 4)], [1.15]), [
    [1, 1.15],
    [1.15, 4],
  ])
})

test('any lines keep their order and their ends, begin within the reach, and moving them again changes nothing', () => {
  const millis = fc.integer({ min: 0, max: 20_000 })
  const lines = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 100, max: 2_000 })), { maxLength: 12 })
    .map((pieces) => {
      let at = 0
      return pieces.map(([gap, length]) => {
        const start = at + gap
        at = start + length
        return line(start / 1000, at / 1000)
      })
    })
  const onsets = fc.uniqueArray(millis, { maxLength: 20 }).map((list) => list.toSorted((a, b) => a - b).map((at) => at / 1000))
  fc.assert(
    fc.property(lines, onsets, (spoken, heard) => {
      const moved = onOnsets(spoken, heard)
      assert.equal(moved.length, spoken.length)
      for (const [at, { start, end }] of moved.entries()) {
        const [before, old] = [moved[at - 1], spoken[at]!]
        assert.ok(Math.abs(start - old.start) <= 0.25 + 1e-9)
        assert.ok(start === old.start || heard.includes(start))
        assert.ok(end <= old.end && end > start)
        if (before) assert.ok(start > before.start && before.end <= start + 1e-9, `${before.end} ${start}`)
      }
    }),
    { numRuns: 2_000, seed: 42 },
  )
})
