import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ForecastLane, forecast, remaining } from '#control-plane/scheduler/forecast.ts'
import type { Reason } from '#control-plane/scheduler/objection.ts'
import type { Unplaced } from '#control-plane/scheduler/place.ts'
import { lineOf } from '#test/support/placement/fleet.ts'

const pace = { loadMs: 4_000, msPerUnit: 10 }
const running = { phase: 'running', size: 100, progress: 0, sinceMs: 0, pace } as const
const waits = (line: Unplaced['line'], ...why: [string, Reason][]): Unplaced => ({
  line,
  why: why.map(([workerId, reason]) => ({ workerId, reason, forGood: false })),
  hopeless: false,
})
const lane = (wish: Partial<ForecastLane> = {}): ForecastLane => ({ permits: 1, msPerUnit: 10, leftMs: 0, ...wish })

test('a running task is predicted by its own pace once it is known, by earlier tasks before', () => {
  assert.equal(remaining({ ...running, progress: 0.25, sinceMs: 1_000, pace: null }), 3_000)
  assert.equal(remaining({ ...running, sinceMs: 400 }), 600)
  assert.equal(remaining({ ...running, sinceMs: 5_000 }), 0, 'never less than nothing')
  assert.equal(remaining({ ...running, progress: 2, sinceMs: 5_000 }), 0, 'nor when a worker claims more than everything')
  assert.equal(remaining({ ...running, phase: 'loading', sinceMs: 1_000 }), 3_000 + 1_000)
})

test('without measurements there is no prediction', () => {
  assert.equal(remaining({ ...running, pace: null }), null)
  assert.equal(remaining({ ...running, phase: 'loading', pace: null }), null)
  for (const phase of ['unknown', 'cancelling'] as const) assert.equal(remaining({ ...running, phase, sinceMs: 1, progress: 0.5 }), null)
  const ends = forecast([waits(lineOf([1]), ['w0', 'busy'])], () => null)
  assert.equal(ends.size, 0)
})

test('a waiting task ends after the work before it, shared among all workers that may run it', () => {
  const line = lineOf([1, 2]) // 100 units each
  const one = forecast([waits(line, ['w0', 'busy'])], () => lane({ leftMs: 500 }))
  assert.deepEqual([...one.values()], [500 + 1_000, 1_500 + 1_000])
  const two = forecast([waits(line, ['w0', 'busy'], ['w1', 'busy'])], () => lane({ leftMs: 500 }))
  assert.deepEqual([...two.values()], [500 + 1_000, 1_000 + 1_000])
})

test('interactive tasks come before batch ones and older ones before younger ones, across all lines', () => {
  const batch = waits(lineOf([1], {}, 1), ['w0', 'busy'])
  const [late, early] = [waits(lineOf([5], { model: 'a' }), ['w0', 'busy']), waits(lineOf([3], { model: 'b' }), ['w0', 'busy'])]
  const ends = forecast([batch, late, early], () => lane())
  assert.deepEqual(Object.fromEntries(ends), { t3: 1_000, t5: 2_000, t1: 3_000 })
})

test('a task that no worker can run soon has no prediction', () => {
  const ends = forecast([waits(lineOf([1]), ['w0', 'offline'], ['w1', 'paused after repeated failures'])], () => lane())
  assert.equal(ends.size, 0)
})
