import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import type { RestartPolicy } from '#control-plane/jobs/job.ts'
import { JobEnd, jobType, type StepPlan } from '#control-plane/jobs/job-type.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { stage } from '#test/support/doubles/job-stage.ts'
import { ended, jobsFor, openJobs } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const policies: readonly [RestartPolicy, string, boolean][] = [
  ['resume', 'running', false],
  ['interrupt', 'failed', true],
  ['fail', 'failed', false],
]
for (const [onRestart, status, interrupted] of policies)
  test(`a restart: ${onRestart}`, async (t) => {
    const { type, next } = stage()
    const path = join(temporaryFolder(t), 'studio.db')
    const first = openJobs(path, [type({ onRestart })])
    const { id } = (await first.jobs.create({ type: 'test', params: { names: ['a', 'b'] }, meta: {} })).record.job
    ;(await next('a')).go()
    const b = await next('b')
    await b.context.noteTask('task-7')
    first.kill()
    first.close()
    const second = jobsFor(t, [type({ onRestart })], path)
    await second.jobs.start()
    const again = onRestart === 'resume' ? await next('b') : null
    const { record } = onRestart === 'resume' ? (await second.jobs.get(id))! : await ended(second, id)
    assert.equal(record.job.status, status)
    assert.equal(record.job.interrupted, interrupted)
    if (again) assert.equal(again.context.taskId, 'task-7')
    else assert.match(record.job.failure!.message, /interrupted by a restart/)
  })

test('a job of a person that has ended is cancelled at the next start, and no other begins', async (t) => {
  const { type, next } = stage()
  const path = join(temporaryFolder(t), 'studio.db')
  const first = openJobs(path, [type({ onRestart: 'resume' })])
  const { id } = (await first.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  await next('a')
  first.kill()
  first.close()
  const second = jobsFor(t, [type({ onRestart: 'resume' })], path)
  second.hasEnded = true
  await second.jobs.start()
  assert.equal((await ended(second, id)).record.job.status, 'cancelled')
  assert.deepEqual(second.jobs.active(), [])
  await assert.rejects(second.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} }), { code: 'FORBIDDEN' })
})

test('an orderly stop pauses a job as often as it happens; crashes without progress end it', async (t) => {
  const { type, next } = stage()
  const path = join(temporaryFolder(t), 'studio.db')
  let world = openJobs(path, [type()])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  const again = async () => {
    world.close()
    world = openJobs(path, [type()])
    await world.jobs.start()
  }
  for (let stops = 0; stops < 5; stops++) {
    const { context } = await next('a')
    await world.jobs.stop()
    assert.ok(context.signal.aborted && !context.isCancelled())
    await again()
  }
  for (let crashes = 0; crashes < 3; crashes++) {
    await next('a')
    world.kill()
    await again()
  }
  const { record } = await ended(world, id)
  assert.deepEqual([record.job.status, record.job.failure?.code], ['failed', 'JOB_SET_ASIDE'])
  await world.jobs.stop()
  world.close()
})

test('a job that ends the process twice is set aside with its input, also over restarts, and runs again when a person asks for it', async (t) => {
  const { type, next } = stage()
  const path = join(temporaryFolder(t), 'studio.db')
  const digest = 'a'.repeat(64)
  const types = [type({ inputs: () => [digest] })]
  const openAfterFault = () => openJobs(path, types, null, undefined, () => true)
  let world = openAfterFault()
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a', 'b'] }, meta: {} })).record.job
  ;(await next('a')).go()
  const again = async () => {
    world.close()
    world = openAfterFault()
    await world.jobs.start()
  }
  for (let faults = 0; faults < 2; faults++) {
    await next('b')
    world.kill()
    await again()
  }
  const { record } = await ended(world, id)
  assert.equal(record.job.failure?.code, 'JOB_SET_ASIDE')
  await assert.rejects(world.jobs.retry('unknown'), { code: 'NOT_FOUND' })
  for (let restarts = 0; restarts < 2; restarts++) {
    assert.deepEqual([...(await world.jobs.names([digest]))], [digest], 'its input is kept')
    assert.deepEqual(
      world.jobs.setAside().map(({ job }) => job.id),
      [id],
    )
    await world.jobs.stop()
    await again()
  }
  world.hasEnded = true
  await assert.rejects(world.jobs.retry(id), { code: 'FORBIDDEN' }, 'its person has ended')
  assert.deepEqual(world.jobs.setAside(), [], 'there is nothing that a person could try again')
  world.hasEnded = false
  const [first, second] = await Promise.allSettled([world.jobs.retry(id), world.jobs.retry(id)])
  assert.equal(first.status, 'fulfilled')
  assert.match(String(second.status === 'rejected' && second.reason.code), /CONFLICT/, 'one of two')
  const step = await next('b')
  const frames: string[] = []
  const following = (async () => {
    for await (const { payload } of await world.jobs.follow(id, 0, new AbortController().signal)) frames.push(payload)
  })()
  step.go()
  await following
  assert.equal((await ended(world, id)).record.job.status, 'done')
  assert.ok(!frames.some((frame) => frame.includes('"error"')), 'a follower does not see the earlier end')
  assert.match(frames.at(-1)!, /"done"/)
  assert.deepEqual([...(await world.jobs.names([digest]))], [])
  await assert.rejects(world.jobs.retry(id), { code: 'CONFLICT' })
  await world.jobs.stop()
  world.close()
})

