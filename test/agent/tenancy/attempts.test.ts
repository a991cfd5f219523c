import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Attempt } from '#agent/tenancy/attempts.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { headerOf, openAttempts } from './played-pool.ts'

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const said = ({ spool }: Attempt) => spool.after(0).map(({ fact }) => fact)
const last = ({ spool }: Attempt) => spool.after(spool.lastSeq - 1)[0]!

test('engine output becomes events, and the last event carries the digest', async (t) => {
  const { attempts, runs } = openAttempts(t)
  const attempt = attempts.begin(headerOf('a'))
  assert.deepEqual([runs[0]!.id, runs[0]!.params, attempt.phase], ['a', { text: 'hi' }, 'loading'])
  runs[0]!.say(
    { kind: 'loading', detail: 'weights' },
    { kind: 'running' },
    { kind: 'progress', progress: 0.5, stage: 'half' },
    { kind: 'audio', part: 0, bytes: Buffer.from('sound') },
    { kind: 'result', result: { sample_rate: 16_000 } },
  )
  runs[0]!.end()
  await attempt.ended
  assert.deepEqual(said(attempt), ['accepted', 'loading', 'running', 'progress', 'output', 'completed'])
  const end = last(attempt)
  assert.ok(end.fact === 'completed')
  assert.deepEqual(JSON.parse(end.completed.result_json.toString()), { sample_rate: 16_000 })
  assert.deepEqual([end.completed.size, end.completed.sha256], [5, createHash('sha256').update('sound').digest()])
  assert.deepEqual(attempts.held(), [{ attempt_id: 'a', task_id: 'task-a', epoch: 1, phase: 'done', last_seq: 6 }])
  assert.deepEqual([attempts.active(), attempts.count()], [0, 1], 'done, and kept until the studio has it')
})

test('the test engine can report a wrong digest, and that parameter is not part of the result', async (t) => {
  const { attempts, runs } = openAttempts(t)
  const attempt = attempts.begin(headerOf('a'))
  runs[0]!.say({ kind: 'audio', part: 0, bytes: Buffer.from('x') }, { kind: 'result', result: { n: 1, wrong_digest: true } })
  runs[0]!.end()
  await attempt.ended
  const end = last(attempt)
  assert.ok(end.fact === 'completed')
  assert.notDeepEqual(end.completed.sha256, createHash('sha256').update('x').digest())
  assert.deepEqual(JSON.parse(end.completed.result_json.toString()), { n: 1 })
})

test('an engine that fails, crashes or ends without a result fails the attempt with its code', async (t) => {
  const { attempts, runs } = openAttempts(t)
  for (const [index, [error, code]] of (
    [
      [new Failure('ENGINE_CRASHED', 'died'), 'ENGINE_CRASHED'],
      [new TypeError('x of undefined'), 'WORKER_FAILED'],
      [undefined, 'WORKER_FAILED'],
    ] as const
  ).entries()) {
    const attempt = attempts.begin(headerOf(`a${index}`))
    runs[index]!.end(error)
    await attempt.ended
    const end = last(attempt)
    assert.ok(end.fact === 'failed')
    assert.deepEqual([end.failed.code, attempt.phase], [code, 'failed'])
  }
})

test('an attempt that cannot begin is not held', (t) => {
  const { attempts, refuse } = openAttempts(t)
  refuse(new Failure('WORKER_AT_CAPACITY', 'full'))
  assert.throws(() => attempts.begin(headerOf('a')), fails('WORKER_AT_CAPACITY'))
  assert.throws(() => attempts.begin(headerOf('b', { params_json: Buffer.from('{') })), fails('INVALID_TASK_PARAMS'))
  assert.deepEqual([attempts.count(), attempts.held()], [0, []])
})

test('a cancel stops the engine and reports the reason', async (t) => {
  const { attempts, runs } = openAttempts(t)
  for (const [index, code] of (['CANCELLED', 'WORKER_DRAINING'] as const).entries()) {
    const attempt = attempts.begin(headerOf(`a${index}`))
    attempts.cancel(attempt, code, 'because')
    assert.equal(runs[index]!.signal.aborted, true)
    await attempt.ended
    const end = last(attempt)
    assert.ok(end.fact === 'failed')
    assert.deepEqual([end.failed, attempt.phase], [{ code, message: 'because' }, code === 'CANCELLED' ? 'cancelled' : 'failed'])
  }
})

