// The door of the tasks of people on a real ledger and a real database.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { clientOfPerson, OWNER } from '#control-plane/clients/client.ts'
import { createPeopleLimits, type PeopleLimits } from '#control-plane/people/limits/people-limits.ts'
import { createPersonUsage } from '#control-plane/people/limits/person-usage.store.ts'
import type { UsageDelta } from '#control-plane/store/rows.ts'
import type { TaskSpec } from '#control-plane/tasks/record.ts'
import { NO_LIMITS, type PersonLimits } from '#shared/protocol/access/person.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { TERMINAL } from '#shared/protocol/task.ts'
import { type OpenLedger, openLedger, resultOf, specOf } from '#test/support/doubles/ledger.ts'

const ANNA = clientOfPerson('anna')
/** Its estimate is 50 seconds: 2 s and 320 letters. */
const TEXT = 'x'.repeat(320)
const ESTIMATE_MS = 50_000
const speech = (fields: Partial<TaskSpec> = {}): TaskSpec =>
  specOf({ client: ANNA, params: JSON.stringify({ segments: [{ text: TEXT }] }), size: TEXT.length, ...fields })
const spoken = (ms: number) => ({ ...resultOf(), result: JSON.stringify({ sample_rate: 1000, parts: [{ samples: ms }] }) })

type Studio = OpenLedger & {
  door: PeopleLimits
  limits: PersonLimits | null
  sentMs: number
  readonly admit: (spec?: TaskSpec) => string | null
  readonly crash: () => void
}
function openStudio(t: TestContext, limits: Partial<PersonLimits> = {}): Studio {
  const open = openLedger(t)
  let count = 0
  const doorOf = () => {
    const usage = createPersonUsage(open)
    const door = createPeopleLimits({ ...open, usage, limitsOf: () => studio.limits, bytesOf: () => 0, zone: () => 'UTC' })
    door.connect({ offering: () => ['cuda'], at: () => 'cuda', sentMs: () => studio.sentMs })
    return door
  }
  const studio: Studio = Object.assign(open, {
    limits: { ...NO_LIMITS, ...limits },
    sentMs: 0,
    door: undefined as never,
    admit(spec = speech()) {
      try {
        studio.door.admission.check(ANNA, spec)
      } catch (error) {
        assert.ok(error instanceof Failure && error.code === 'QUOTA_EXCEEDED', String(error))
        return null
      }
      return open.ledger.submit(`t${++count}`, spec, '').task.id
    },
    crash() {
      open.reopen()
      studio.door = doorOf()
    },
  })
  studio.door = doorOf()
  return studio
}

function run(studio: Studio, id: string): void {
  const { epoch } = studio.ledger.peek(id)!.task
  studio.ledger.apply(id, { kind: 'offer', workerId: 'w0', attemptId: `a-${id}-${epoch}` })
  studio.ledger.apply(id, { kind: 'accept', epoch: epoch + 1 })
  studio.ledger.apply(id, { kind: 'start', epoch: epoch + 1 })
}
function finish(studio: Studio, id: string, soundMs: number): void {
  const { epoch, phase } = studio.ledger.peek(id)!.task
  if (phase === 'queued') {
    run(studio, id)
    return finish(studio, id, soundMs)
  }
  studio.ledger.apply(id, { kind: 'complete', epoch }, spoken(soundMs))
}
const rows = (studio: Studio) => studio.db.prepare<[], UsageDelta>('select * from person_usage').all()

test('a limit of sound admits what it has room for, and settles with what was spoken', (t) => {
  const studio = openStudio(t, { sound_minutes_a_day: 2 })
  const [one, two, three] = [studio.admit(), studio.admit(), studio.admit()]
  assert.ok(one !== null && two !== null)
  assert.equal(three, null, 'two estimates of 50 seconds leave 20')
  run(studio, one)
  studio.clock.advance(4_000)
  finish(studio, one, 10_000)
  assert.deepEqual(studio.door.useOf('anna'), { soundMs: 10_000, gpuMs: 4_000, tasks: 1, bytes: 0 })
  assert.ok(studio.admit() !== null, 'room again')
  studio.ledger.apply(two, { kind: 'cancel' })
  studio.ledger.flush()
  const [row] = rows(studio)
  assert.deepEqual(row, {
    person_id: 'anna',
    day: '2027-01-01',
    engine: 'svc-engine',
    tasks: 2,
    failed: 0,
    sound_ms: 10_000,
    gpu_ms: 4_000,
  })
  // The next time, the measured speed is used: 4 s of GPU for 50 s of bound.
  studio.limits = { ...NO_LIMITS, gpu_minutes_a_month: 0.2 }
  assert.ok(studio.admit() !== null)
  assert.equal(studio.admit(), null, 'what runs reserved the speed that was known then')
})

