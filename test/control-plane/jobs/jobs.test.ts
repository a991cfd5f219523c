import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobTypeRow } from '#control-plane/jobs/job-type.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { framesOf, type Params, stage } from '#test/support/doubles/job-stage.ts'
import { ended, jobsFor } from '#test/support/doubles/jobs.ts'

test('a job runs its stages in order, shows its step and the time left, and ends with its result', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type({ result: (_, { outputs }) => ({ steps: outputs.size }) })])
  const { record } = await world.jobs.create({ type: 'test', params: { names: ['a', 'b'] }, meta: { title: 'x' } })
  const { id } = record.job
  assert.equal(record.job.status, 'pending')
  const a = await next('a')
  world.clock.advance(10_000)
  a.context.report({ fraction: 0.5, secondsLeft: null, frame: null })
  let view = (await world.jobs.get(id))!
  assert.deepEqual(view.record.step, { name: 'a', ordinal: 1, total: 2 })
  assert.equal(view.progress, 0.25)
  assert.equal(view.secondsLeft, null, 'the length of the second step is unknown')
  world.clock.advance(10_000)
  a.go()
  const b = await next('b')
  view = (await world.jobs.get(id))!
  assert.deepEqual(view.record.step, { name: 'b', ordinal: 2, total: 2 })
  assert.equal(view.secondsLeft, 20, 'as long as the previous step of its kind')
  b.context.report({ fraction: 0.9, secondsLeft: 3, frame: null })
  assert.equal((await world.jobs.get(id))!.secondsLeft, 3)
  b.go()
  view = await ended(world, id)
  assert.equal(view.record.job.status, 'done')
  assert.deepEqual(JSON.parse(view.record.meta), { title: 'x', steps: 2 })
  assert.deepEqual([view.progress, view.secondsLeft], [1, null])
  const statuses = world.changes.map(({ record: { job } }) => job.status)
  assert.deepEqual([...new Set(statuses)], ['pending', 'running', 'done'])
})

test('as many jobs of a type run as it allows; the others wait in their order, and a waiting one is cancelled at once', async (t) => {
  const { type, begun, next } = stage()
  const world = jobsFor(t, [type({ concurrency: 1 })])
  const ids: string[] = []
  for (const name of ['a', 'b', 'c'])
    ids.push((await world.jobs.create({ type: 'test', params: { names: [name] }, meta: {} })).record.job.id)
  const a = await next('a')
  assert.deepEqual(begun, [])
  await world.jobs.cancel(ids[1]!)
  assert.equal((await world.jobs.get(ids[1]!))!.record.job.status, 'cancelled')
  a.go()
  ;(await next('c')).go()
  for (const id of ids) await ended(world, id)
  assert.deepEqual(await world.jobs.counts({ viewer: null, type: null, projectId: null, text: null }), {
    pending: 0,
    running: 0,
    done: 2,
    failed: 0,
    cancelled: 1,
  })
  await world.jobs.cancel(ids[0]!) // ended since the start: nothing happens
  await assert.rejects(world.jobs.cancel('unknown'), { code: 'NOT_FOUND' })
})

test('a cancel stops what runs, ends in `cancelled` and leaves no step and no result', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a', 'b'] }, meta: {} })).record.job
  ;(await next('a')).go()
  const { context } = await next('b')
  await world.jobs.cancel(id)
  assert.ok(context.signal.aborted && context.isCancelled())
  const { record } = await ended(world, id)
  assert.equal(record.job.status, 'cancelled')
  assert.deepEqual(framesOf(await world.jobs.events(id, 0, 100)).at(-1), { type: 'cancelled' })
  for (const table of ['job_step', 'step_result'])
    assert.equal(world.db.prepare<[], { n: number }>(`select count(*) as n from ${table}`).get()!.n, 0, table)
})

