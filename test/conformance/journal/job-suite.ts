// The contract of every journal for the rows of jobs, on any database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobEventRow, JobQuery, JobStepRow, StepResultRow, StoredJob } from '#control-plane/store/job-rows.ts'
import type { Journal, Writes } from '#control-plane/store/journal.ts'
import { commit } from './commit.ts'
import type { JournalFactory } from './harness.ts'

const jobRow = (id: string, seq: number, more: Partial<StoredJob> = {}): StoredJob => ({
  seq,
  id,
  type: 'book',
  project_id: null,
  source: '192.0.2.1',
  params: '{}',
  meta: '{}',
  status: 'running',
  cancel_wanted: 0,
  resumes: 0,
  interrupted: 0,
  error_code: null,
  error: null,
  last_seq: 0,
  step_name: null,
  step_ordinal: null,
  step_total: null,
  created_at: 1,
  updated_at: 1,
  finished_at: null,
  ...more,
})
const ended = (id: string, seq: number, at = 5) => jobRow(id, seq, { status: 'done', finished_at: at })
const event = (id: string, seq: number, kind: JobEventRow['kind'] = 'event'): JobEventRow => ({
  job_id: id,
  seq,
  created_at: 1,
  kind,
  payload: `${kind} ${seq}`,
})
const step = (id: string, name: string, more: Partial<JobStepRow> = {}): JobStepRow => ({
  job_id: id,
  name,
  ordinal: 1,
  state: 'running',
  key: `key of ${name}`,
  task_id: null,
  result_key: null,
  failure_code: null,
  failure: null,
  ...more,
})
const done = (id: string, name: string, key: string) => step(id, name, { state: 'done', key, result_key: key })
const result = (key: string, more: Partial<StepResultRow> = {}): StepResultRow => ({
  key,
  kind: 'speak',
  json: '{}',
  digest: null,
  bytes: 0,
  cost_ms: 3,
  used_at: 1,
  ...more,
})

const jobsOf = (...rows: readonly StoredJob[]) => new Map(rows.map((row) => [row.id, row]))
const stepsOf = (...rows: readonly JobStepRow[]) => new Map(rows.map((row) => [`${row.job_id} ${row.name}`, row]))
const resultsOf = (...rows: readonly StepResultRow[]) => new Map(rows.map((row) => [row.key, row]))

