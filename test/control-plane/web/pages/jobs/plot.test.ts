// The chart of an hour: where its lines and labels are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plotOf } from '#control-plane/web/pages/jobs/plot.ts'

const NOON = 1_795_780_800
const quiet = { done: 0, failed: 0, waiting: 0 }
const hour = (of: (index: number) => object = () => ({})) =>
  Array.from({ length: 60 }, (_, index) => ({ at: NOON - (59 - index) * 60, ...quiet, ...of(index) }))
const pointsOf = (line: string) => line.split(' ').map((point) => point.split(',').map(Number) as [number, number])

test('a line goes from the left edge to the right one, and its highest value is below the top label', () => {
  const { ended, waited, values } = plotOf(hour((index) => ({ done: index === 30 ? 33 : 0, failed: index === 30 ? 4 : 0, waiting: 10 })))
  const points = pointsOf(ended)
  assert.deepEqual([points.length, points[0], points.at(-1)], [60, [0, 1], [1, 1]])
  assert.deepEqual(
    values,
    [0, 10, 20, 30, 40].map((value) => ({ value, place: value / 40 })),
  )
  assert.equal(points[30]![1].toFixed(3), (1 - 37 / 40).toFixed(3))
  assert.ok(pointsOf(waited).every(([, y]) => y === 1 - 10 / 40))
})

test('labels of times are whole quarters of an hour, and shares of the width', () => {
  const { times } = plotOf(hour())
  assert.deepEqual(
    times.map(({ value }) => NOON - value),
    [2700, 1800, 900, 0],
  )
  assert.equal(times.at(-1)!.place, 1)
  assert.ok(times.every(({ place }) => place >= 0 && place <= 1))
})

test('the first minutes of a studio are not stretched, and values without tasks have labels', () => {
  const { ended, times, values } = plotOf(hour().slice(-2))
  assert.deepEqual(pointsOf(ended), [
    [0.9333, 1],
    [1, 1],
  ])
  assert.deepEqual(
    [times.map(({ value }) => NOON - value), values.map(({ value }) => value)],
    [
      [900, 600, 300, 0],
      [0, 1, 2, 3, 4],
    ],
  )
})

test('a chart has five labels at most, however many tasks there are', () => {
  for (let most = 1; most < 2_000_000; most = Math.ceil(most * 1.3)) {
    const { values, ended } = plotOf(hour((index) => (index === 59 ? { done: most } : {})))
    assert.ok(values.length >= 3 && values.length <= 5, `${most}: ${values.length}`)
    const [, y] = pointsOf(ended).at(-1)!
    assert.ok(y >= 0 && y < 1, `${most}: ${y}`)
  }
})
