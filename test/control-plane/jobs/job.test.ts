import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ENDED,
  JOB_EDGES,
  JOB_STATUSES,
  type Job,
  type JobEvent,
  MAX_RESUMES,
  moveJob,
  newJob,
  STEP_STATES,
} from '#control-plane/jobs/job.ts'
import { openDatabase } from '#control-plane/store/database.ts'

const EVENTS: readonly JobEvent[] = [
  { kind: 'start' },
  { kind: 'step-done' },
  { kind: 'cancel' },
  { kind: 'stop' },
  { kind: 'pause' },
  { kind: 'finish' },
  { kind: 'fail', code: 'UNKNOWN', message: 'It failed.' },
  { kind: 'restart', policy: 'resume', isFault: false },
  { kind: 'restart', policy: 'resume', isFault: true },
  { kind: 'restart', policy: 'interrupt', isFault: false },
  { kind: 'restart', policy: 'fail', isFault: true },
  { kind: 'retry' },
]
const after = (job: Job, ...events: JobEvent[]): Job =>
  events.reduce((before, event) => {
    const next = moveJob(before, event)
    assert.ok(next.ok, `${before.status} ${event.kind}`)
    return next.job
  }, job)
const of = (kind: JobEvent['kind']) => EVENTS.find((event) => event.kind === kind)!
const running = after(newJob('j'), of('start'))
const restart: JobEvent = { kind: 'restart', policy: 'resume', isFault: false }
const afterFault: JobEvent = { ...restart, isFault: true }

test('a job moves along the table under any events, and its fields agree with its status', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 }), (events) => {
      let job = newJob('j')
      for (const event of events) {
        const next = moveJob(job, event)
        const targets = JOB_EDGES[job.status][event.kind]
        if (!next.ok) {
          assert.ok(!targets || event.kind === 'stop' || event.kind === 'retry')
          continue
        }
        assert.ok(targets?.includes(next.job.status), `${job.status} ${event.kind} ${next.job.status}`)
        job = next.job
        assert.equal(job.failure !== null, job.status === 'failed')
        assert.ok(!job.interrupted || job.status === 'failed')
        assert.ok(!job.cancelWanted || job.status === 'running' || job.status === 'cancelled')
        assert.ok(job.resumes >= 0 && job.resumes <= MAX_RESUMES)
      }
    }),
    { numRuns: 500 },
  )
})

test('an ended job moves no more, unless it was set aside', () => {
  for (const status of ENDED) assert.deepEqual(Object.keys(JOB_EDGES[status]), status === 'failed' ? ['retry'] : [])
  assert.equal(moveJob(after(running, of('fail')), of('retry')).ok, false)
  const aside = after(running, afterFault, of('start'), afterFault)
  assert.deepEqual(after(aside, of('retry')), newJob('j'))
})

test('a cancelled job ends as cancelled however its work ends, a restart included', () => {
  const cancelled = after(running, of('cancel'))
  assert.equal(cancelled.status, 'running')
  for (const kind of ['stop', 'pause', 'finish', 'fail', 'restart'] as const) assert.equal(after(cancelled, of(kind)).status, 'cancelled')
  assert.equal(moveJob(running, of('stop')).ok, false, 'without a cancel')
  assert.equal(after(newJob('j'), of('cancel')).status, 'cancelled', 'a pending job ends at once')
})

test('a job is set aside after the second fault or the third end without a finished step', () => {
  const twice = after(running, restart, of('start'), restart, of('start'))
  assert.equal(twice.resumes, 2)
  const third = after(twice, restart)
  assert.equal(third.status, 'failed')
  assert.deepEqual([third.failure!.code, third.interrupted], ['JOB_SET_ASIDE', false])
  assert.match(third.failure!.message, /ended unexpectedly 3 times while it ran this job/)
  const once = after(running, afterFault, of('start'))
  assert.equal(once.status, 'running')
  assert.match(after(once, afterFault).failure!.message, /ended unexpectedly 2 times/)
  assert.equal(after(once, of('step-done'), afterFault).status, 'pending', 'a finished step is progress')
  assert.equal(after(newJob('j'), afterFault, afterFault, afterFault).status, 'pending', 'a pending job did not run')
  assert.equal(after(twice, of('step-done'), restart).status, 'pending', 'a finished step is progress')
  assert.equal(after(newJob('j'), restart, restart, restart, restart).status, 'pending', 'a pending job has not resumed')
  assert.equal(after(running, of('pause'), of('start'), of('pause'), of('start'), of('pause'), of('start'), restart).status, 'pending')
})

test('the type decides what a restart means', () => {
  for (const policy of ['interrupt', 'fail'] as const)
    for (const job of [newJob('j'), running]) {
      const ended = after(job, { kind: 'restart', policy, isFault: false })
      assert.equal(ended.status, 'failed')
      assert.equal(ended.interrupted, policy === 'interrupt')
      assert.match(ended.failure!.message, /interrupted by a restart/)
    }
})

const sqlOf = (name: string): string =>
  openDatabase(':memory:').prepare<[string], { sql: string }>('select sql from sqlite_master where name = ?').get(name)!.sql
const wordsOf = (sql: string, pattern: RegExp): (string | undefined)[] =>
  [...(pattern.exec(sql)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, word]) => word)

test('the constraints name the statuses and states of the tables in the code', () => {
  const job = sqlOf('job')
  assert.deepEqual(wordsOf(job, /status text not null check \(status in \(([^)]*)\)/), [...JOB_STATUSES])
  assert.deepEqual(new Set(wordsOf(job, /\(finished_at is not null\) = \(status in \(([^)]*)\)/)), ENDED)
  assert.deepEqual(
    wordsOf(sqlOf('job_live'), /where status in \(([^)]*)\)/),
    JOB_STATUSES.filter((status) => !ENDED.has(status)),
  )
  assert.match(job, new RegExp(`resumes between 0 and ${MAX_RESUMES}\\)`))
  const steps = sqlOf('job_step')
  assert.deepEqual(wordsOf(steps, /state text not null check \(state in \(([^)]*)\)/), [...STEP_STATES])
})

const BAD_JOBS: Readonly<Record<string, string>> = {
  'a status that does not exist': `status = 'resting'`,
  'ended without a moment': `status = 'done'`,
  'a moment without an end': 'finished_at = 5',
  'failed without a reason': `status = 'failed', finished_at = 5`,
  'a reason without a failure': `error = 'It failed.', error_code = 'UNKNOWN'`,
  'interrupted but not failed': 'interrupted = 1',
  'a cancel of a job that waits': 'cancel_wanted = 1',
  'too many resumes': `resumes = ${MAX_RESUMES + 1}`,
  'the id of another job': `id = 'taken'`,
  'the number of another job': 'seq = 2',
  'a number that is text': `last_seq = 'many'`,
}
test('rows that contradict the table are refused', () => {
  const db = openDatabase(':memory:')
  const insert = 'insert into job (seq, id, type, params, meta, status, created_at, updated_at) values'
  db.exec(`${insert} (1, 'j', 't', '{}', '{}', 'pending', 1, 1), (2, 'taken', 't', '{}', '{}', 'pending', 1, 1)`)
  for (const [what, change] of Object.entries(BAD_JOBS))
    assert.throws(() => db.exec(`update job set ${change} where id = 'j'`), { code: /^SQLITE_CONSTRAINT/ }, what)
  db.exec(`update job set status = 'failed', finished_at = 5, error = 'It failed.', error_code = 'UNKNOWN', interrupted = 1 where id = 'j'`)
})