test('a removed type and parameters that are no longer valid fail with a reason', async (t) => {
  const { type, next } = stage()
  const path = join(temporaryFolder(t), 'studio.db')
  const first = openJobs(path, [type(), type({ type: 'old' })])
  const make = async (name: string) => (await first.jobs.create({ type: name, params: { names: [name] }, meta: {} })).record.job.id
  const ids = [await make('test'), await make('old')]
  await next('test')
  first.kill()
  first.close()
  const second = jobsFor(t, [type({ params: z.object({ names: z.array(z.string()).length(5) }) })], path)
  await second.jobs.start()
  for (const id of ids) {
    const { job } = (await ended(second, id)).record
    assert.equal(job.failure?.code, 'INVALID_TASK_PARAMS')
    assert.match(job.failure.message, /cannot read the job/)
  }
})

test('a stored output that lacks a field of this version is computed again after a restart, and so is what follows from it', async (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  const reached = Promise.withResolvers<void>()
  const ran: string[] = []
  const Old = z.object({ parts: z.int() })
  const New = z.object({ parts: z.int(), language: z.string() })
  const own = (name: string, output: z.ZodType, make: () => unknown): StepPlan => ({
    name,
    key: { kind: name, version: 1, inputs: [], params: null },
    output,
    async run() {
      ran.push(name)
      return { json: await make(), digest: null, bytes: 0 }
    },
  })
  const end = () =>
    own('end', z.null(), () => {
      reached.resolve()
      return new Promise(() => {})
    })
  const old = jobType({
    ...{ type: 'film', params: z.null(), events: JobEnd, concurrency: 1, onRestart: 'resume' },
    steps: () => [[own('begin', Old, () => ({ parts: 2 }))], [own('same', Old, () => ({ parts: 3 }))], [end()]],
  })
  const first = openJobs(path, [old])
  const { id } = (await first.jobs.create({ type: 'film', params: null, meta: {} })).record.job
  await reached.promise
  first.kill()
  first.close()

  const fresh = jobType({
    ...{ type: 'film', params: z.null(), events: JobEnd, concurrency: 1, onRestart: 'resume' },
    steps(_, outcomes) {
      const begin = own('begin', New, () => ({ parts: 2, language: 'es' }))
      const same = own('same', Old, () => ({ parts: 3 }))
      const found = readOutput(outcomes, 'begin', New)
      return found ? [[begin], [same], [own('end', z.string(), () => found.language)]] : [[begin]]
    },
    result: (_, outcomes) => ({ language: readOutput(outcomes, 'end', z.string())! }),
  })
  ran.length = 0
  const second = openJobs(path, [fresh])
  await second.jobs.start()
  const { record } = await ended(second, id)
  assert.deepEqual([record.job.status, JSON.parse(record.meta), ran], ['done', { language: 'es' }, ['begin', 'end']])
  await second.jobs.stop()
  second.close()

  // The new form has replaced the old one: the next job with the same step finds it.
  ran.length = 0
  const third = jobsFor(t, [fresh], path)
  const again = (await third.jobs.create({ type: 'film', params: null, meta: {} })).record.job.id
  assert.equal((await ended(third, again)).record.job.status, 'done')
  assert.deepEqual(ran, [])
})

test('a step whose output has not its form fails at once', async (t) => {
  const step: StepPlan = {
    ...{ name: 'wrong', key: { kind: 'wrong', version: 1, inputs: [], params: null }, output: z.object({ parts: z.int() }) },
    run: async () => ({ json: {}, digest: null, bytes: 0 }),
  }
  const world = jobsFor(t, [
    jobType({ type: 'film', params: z.null(), events: JobEnd, concurrency: 1, onRestart: 'resume', steps: () => [[step]] }),
  ])
  const { id } = (await world.jobs.create({ type: 'film', params: null, meta: {} })).record.job
  assert.equal((await ended(world, id)).record.job.status, 'failed')
})