test('equal steps of two jobs share one run, which goes on when one of them is cancelled', async (t) => {
  const { type, begun, next } = stage()
  const world = jobsFor(t, [type()])
  const make = async () => (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job.id
  const [one, other] = [await make(), await make()]
  const { context, go } = await next('a')
  while ((await world.jobs.get(other))!.record.step === null) await nextTurn()
  await world.jobs.cancel(one)
  await ended(world, one)
  assert.equal(context.signal.aborted, false)
  go()
  assert.equal((await ended(world, other)).record.job.status, 'done')
  const third = await make()
  assert.equal((await ended(world, third)).record.job.status, 'done')
  assert.deepEqual(begun, [], 'nothing ran for the third')
})

test('a failure ends the job with its reason and the failure event of the API; an optional step may fail', async (t) => {
  const { type, stepOf, next } = stage()
  const steps: JobTypeRow<Params>['steps'] = () => [[stepOf('a', '', { optional: true })], [stepOf('b')]]
  const world = jobsFor(t, [type({ steps })])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: [] }, meta: {} })).record.job
  ;(await next('a')).go(new Error('no matter'))
  ;(await next('b')).go(new Error('the file is empty'))
  const { record } = await ended(world, id)
  assert.deepEqual(record.job.failure, { code: 'UNKNOWN', message: 'the file is empty' })
  const last = framesOf(await world.jobs.events(id, 0, 100)).at(-1) as Record<string, unknown>
  assert.deepEqual(Object.keys(last), ['type', 'reason', 'error', 'error_class', 'stage', 'hint', 'docs_topic', 'docs_url', 'detail'])
  assert.deepEqual([last['type'], last['reason'], last['error_class']], ['error', 'the file is empty', 'UNKNOWN'])
})

test('a job whose last event cannot be made fails, and leaves its lane', async (t) => {
  const { type, next } = stage()
  const huge = type({ concurrency: 1, doneFrame: () => ({ type: 'done', text: 'x'.repeat(300_000) }) })
  const world = jobsFor(t, [huge])
  const [first, second] = await Promise.all(
    ['a', 'b'].map((name) => world.jobs.create({ type: 'test', params: { names: [name] }, meta: {} })),
  )
  ;(await next('a')).go()
  const { record } = await ended(world, first!.record.job.id)
  assert.deepEqual([record.job.status, record.job.failure?.code], ['failed', 'BODY_TOO_LARGE'])
  ;(await next('b')).go()
  await ended(world, second!.record.job.id)
})

test('a full disk: nothing is created and nothing is lost; the job goes on when there is room', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  const full = (yes: boolean) => world.db.pragma(`query_only = ${yes ? 'on' : 'off'}`)
  full(true)
  await assert.rejects(world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} }), { code: 'STORAGE_FULL' })
  full(false)
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  const { context, go } = await next('a')
  full(true)
  let isEmitted = false
  const emitting = context.emit({ type: 'note' }).then(() => {
    isEmitted = true
  })
  context.report({ fraction: 0.5, secondsLeft: null, frame: { type: 'progress' } })
  await assert.rejects(world.jobs.cancel(id), { code: 'STORAGE_FULL' })
  assert.equal(context.signal.aborted, false, 'a cancel that is not durable has not happened')
  for (let tries = 0; tries < 3; tries++) {
    await nextTurn()
    world.clock.advance(2_000)
  }
  assert.equal(isEmitted, false)
  assert.equal(world.storageFull.length, 1, 'reported once, not at every try')
  full(false)
  await nextTurn()
  world.clock.advance(2_000)
  await emitting
  full(true)
  go()
  await nextTurn()
  assert.equal((await world.jobs.get(id))!.record.job.status, 'running')
  full(false)
  await nextTurn()
  world.clock.advance(2_000)
  const { record } = await ended(world, id)
  assert.equal(record.job.status, 'done')
  assert.deepEqual(
    framesOf(await world.jobs.events(id, 0, 100)).map(({ type }) => type),
    ['note', 'done'],
  )
})