test('the deadline also ends an attempt on the machine, and a finished attempt leaves no timer', async (t) => {
  const { attempts, clock, runs } = openAttempts(t)
  const attempt = attempts.begin(headerOf('a', { deadline_ms_left: 1000 }))
  clock.advance(999)
  assert.equal(runs[0]!.signal.aborted, false)
  clock.advance(1)
  await attempt.ended
  const end = last(attempt)
  assert.ok(end.fact === 'failed')
  assert.equal(end.failed.code, 'TASK_DEADLINE_EXCEEDED')
  assert.equal(clock.waiting(), 0)
})

test('a settled attempt is wiped, but only for its own epoch', async (t) => {
  const { attempts, runs } = openAttempts(t)
  const attempt = attempts.begin(headerOf('a', { epoch: 2 }))
  runs[0]!.say({ kind: 'audio', part: 0, bytes: Buffer.from('sound') })
  await turn()
  assert.equal(attempt.spool.size, 5)
  attempts.settle('a', 1)
  assert.equal(attempts.get('a'), attempt)
  attempts.settle('a', 2)
  attempts.settle('a', 2)
  assert.deepEqual([attempts.get('a'), attempts.isSettled('a'), runs[0]!.signal.aborted], [undefined, true, true])
  await attempt.ended
  await turn()
  assert.deepEqual([attempt.spool.size, attempt.spool.lastSeq], [0, 0])
})

test('a withdrawn consent stops and deletes every attempt', async (t) => {
  const { attempts, runs } = openAttempts(t)
  const all = ['a', 'b'].map((id) => attempts.begin(headerOf(id)))
  runs[0]!.say({ kind: 'audio', part: 0, bytes: Buffer.from('sound') })
  await turn()
  attempts.wipe('withdrawn')
  assert.deepEqual(
    runs.map(({ signal }) => signal.aborted),
    [true, true],
  )
  await Promise.all(all.map(({ ended }) => ended))
  await turn()
  assert.equal(attempts.count(), 0)
  assert.deepEqual(
    all.map(({ spool }) => [spool.size, spool.lastSeq]),
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('a studio that never fetches results is refused new attempts', async (t) => {
  const { attempts } = openAttempts(t)
  const probe = (id: string) => headerOf(id, { engine: 'probe', operation: 'probe', params_json: Buffer.from('{}') })
  for (let count = 0; count < 4096; count++) await attempts.begin(probe(`p${count}`)).ended
  assert.throws(() => attempts.begin(probe('more')), fails('WORKER_AT_CAPACITY'))
  attempts.settle('p0', 1)
  attempts.begin(probe('more'))
})

test('a result that is not fetched for an hour is deleted, a running attempt is not', async (t) => {
  const { attempts, clock, runs } = openAttempts(t)
  const day = { deadline_ms_left: 24 * 3_600_000 }
  const done = attempts.begin(headerOf('done', day))
  attempts.begin(headerOf('runs', day))
  runs[0]!.say({ kind: 'result', result: {} })
  runs[0]!.end()
  await done.ended
  clock.advance(3_600_000)
  attempts.forgetUnfetched()
  assert.equal(attempts.count(), 2)
  clock.advance(1)
  attempts.forgetUnfetched()
  assert.deepEqual(
    attempts.held().map(({ attempt_id }) => attempt_id),
    ['runs'],
  )
  assert.equal(attempts.isSettled('done'), true)
})

test('draining waits for held attempts and stops when aborted', async (t) => {
  const { attempts, clock } = openAttempts(t)
  assert.equal(await attempts.drained(new AbortController().signal), true)
  attempts.begin(headerOf('a'))
  const grace = new AbortController()
  const givenUp = attempts.drained(grace.signal)
  grace.abort()
  assert.equal(await givenUp, false)
  const drained = attempts.drained(new AbortController().signal)
  attempts.settle('a', 1)
  clock.advance(50)
  assert.equal(await drained, true)
})

test('probes run without an engine', async (t) => {
  const { attempts, runs } = openAttempts(t)
  const attempt = attempts.begin(headerOf('p', { engine: 'probe', operation: 'probe', params_json: Buffer.from('{"echo":"x"}') }))
  await attempt.ended
  assert.deepEqual([said(attempt), runs.length], [['accepted', 'running', 'output', 'completed'], 0])
})
