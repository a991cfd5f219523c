import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import type { RestartPolicy } from '#control-plane/jobs/job.ts'
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
  assert.equal(record.job.status, 'failed')
  assert.match(record.job.failure!.message, /interrupted by a restart/)
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
