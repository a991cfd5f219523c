import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterGrace, threadDelays } from '#agent/engine/host/grace.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

/** Milliseconds until a run that does not stop is given up, when its threads have waited for a processor as `waited` says. */
function givenUpAfter(waited: (ms: number) => Record<string, number>): number {
  const clock = createFakeClock()
  const from = clock.mono()
  let at = -1
  const delays = () => new Map(Object.entries(waited(clock.mono() - from)))
  afterGrace(clock, 1, 2_000, () => (at = clock.mono() - from), delays)
  clock.advance(100_000)
  return at
}

test('time in which a thread waited for a processor does not count', () => {
  for (const [what, waited, wanted] of [
    ['nothing is known', () => ({}), 2_000],
    ['delays of before', () => ({ a: 60_000, b: 5 }), 2_000],
    ['two threads, the longer wait', (ms) => ({ a: 9_000 + ms / 2, b: ms / 4 }), 4_000],
    ['a new thread', (ms) => (ms < 1_000 ? { a: 0 } : { a: 0, b: Math.min(1_500, ms - 1_000) }), 3_500],
    ['never a processor', (ms) => ({ a: ms }), 60_000],
  ] satisfies [string, (ms: number) => Record<string, number>, number][]) {
    const after = givenUpAfter(waited)
    assert.ok(Math.abs(after - wanted) <= 5, `${what}: ${after} ms`)
  }
})

test('the delays of this process are those of the system', { skip: process.platform !== 'linux' && 'not Linux' }, () => {
  const delays = threadDelays(process.pid)
  assert.ok(delays.get(String(process.pid))! >= 0)
  assert.ok([...delays.values()].every((ms) => Number.isFinite(ms) && ms >= 0))
  assert.equal(threadDelays(0x7ffffff0).size, 0, 'no such process')
})