test('hostile values are refused before anything is written, or kept as they are', async (t) => {
  const { type, begun, next } = stage()
  const world = jobsFor(t, [type()])
  const create = (params: unknown, more: object = {}) => world.jobs.create({ type: 'test', params: params as never, meta: {}, ...more })
  await assert.rejects(create({ names: [] }, { type: 'nothing' }), { code: 'NOT_FOUND' })
  await assert.rejects(create({ names: 'a' }), { code: 'INVALID_TASK_PARAMS' })
  await assert.rejects(create({ names: ['x'.repeat(2_000_000)] }), { code: 'BODY_TOO_LARGE' })
  await assert.rejects(create({ names: [Number.NaN] }), TypeError)
  assert.deepEqual(
    await world.jobs.page({ viewer: null, status: null, type: null, projectId: null, text: null, before: null, limit: 10 }),
    [],
  )
  const name = '\u0000\ud800\u2028%_\\\'";drop table job;--'
  const { id } = (await create({ names: [name] }, { meta: { title: name } })).record.job
  const { context, go } = await next(name)
  await assert.rejects(context.emit({ type: 'note', text: 'x'.repeat(300_000) }), { code: 'BODY_TOO_LARGE' })
  await context.emit({ type: 'note', text: `${name}\n\n` })
  go()
  const { record } = await ended(world, id)
  assert.deepEqual(JSON.parse(record.meta), { title: name })
  const [row] = await world.jobs.events(id, 0, 1)
  assert.equal(row!.payload.indexOf('\n\n'), row!.payload.length - 2, 'one frame')
  const page = async (text: string) =>
    (await world.jobs.page({ viewer: null, status: null, type: null, projectId: null, text, before: null, limit: 10 })).length
  assert.deepEqual(await Promise.all(['%_', '%%', 'DROP TABLE', `'`].map(page)), [1, 0, 1, 1])
  assert.deepEqual(begun, [])
})

test('an id is used again by a later job; its event numbers go on', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  const create = (name: string) => world.jobs.create({ type: 'test', params: { names: [name] }, meta: {}, id: 'prep_1' })
  const making = create('a')
  await assert.rejects(create('b'), { code: 'CONFLICT' })
  await making
  const a = await next('a')
  await a.context.emit({ type: 'note' })
  await assert.rejects(create('b'), { code: 'CONFLICT' })
  a.go()
  await ended(world, 'prep_1')
  await create('b')
  ;(await next('b')).go()
  await ended(world, 'prep_1')
  assert.deepEqual(
    (await world.jobs.events('prep_1', 0, 10)).map(({ seq }) => seq),
    [3],
  )
  const steps = world.db.prepare<[], { name: string }>('select name from job_step').all()
  assert.deepEqual(steps, [{ name: 'b' }])
})

test('pages go back in time without gaps or duplicates, by status, type and text', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type({ concurrency: 1 }), type({ type: 'other' })])
  const ids: string[] = []
  for (let n = 0; n < 7; n++) {
    const { record } = await world.jobs.create({ type: 'test', params: { names: [`n${n}`] }, meta: { title: `book ${n}` }, projectId: 'p' })
    ids.unshift(record.job.id)
  }
  const all = { viewer: null, status: null, type: null, projectId: null, text: null, before: null, limit: 3 }
  const read: string[] = []
  for (let before: string | null = null; ; before = read.at(-1)!) {
    const page = await world.jobs.page({ ...all, before })
    if (page.length === 0) break
    read.push(...page.map(({ record }) => record.job.id))
  }
  assert.deepEqual(read, ids)
  ;(await next('n0')).go()
  await next('n1')
  const count = async (query: object) => (await world.jobs.page({ ...all, limit: 100, ...query })).length
  assert.equal(await count({ status: 'active' }), 6)
  assert.equal(await count({ status: 'done' }), 1)
  assert.equal(await count({ status: 'nonsense' }), 0)
  assert.equal(await count({ type: 'other' }), 0)
  assert.equal(await count({ projectId: 'p' }), 7)
  assert.equal(await count({ projectId: 'q' }), 0)
  assert.equal(await count({ text: 'BOOK 3' }), 1)
  assert.equal(await count({ before: 'unknown' }), 0)
})