test('a task that its caller leaves counts the sound that was sent, and one that fails counts none', (t) => {
  const studio = openStudio(t)
  studio.sentMs = 30_000
  const [left, failed, long] = [studio.admit()!, studio.admit()!, studio.admit()!]
  for (const id of [left, failed, long]) run(studio, id)
  const leave = (id: string) => {
    studio.ledger.apply(id, { kind: 'cancel' })
    studio.ledger.apply(id, { kind: 'cancel-confirmed', epoch: 1 })
  }
  leave(left)
  studio.ledger.apply(failed, { kind: 'fail', epoch: 1, code: 'INVALID_TASK_PARAMS', message: 'It ended.' })
  assert.equal(studio.door.useOf('anna').soundMs, 30_000)
  studio.sentMs = 1e9
  leave(long)
  assert.equal(studio.door.useOf('anna').soundMs, 30_000 + ESTIMATE_MS, 'never more than its bound')
})

test('a recognition that fails or is left in the middle counts the part of its recording that was recognised', (t) => {
  const studio = openStudio(t, { sound_minutes_a_day: 10 })
  const recording = (fields: Partial<TaskSpec> = {}) => studio.admit(specOf({ client: ANNA, operation: 'asr', size: 60, ...fields }))!
  const [failed, left, waiting, live, done] = [
    recording(),
    recording(),
    recording(),
    recording({ newSeconds: 4 }),
    recording({ newSeconds: 3 }),
  ]
  for (const id of [failed, left, live, done]) run(studio, id)
  for (const [id, progress] of [
    [failed, 0.5],
    [left, 0.25],
    [live, 0.5],
  ] as const)
    studio.marks.set(studio.ledger.peek(id)!.task.attemptId!, { progress, stage: 'recognising' })
  studio.ledger.apply(failed, { kind: 'fail', epoch: 1, code: 'INVALID_TASK_PARAMS', message: 'It ended.' })
  assert.equal(studio.door.useOf('anna').soundMs, 30_000)
  studio.ledger.apply(waiting, { kind: 'cancel' })
  assert.equal(studio.door.useOf('anna').soundMs, 30_000, 'it had not begun')
  for (const id of [left, live]) {
    studio.ledger.apply(id, { kind: 'cancel' })
    studio.ledger.apply(id, { kind: 'cancel-confirmed', epoch: 1 })
  }
  assert.equal(studio.door.useOf('anna').soundMs, 30_000 + 15_000 + 2_000)
  studio.ledger.apply(done, { kind: 'complete', epoch: 1 }, resultOf())
  assert.equal(studio.door.useOf('anna').soundMs, 50_000)
  assert.equal(studio.door.useOf('anna').tasks, 0)
})

test('live sound, whose pieces are no whole milliseconds, is stored', async (t) => {
  const studio = openStudio(t, { sound_minutes_a_day: 10 })
  const id = studio.admit(specOf({ client: ANNA, operation: 'asr', size: 60, newSeconds: 8_123 / 16_000 }))!
  run(studio, id)
  studio.ledger.apply(id, { kind: 'complete', epoch: 1 }, resultOf())
  await studio.commits.settled()
  assert.equal(studio.ledger.peek(id), null)
  assert.deepEqual(
    rows(studio).map(({ tasks, sound_ms }) => [tasks, sound_ms]),
    [[1, 508]],
  )
})

test('nothing begins for a person that has ended, but what another client does with its work', (t) => {
  const studio = openStudio(t)
  const id = studio.admit()!
  assert.deepEqual(studio.door.tasksOf('anna'), [id])
  studio.limits = null
  const check = (client = ANNA) => studio.door.admission.check(client, speech({ client }))
  assert.throws(check, { code: 'FORBIDDEN' })
  check({ ...OWNER, id: ANNA.id })
})

test('who asked pays: work of another client on the objects of a person counts for that client, also after a crash', (t) => {
  const studio = openStudio(t, { tasks_at_once: 1, machines: ['attic'] })
  const owners = { ...OWNER, id: ANNA.id }
  const bens = { ...clientOfPerson('ben'), id: ANNA.id }
  for (const [at, client] of [owners, owners, bens].entries()) {
    const spec = speech({ client })
    studio.door.admission.check(client, spec)
    studio.ledger.submit(`of-another-${at}`, spec, '')
  }
  assert.deepEqual([studio.door.useOf('anna').tasks, studio.door.useOf('ben').tasks], [0, 1])
  const own = studio.admit()
  assert.ok(own !== null, 'room for her own')
  for (const id of ['of-another-0', 'of-another-2', own]) finish(studio, id, 5_000)
  const spent = () => Object.fromEntries(rows(studio).map(({ person_id, sound_ms }) => [person_id, sound_ms]))
  studio.ledger.flush()
  studio.crash()
  assert.deepEqual(studio.door.tasksOf('anna'), [])
  finish(studio, 'of-another-1', 5_000)
  studio.ledger.flush()
  assert.deepEqual(spent(), { anna: 5_000, ben: 5_000 })
})

