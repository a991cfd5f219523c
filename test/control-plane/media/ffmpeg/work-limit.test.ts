// Programs that hang, that compute without a result, that take too long, and that have little of the processors.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { limitWork, STALL_MS } from '#control-plane/media/ffmpeg/work-limit.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
type Program = {
  /** Milliseconds of the processors that it uses in a second; null: unknown. */
  readonly work: number | null
  readonly limitMs?: number
  /** Seconds between two reports of progress. */
  readonly reports?: number
}

/** Reason for the end and the seconds until then; null if it runs for two hours. */
async function endOf({ work, limitMs = HOUR, reports = Number.POSITIVE_INFINITY }: Program) {
  const clock = createFakeClock()
  const begin = clock.mono()
  const ends: string[] = []
  const workOf = async () => (work === null ? null : (work * (clock.mono() - begin)) / SECOND)
  const limit = limitWork({ pid: 1, limitMs, workOf }, clock, (why) => ends.push(why))
  for (let second = 1; second <= 7_200 && ends.length === 0; second++) {
    clock.advance(SECOND)
    if (second % reports === 0) limit.moved()
    for (let turns = 0; turns < 3; turns++) await Promise.resolve()
    while (ends.length === 0 && clock.waiting() === 0) await turn()
  }
  const at = (clock.mono() - begin) / SECOND
  limit.stop()
  assert.equal(clock.waiting(), 0)
  return ends.length === 0 ? null : { why: ends.join(), at }
}

test('a program that hangs is ended after two minutes, whether its work is known or not', async () => {
  assert.deepEqual(await endOf({ work: 0 }), { why: 'stalled', at: 120 })
  assert.deepEqual(await endOf({ work: null }), { why: 'stalled', at: 120 })
  assert.deepEqual(await endOf({ work: 0.5 }), { why: 'stalled', at: 120 }, 'it looks from time to time')
})

test('a program that has little of the processors is not ended before it has worked as long as others may', async () => {
  assert.deepEqual(await endOf({ work: 50 }), { why: 'stalled', at: 2_400 }, 'two minutes of work without progress')
  assert.equal(await endOf({ work: 50, limitMs: 900 * SECOND, reports: 300 }), null, 'before, 900 s by the clock were too many')
  assert.deepEqual(await endOf({ work: 1_000, limitMs: 900 * SECOND, reports: 60 }), { why: 'late', at: 900 })
  assert.deepEqual(await endOf({ work: 8_000, limitMs: 900 * SECOND, reports: 60 }), { why: 'late', at: 900 }, 'threads are no slower')
  assert.deepEqual(await endOf({ work: null, limitMs: 900 * SECOND, reports: 60 }), { why: 'late', at: 900 })
})

test('a program that computes without progress is ended, and no program is let run for ever', async () => {
  assert.deepEqual(await endOf({ work: 1_000 }), { why: 'stalled', at: 120 })
  assert.equal(await endOf({ work: 8_000, limitMs: 10 * HOUR, reports: 100 }), null)
  assert.deepEqual(await endOf({ work: 2 }), { why: 'stalled', at: 3_600 })
  assert.deepEqual(await endOf({ work: 2, limitMs: 60 * SECOND, reports: 60 }), { why: 'late', at: 1_800 })
})

test('the work of real processes is read', { skip: process.platform !== 'linux' && 'needs /proc' }, async () => {
  const child = spawn('sleep', ['1000'])
  await once(child, 'spawn')
  const why = async (pid: number | undefined, limitMs: number, afterMs: number) => {
    const clock = createFakeClock()
    const { promise, resolve } = Promise.withResolvers<string>()
    const limit = limitWork({ pid, limitMs }, clock, resolve)
    clock.advance(afterMs)
    const found = await promise
    limit.stop()
    return found
  }
  try {
    assert.equal(await why(child.pid, HOUR, STALL_MS), 'stalled')
    // This process has worked for more than 10 ms.
    assert.equal(await why(process.pid, 10, 10 * SECOND), 'late')
  } finally {
    child.kill('SIGKILL')
  }
})
