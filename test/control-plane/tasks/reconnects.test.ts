// Ten thousand machines whose links break at once, each with a task that has just begun: the order of their return, with the real booking,
// waits and leases on a simulated processor. One that does nothing but handshakes and answers to preambles, one after the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLeases } from '#control-plane/tasks/leases.ts'
import { createHandshakes, HANDSHAKES, type HandshakeLimits } from '#shared/link/port/handshakes.ts'
import { formatLater, parseAnswer } from '#shared/link/port/preamble.ts'
import { backoff, waitAsAsked } from '#shared/protocol/backoff.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { recordOf } from '#test/support/doubles/record.ts'

const MACHINES = 10_000
const FIRST_RETRY_MS = 1_000
/** The wait of agents up to 0.6. */
const UP_TO_0_6 = (seconds: number, random: number) => seconds * 1_000 * (1 + random)

/** Numbers in [0, 1), the same in each run. */
function createUnit() {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Calls in the order of their time; each may add others. */
function createSchedule() {
  const slots = new Map<number, (() => void)[]>()
  let now = 0
  let left = 0
  return {
    now: () => now,
    at(ms: number, run: () => void) {
      const slot = Math.max(now, Math.ceil(ms))
      const calls = slots.get(slot)
      if (calls) calls.push(run)
      else slots.set(slot, [run])
      left += 1
    },
    run() {
      for (; left > 0; now++) {
        for (let due = slots.get(now); due; due = slots.get(now)) {
          slots.delete(now)
          left -= due.length
          for (const run of due) run()
        }
      }
    },
  }
}

type Storm = {
  /** Processor time of a handshake, and of an answer to a preamble. */
  readonly handshakeMs: number
  readonly answerMs: number
  readonly limits?: HandshakeLimits
  readonly wait?: typeof waitAsAsked
  readonly isAwaited?: boolean
}
function storm({ handshakeMs, answerMs, limits = HANDSHAKES, wait = waitAsAsked, isAwaited = true }: Storm) {
  const schedule = createSchedule()
  const clock = { ...createFakeClock(), mono: schedule.now }
  const unit = createUnit()
  const handshakes = createHandshakes(limits, clock)
  const leases = createLeases(clock, { isCrowded: () => isAwaited && handshakes.isCrowded() })
  const records = Array.from({ length: MACHINES }, (_, index) => {
    const { task, ...record } = recordOf(`task-${index}`)
    return { ...record, task: { ...task, phase: 'unknown' as const, workerId: `machine-${index}` } }
  })
  leases.follow(records.map((record) => ({ record, before: { ...record.task, phase: 'running' }, event: null })))
  const byId = new Map(records.map((record) => [record.task.id, record]))
  let freeAt = 0
  /** Adds work to the processor, and calls when it is done. */
  const work = (ms: number, run: () => void) => {
    freeAt = Math.max(freeAt, schedule.now()) + ms
    schedule.at(freeAt, run)
  }
  let answers = 0
  let lost = 0
  let last = 0
  const knock = (index: number): void =>
    work(answerMs, () => {
      answers += 1
      const record = records[index]!
      const begun = handshakes.begin(`machine-${index}`)
      if (typeof begun !== 'number')
        return work(handshakeMs, () => {
          begun.proven()
          last = schedule.now()
          const entered = { ...record, task: { ...record.task, phase: 'running' as const } }
          leases.follow([{ record: entered, before: record.task, event: null }])
          byId.delete(record.task.id)
        })
      if (isAwaited) leases.awaitMachine(`machine-${index}`, [record.task.id], begun * 1_000)
      const { retryAfterSeconds = 0 } = parseAnswer(formatLater(begun).trim(), '') ?? {}
      schedule.at(schedule.now() + wait(retryAfterSeconds, unit()), () => knock(index))
    })
  for (let index = 0; index < MACHINES; index++) schedule.at(backoff(0, unit(), FIRST_RETRY_MS, FIRST_RETRY_MS), () => knock(index))
  const sweep = () => {
    for (const { taskId } of leases.expired((id) => byId.get(id)?.task)) {
      lost += 1
      leases.follow([{ record: { ...byId.get(taskId)!, task: { ...byId.get(taskId)!.task, phase: 'failed' } }, before: null, event: null }])
    }
    if (byId.size > 0) schedule.at(schedule.now() + 500, sweep)
  }
  schedule.at(0, sweep)
  schedule.run()
  const ideal = (MACHINES * handshakeMs) / 1_000
  return { lost, seconds: last / 1_000, ideal, knocks: answers / MACHINES }
}
const described = ({ lost, seconds, ideal, knocks }: ReturnType<typeof storm>) =>
  `${lost} tasks lost, all back after ${seconds.toFixed(0)} s (${ideal.toFixed(0)} s of handshakes), ${knocks.toFixed(2)} preambles a machine`

const BUSY = { handshakeMs: 15, answerMs: 0.25 }

test('ten thousand machines come back without the loss of a task, at the rate of this studio', (t) => {
  for (const [name, costs] of Object.entries({
    'a fast studio': { handshakeMs: 3, answerMs: 0.1 },
    'a quiet core': { handshakeMs: 6.9, answerMs: 0.15 },
    'a busy core': BUSY,
  })) {
    const back = storm(costs)
    t.diagnostic(`${name}: ${described(back)}`)
    assert.equal(back.lost, 0, name)
    // Most are asked while little is measured yet, so that the expected rate counts too.
    const expected = Math.max(back.ideal, MACHINES / HANDSHAKES.perSecond)
    assert.ok(back.seconds < expected * 1.25 + 5 && back.knocks < 3, `${name}: ${described(back)}`)
  }
})

test('agents that wait for longer lose no task either, and without the time that they get nearly all would', (t) => {
  const older = storm({ ...BUSY, wait: UP_TO_0_6 })
  t.diagnostic(`agents up to 0.6: ${described(older)}`)
  assert.equal(older.lost, 0)
  const forgotten = storm({ ...BUSY, isAwaited: false })
  t.diagnostic(`without awaiting: ${described(forgotten)}`)
  assert.ok(forgotten.lost > MACHINES / 2)
})
