// The seconds of a blocked main thread that count.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBusyMeter } from '#agent/engine/host/busy.ts'

/** Seconds of a blocked main thread after `beats` heartbeats; per beat: processor seconds, and milliseconds that a thread waited. */
function blocked(beats: number, cpuSeconds: number, waitedMs = 0): number {
  const meter = createBusyMeter()
  let counted = meter(1, 0, () => assert.fail('the main thread ticks'))
  assert.equal(counted, 0)
  for (let beat = 1; beat <= beats; beat++) counted = meter(1, beat * cpuSeconds, () => new Map([['7', beat * waitedMs]]))
  return Math.round(counted)
}

test('what a blocked step computes counts, at most a second each second, and so does standing still', () => {
  assert.equal(blocked(90, 1), 90)
  assert.equal(blocked(90, 4), 90, 'several threads are no longer than the clock')
  assert.equal(blocked(90, 0.001), 90, 'a deadlock')
  assert.equal(blocked(90, 0.3, 700), 27)
  assert.equal(blocked(90, 0.3), 27, 'a machine that is stopped or limited reports no waiting')
  assert.equal(blocked(90, 0.001, 50), 86, 'a deadlock on a busy machine, whose heartbeat is late')
})

test('a host without a processor is given up in the end', () => {
  assert.equal(blocked(90, 0, 1000), 4)
  assert.equal(blocked(2700, 0, 1000), 91)
})

test('a tick of the main thread begins a new step', () => {
  const meter = createBusyMeter()
  const none = () => new Map<string, number>()
  assert.deepEqual(
    [1, 1, 1, 2, 2].map((ticks, at) => meter(ticks, at, none)),
    [0, 1, 2, 0, 1],
  )
})
