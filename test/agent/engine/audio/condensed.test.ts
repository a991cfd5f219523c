import assert from 'node:assert/strict'
import { test } from 'node:test'
import { condense } from '#agent/engine/audio/condensed.ts'

const RATE = 100
const samples = Float32Array.from({ length: 1_000 }, (_, at) => at)

test('the stretches are joined, and times lead back to the recording', () => {
  const { samples: kept, originalTime } = condense(samples, RATE, [
    { start: 1, end: 2 },
    { start: 5, end: 5.5 },
    { start: 9, end: 12 },
  ])
  assert.equal(kept.length, 250)
  assert.deepEqual([kept[0], kept[99], kept[100], kept[149], kept[150], kept[249]], [100, 199, 500, 549, 900, 999])
  assert.deepEqual([originalTime(0, 'start'), originalTime(0.5, 'start'), originalTime(1.2, 'end')], [1, 1.5, 5.2])
  assert.deepEqual([originalTime(1, 'end'), originalTime(1, 'start')], [2, 5])
  assert.deepEqual([originalTime(1.5, 'end'), originalTime(1.5, 'start')], [5.5, 9])
  assert.deepEqual([originalTime(2.5, 'end'), originalTime(99, 'end')], [10, 10])
})

test('the order of times is kept', () => {
  const { originalTime } = condense(samples, RATE, [
    { start: 0.123, end: 1.987 },
    { start: 4.001, end: 4.02 },
    { start: 7.77, end: 9.999 },
  ])
  let last = 0
  for (let at = 0; at < 4.1; at += 0.02) {
    const [end, start] = [originalTime(at, 'end'), originalTime(at, 'start')]
    assert.ok(end >= last - 1e-9 && start >= end - 1e-9, `${at}: ${last}, ${end}, ${start}`)
    last = start
  }
})

test('without a stretch nothing is kept', () => {
  assert.equal(condense(samples, RATE, []).samples.length, 0)
})

test('times of the recording lead to the shorter sound, and those in a pause to its border', () => {
  const { borders, condensedTime } = condense(samples, RATE, [
    { start: 1, end: 2 },
    { start: 5, end: 5.5 },
    { start: 9, end: 12 },
  ])
  assert.deepEqual(borders, [1, 1.5])
  assert.deepEqual([1, 1.5, 2, 3.3, 5, 5.25, 9, 10, 12].map(condensedTime), [0, 0.5, 1, 1, 1, 1.25, 1.5, 2.5, 2.5])
  assert.equal(condensedTime(0.2), 0)
})