export function jobSuite(name: string, factory: JournalFactory): void {
  const check = (title: string, run: (journal: Journal, harness: ReturnType<JournalFactory>) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const harness = factory(t)
      const { journal } = await harness.open()
      await run(journal, harness)
    })
  const keysLeft = async ({ jobs }: Journal, keys: readonly string[]) => {
    const rows = await Promise.all(keys.map(jobs.result))
    return keys.filter((_, index) => rows[index] !== null)
  }
  const seqsOf = async ({ jobs }: Journal, id: string) => (await jobs.events(id, 0, 1_000)).map(({ seq }) => seq)

  check('unfinished jobs are there after a restart with their steps and results, and so are their events', async (journal, harness) => {
    const rows = {
      a: jobRow('a', 1, { last_seq: 1, step_name: 's', step_ordinal: 1, step_total: 2 }),
      b: jobRow('b', 2, { status: 'pending' }),
    }
    await commit(journal, {
      jobs: jobsOf(rows.b, rows.a, ended('c', 3)),
      jobEvents: [event('a', 1)],
      stepResults: resultsOf(result('r'), result('of c')),
      jobSteps: stepsOf(done('a', 's', 'r'), step('a', 't', { ordinal: 2, task_id: 'task' }), done('c', 's', 'of c')),
    })
    await harness.crash()
    const { journal: again, state } = await harness.open()
    assert.deepEqual(state.jobs, [rows.a, rows.b])
    assert.deepEqual(state.jobSteps, [done('a', 's', 'r'), step('a', 't', { ordinal: 2, task_id: 'task' })])
    assert.deepEqual([...state.stepResults], [['r', result('r')]])
    assert.equal(state.lastJobSeq, 3)
    assert.deepEqual(await again.jobs.events('a', 0, 10), [event('a', 1)])
    assert.deepEqual(await again.jobs.find('c'), ended('c', 3))
    assert.deepEqual(await again.jobs.result('of c'), result('of c'))
    assert.deepEqual([await again.jobs.find('x'), await again.jobs.result('x')], [null, null])
  })

  check('rows of a job, and results that are made again, are replaced by their key', async (journal, harness) => {
    await commit(journal, {
      jobs: jobsOf(jobRow('a', 1)),
      jobSteps: stepsOf(step('a', 's')),
      stepResults: resultsOf(result('r'), result('q')),
    })
    const row = jobRow('a', 1, { cancel_wanted: 1, updated_at: 9 })
    await commit(journal, {
      jobs: jobsOf(row),
      jobSteps: stepsOf(done('a', 's', 'r')),
      stepResults: resultsOf(result('r', { json: '[]', used_at: 7 })),
      usedResults: new Map([
        ['q', 8],
        ['unknown', 8],
      ]),
    })
    await harness.crash()
    const { journal: again, state } = await harness.open()
    assert.deepEqual([state.jobs, state.jobSteps], [[row], [done('a', 's', 'r')]])
    assert.deepEqual(await again.jobs.result('r'), result('r', { json: '[]', used_at: 7 }))
    assert.deepEqual(await again.jobs.result('q'), result('q', { used_at: 8 }))
  })

  check('a batch that is refused leaves nothing of a job, and contradictions are refused', async (journal, harness) => {
    await harness.setDiskFull(true)
    const rows: Partial<Writes> = { settings: new Map([['a', '1']]), jobs: jobsOf(jobRow('a', 1)), jobEvents: [event('a', 1)] }
    await assert.rejects(commit(journal, rows), { code: 'STORAGE_FULL' })
    await assert.rejects(journal.jobs.purge(1, 1), { code: 'STORAGE_FULL' })
    await harness.setDiskFull(false)
    assert.equal(await journal.jobs.find('a'), null)
    await commit(journal, rows)
    const refuses = (wrong: Partial<Writes>) =>
      assert.rejects(commit(journal, { ...wrong, settings: new Map([['a', '2']]) }), { code: 'INTERNAL', message: /job/ })
    await refuses({ jobEvents: [event('a', 1)] })
    await refuses({ jobEvents: [event('unknown', 1)] })
    await refuses({ jobSteps: stepsOf(step('unknown', 's')) })
    await refuses({ jobs: jobsOf(jobRow('b', 1)) })
    await harness.crash()
    assert.equal((await harness.open()).state.settings.get('a'), '1', 'nothing of a refused batch is written')
  })

  check('of a surplus of events, old progress goes first and a terminal event stays', async (journal) => {
    const kinds = ['terminal', 'event', 'progress', 'event', 'progress', 'event', 'progress'] as const
    const events = kinds.map((kind, index) => event('a', index + 1, kind))
    await commit(journal, { jobs: jobsOf(jobRow('a', 1), jobRow('b', 2)), jobEvents: [...events, event('b', 1), event('b', 2)] })
    const trimTo = (count: number, jobEvents: JobEventRow[] = []) => commit(journal, { jobEvents, trimmedEvents: new Map([['a', count]]) })
    await trimTo(7)
    assert.deepEqual(await seqsOf(journal, 'a'), [1, 2, 3, 4, 5, 6, 7])
    await trimTo(7, [event('a', 8)])
    assert.deepEqual(await seqsOf(journal, 'a'), [1, 2, 4, 5, 6, 7, 8], 'the oldest progress is gone')
    await trimTo(4)
    assert.deepEqual(await seqsOf(journal, 'a'), [1, 6, 7, 8], 'then the oldest events, but not the latest progress')
    assert.deepEqual(await seqsOf(journal, 'b'), [1, 2])
    assert.deepEqual(
      (await journal.jobs.events('a', 1, 2)).map(({ seq }) => seq),
      [6, 7],
    )
  })

  check('discarded steps take the results along that no other step names, in the same batch too', async (journal) => {
    await commit(journal, {
      jobs: jobsOf(jobRow('a', 1), jobRow('b', 2)),
      stepResults: resultsOf(result('mine'), result('shared'), result('handed on'), result('unnamed')),
      jobSteps: stepsOf(done('a', 's', 'mine'), done('a', 't', 'shared'), done('a', 'u', 'handed on'), done('b', 't', 'shared')),
    })
    await commit(journal, {
      jobs: jobsOf(jobRow('a', 1, { status: 'cancelled', finished_at: 5 })),
      stepResults: resultsOf(result('late')),
      jobSteps: stepsOf(done('a', 'v', 'late'), step('b', 'u', { state: 'skipped', result_key: 'handed on' })),
      discardedSteps: new Set(['a']),
    })
    const keys = ['mine', 'shared', 'handed on', 'unnamed', 'late']
    assert.deepEqual(await keysLeft(journal, keys), ['shared', 'handed on', 'unnamed'])
    await commit(journal, { discardedSteps: new Set(['b']) })
    assert.deepEqual(await keysLeft(journal, keys), ['unnamed'])
  })

  check('a new job takes over the id of one that has ended', async (journal, harness) => {
    await commit(journal, {
      jobs: jobsOf({ ...ended('a', 1), last_seq: 2 }, jobRow('b', 2)),
      jobEvents: [event('a', 1), event('a', 2, 'terminal'), event('b', 1)],
      stepResults: resultsOf(result('mine'), result('shared'), result('used again')),
      jobSteps: stepsOf(done('a', 's', 'mine'), done('a', 't', 'shared'), done('a', 'u', 'used again'), done('b', 't', 'shared')),
    })
    const row = jobRow('a', 3, { last_seq: 3 })
    await commit(journal, {
      clearedJobs: new Set(['a']),
      jobs: jobsOf(row),
      jobEvents: [event('a', 3)],
      jobSteps: stepsOf(done('a', 'v', 'used again')),
    })
    assert.deepEqual(await keysLeft(journal, ['mine', 'shared', 'used again']), ['shared', 'used again'])
    assert.deepEqual([await seqsOf(journal, 'a'), await seqsOf(journal, 'b')], [[3], [1]])
    await harness.crash()
    const { state } = await harness.open()
    assert.deepEqual(state.jobs, [jobRow('b', 2), row])
    assert.deepEqual(state.jobSteps, [done('b', 't', 'shared'), done('a', 'v', 'used again')])
  })

  check('pages and counts of jobs by status, type, project and text', async (journal) => {
    const rows = [
      jobRow('j1', 1, { status: 'pending', meta: '{"title":"A 100% book"}' }),
      jobRow('j2', 2, { project_id: 'p' }),
      ended('j3', 3),
      jobRow('j4', 4, { type: 'dub' }),
    ]
    await commit(journal, { jobs: jobsOf(...rows) })
    const all: JobQuery = { viewer: null, status: null, type: null, projectId: null, text: null, before: null, limit: 10 }
    const ids = async (query: Partial<JobQuery>) => (await journal.jobs.page({ ...all, ...query })).map(({ id }) => id)
    assert.deepEqual(await ids({}), ['j4', 'j3', 'j2', 'j1'])
    assert.deepEqual([await ids({ limit: 2 }), await ids({ before: 'j3' }), await ids({ before: 'x' })], [['j4', 'j3'], ['j2', 'j1'], []])
    assert.deepEqual(
      [await ids({ status: 'active' }), await ids({ status: 'done' }), await ids({ status: 'x' })],
      [['j4', 'j2', 'j1'], ['j3'], []],
    )
    assert.deepEqual([await ids({ type: 'dub' }), await ids({ projectId: 'p' })], [['j4'], ['j2']])
    assert.deepEqual([await ids({ text: 'BOOK' }), await ids({ text: '0%' }), await ids({ text: '%4' })], [['j3', 'j2', 'j1'], ['j1'], []])
    const counts = async (more: Partial<JobQuery>) => Object.fromEntries(await journal.jobs.counts({ ...all, ...more }))
    assert.deepEqual(await counts({}), { pending: 1, running: 2, done: 1 })
    assert.deepEqual(await counts({ type: 'dub' }), { running: 1 })
  })

  check('purging removes the progress of ended jobs with the results, and keeps their other events', async (journal) => {
    await commit(journal, {
      jobs: jobsOf(jobRow('live', 1), ended('old', 2, 10), ended('recent', 3, 20)),
      jobEvents: ['live', 'old', 'recent'].flatMap((id) => [event(id, 1), event(id, 2, 'progress'), event(id, 3, 'terminal')]),
    })
    await journal.jobs.purge(5, 20)
    assert.deepEqual(await Promise.all(['live', 'old', 'recent'].map((id) => seqsOf(journal, id))), [
      [1, 2, 3],
      [1, 3],
      [1, 2, 3],
    ])
  })

  check('purging keeps unfinished jobs with their results, and what is recent', async (journal) => {
    await commit(journal, {
      jobs: jobsOf(jobRow('live', 1), ended('old', 2, 10), ended('recent', 3, 20)),
      jobEvents: [event('live', 1), event('old', 1), event('recent', 1)],
      stepResults: resultsOf(result('of live', { digest: 'file' }), result('of old', { digest: 'gone' }), result('new', { used_at: 20 })),
      jobSteps: stepsOf(done('live', 's', 'of live'), done('recent', 's', 'of old')),
    })
    assert.deepEqual(await journal.jobs.resultFilesAmong(['file', 'gone', 'unknown']), new Set(['file', 'gone']))
    await journal.jobs.purge(20, 20)
    const left = await Promise.all(['live', 'old', 'recent'].map(async (id) => (await journal.jobs.find(id)) !== null))
    assert.deepEqual(left, [true, false, true])
    assert.deepEqual(await Promise.all(['live', 'old', 'recent'].map((id) => seqsOf(journal, id))), [[1], [], [1]])
    assert.deepEqual(await keysLeft(journal, ['of live', 'of old', 'new']), ['of live', 'new'])
    assert.deepEqual(await journal.jobs.resultFilesAmong(['file', 'gone', 'unknown']), new Set(['file']))
  })
}