test('tasks of a person that has ended are found after a crash', (t) => {
  const studio = openStudio(t)
  const id = studio.admit()!
  studio.ledger.flush()
  studio.crash()
  assert.deepEqual(studio.door.tasksOfEnded(), [])
  studio.limits = null
  assert.deepEqual(studio.door.tasksOfEnded(), [id])
})

test('a lower limit refuses new tasks only, the next day begins with nothing, and the month goes on', (t) => {
  const studio = openStudio(t, { sound_minutes_a_day: 10, gpu_minutes_a_month: 2 })
  const one = studio.admit()!
  studio.limits = { ...studio.limits!, sound_minutes_a_day: 0 }
  assert.equal(studio.admit(), null)
  run(studio, one)
  studio.clock.advance(60_000)
  finish(studio, one, ESTIMATE_MS)
  assert.equal(studio.ledger.stateOf(one)?.phase, 'succeeded')
  studio.limits = { ...studio.limits!, sound_minutes_a_day: 1 }
  assert.equal(studio.admit(), null)
  studio.clock.advance(24 * 3_600_000)
  assert.equal(studio.door.useOf('anna').soundMs, 0)
  assert.equal(studio.door.useOf('anna').gpuMs, 60_000)
})

test('GPU time is none on a machine without one, and other clients have no limits and no rows', (t) => {
  const studio = openStudio(t, { gpu_minutes_a_month: 0, tasks_at_once: 1 })
  assert.equal(studio.admit(), null)
  studio.door.connect({ offering: () => ['cpu'], at: () => 'cpu', sentMs: () => 0 })
  const one = studio.admit()!
  assert.equal(studio.admit(), null, 'one task at once')
  const guest = speech({ client: { source: 'a', name: 'a', id: 'address:a', isOwner: false } })
  studio.door.admission.check(guest.client!, guest)
  studio.ledger.submit('guest', guest, '')
  run(studio, one)
  studio.clock.advance(1_000)
  finish(studio, one, 100)
  finish(studio, 'guest', 100)
  studio.ledger.flush()
  assert.deepEqual(
    rows(studio).map(({ person_id, gpu_ms, tasks }) => [person_id, gpu_ms, tasks]),
    [['anna', 0, 1]],
  )
})

test('a caller that waits is woken by the end of work, by other limits, and by the time', async (t) => {
  const studio = openStudio(t, { tasks_at_once: 1 })
  const one = studio.admit()!
  const never = new AbortController()
  const wait = () => studio.door.admission.untilFree(ANNA, 60_000, never.signal)
  const first = wait()
  studio.ledger.apply(one, { kind: 'cancel' })
  await first
  const second = wait()
  studio.door.changed('anna')
  await second
  const third = wait()
  studio.clock.advance(60_000)
  await third
  const last = wait()
  never.abort(new Error('over'))
  await assert.rejects(last, /over/)
})

test('with any order of starts, ends, failures and crashes, the sum of the rows stays below the limit', (t) => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'admit' as const }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('done' as const), which: fc.nat(), ms: fc.nat({ max: ESTIMATE_MS }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('fail' as const, 'cancel' as const, 'run' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'flush' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const studio = openStudio(t, { sound_minutes_a_day: 3 })
      for (const one of steps) {
        const live = [...studio.ledger.live()].filter(({ task }) => !TERMINAL.has(task.phase))
        const chosen = 'which' in one && live.length > 0 ? live[one.which % live.length]!.task : null
        if (one.kind === 'admit') studio.admit()
        else if (one.kind === 'flush') studio.ledger.flush()
        else if (one.kind === 'crash') studio.crash()
        else if (chosen && one.kind === 'done') finish(studio, chosen.id, one.ms)
        else if (chosen && one.kind === 'cancel') studio.ledger.apply(chosen.id, { kind: 'cancel' })
        else if (chosen?.phase === 'queued' && one.kind === 'run') run(studio, chosen.id)
        else if (chosen?.phase === 'running')
          studio.ledger.apply(chosen.id, { kind: 'fail', epoch: chosen.epoch, code: 'INVALID_TASK_PARAMS', message: '' })
        const { soundMs, tasks } = studio.door.useOf('anna')
        assert.ok(soundMs + tasks * ESTIMATE_MS <= 180_000, `${soundMs} and ${tasks} tasks`)
      }
      studio.ledger.flush()
      const stored = rows(studio).reduce((sum, { sound_ms }) => sum + sound_ms, 0)
      assert.equal(stored, studio.door.useOf('anna').soundMs, 'the table has what memory has')
      assert.equal(studio.door.useOf('anna').tasks, [...studio.ledger.live()].filter(({ task }) => !TERMINAL.has(task.phase)).length)
    }),
    { numRuns: 25 },
  )
})
