// Jobs that can do nothing until a machine or space on the disk is there do not keep others from running.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whenAllowed } from '#control-plane/inference/when-ready.ts'
import { stepOutput } from '#control-plane/jobs/job-type.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { type Params, stage } from '#test/support/doubles/job-stage.ts'
import { ended, type JobWorld, jobsFor } from '#test/support/doubles/jobs.ts'

const create = async (world: JobWorld, params: Params) => (await world.jobs.create({ type: 'test', params, meta: {} })).record.job.id
const TURNS = 200
/** Enough for all that is possible without the clock. */
const settle = async () => {
  for (let turns = 0; turns < TURNS; turns++) await nextTurn()
}
/** A wait that the test ends. */
function wait() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve, fail: reject }
}

test('a job that waits gives its place away, and continues before jobs that have not begun', async (t) => {
  const { type, begun, next } = stage()
  const world = jobsFor(t, [type({ concurrency: 1 })])
  const ids = [await create(world, { names: ['a', 'a2'] })]
  const a = await next('a')
  for (const name of ['b', 'c']) ids.push(await create(world, { names: [name] }))
  await settle()
  assert.equal(begun.length, 0)
  const machine = wait()
  let isBack = false
  const over = a.context.whileWaiting(machine.work).then(() => {
    isBack = true
  })
  const b = await next('b')
  assert.equal((await world.jobs.get(ids[0]!))!.record.job.status, 'running')
  machine.end()
  await settle()
  assert.deepEqual([isBack, begun.length], [false, 0], 'its place is taken')
  b.go()
  await over
  await settle()
  assert.equal(begun.length, 0, 'c began before the job that had its place earlier')
  a.go()
  ;(await next('a2')).go()
  ;(await next('c')).go()
  for (const id of ids) assert.equal((await ended(world, id)).record.job.status, 'done')
})

test('a job keeps its place while one of its steps works, and 32 jobs at most are away', async (t) => {
  const { type, stepOf, begun, next } = stage()
  const steps = ({ names }: Params) => [names.map((name) => stepOf(name))]
  const world = jobsFor(t, [type({ concurrency: 1, parallel: 2, steps })])
  await create(world, { names: ['left', 'right'] })
  const [left, right] = [await next('left'), await next('right')]
  const ids: string[] = []
  for (let job = 0; job < 40; job++) ids.push(await create(world, { names: [`job ${job}`] }))
  const machine = wait()
  const waits = [left.context.whileWaiting(machine.work)]
  await settle()
  assert.equal(begun.length, 0)
  waits.push(right.context.whileWaiting(machine.work))
  const away: Awaited<ReturnType<typeof next>>[] = []
  for (let job = 0; job < 32; job++) {
    away.push(await next(`job ${job}`))
    waits.push(away.at(-1)!.context.whileWaiting(machine.work))
  }
  await settle()
  assert.equal(begun.length, 0, 'a thirty-third job left its place')
  machine.end()
  await waits.at(-1)
  away.at(-1)!.go()
  await Promise.all(waits.slice(0, 2))
  left.go()
  right.go()
  for (const [job, one] of away.entries()) {
    await waits[2 + job]
    one.go()
  }
  for (let job = 32; job < 40; job++) (await next(`job ${job}`)).go()
  for (const id of ids) await ended(world, id)
})

test('a job whose last working step ends gives its place away, because the others wait', async (t) => {
  const { type, stepOf, begun, next } = stage()
  const steps = ({ names }: Params) => [names.map((name) => stepOf(name))]
  const world = jobsFor(t, [type({ concurrency: 1, parallel: 2, steps })])
  const first = await create(world, { names: ['waits', 'works', 'works too'] })
  const [waits, works] = [await next('waits'), await next('works')]
  const second = await create(world, { names: ['other'] })
  const machine = wait()
  const over = waits.context.whileWaiting(machine.work)
  works.go()
  const last = await next('works too')
  await settle()
  assert.equal(begun.length, 0, 'the job lost its place although it has more to do')
  last.go()
  const other = await next('other')
  machine.end()
  other.go()
  await over
  waits.go()
  for (const id of [first, second]) assert.equal((await ended(world, id)).record.job.status, 'done')
})

test('jobs that are cancelled or fail while they are away leave no place behind', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type({ concurrency: 1 })])
  const cancelled = await create(world, { names: ['a'] })
  const a = await next('a')
  const failing = await create(world, { names: ['b'] })
  const returning = await create(world, { names: ['c'] })
  const last = await create(world, { names: ['d'] })
  const refused = (one: typeof a, machine: ReturnType<typeof wait>) =>
    one.context.whileWaiting(machine.work).catch((error: Error) => one.go(error))
  const machine = wait()
  const waits = [refused(a, machine)]
  const b = await next('b')
  const broken = wait()
  waits.push(refused(b, broken))
  const c = await next('c')
  broken.fail(new Error('broken'))
  await settle()
  // It has come back in vain: its place is taken.
  await world.jobs.cancel(cancelled)
  assert.equal((await ended(world, cancelled)).record.job.status, 'cancelled')
  c.go()
  assert.equal((await ended(world, failing)).record.job.status, 'failed')
  machine.end()
  ;(await next('d')).go()
  for (const id of [returning, last]) assert.equal((await ended(world, id)).record.job.status, 'done')
  await Promise.all(waits)
})

test('two jobs that share a run continue with one place', async (t) => {
  const { type, begun, next } = stage()
  const world = jobsFor(t, [type({ concurrency: 2 })])
  const ids = [await create(world, { names: ['a'], shared: 'x' })]
  const a = await next('a')
  ids.push(await create(world, { names: ['a'], shared: 'x' }))
  await settle()
  const machine = wait()
  const over = a.context.whileWaiting(machine.work)
  ids.push(await create(world, { names: ['a'], shared: 'x' }))
  const others: Awaited<ReturnType<typeof next>>[] = []
  for (const name of ['b', 'c', 'd']) ids.push(await create(world, { names: [name] }))
  for (const name of ['b', 'c']) others.push(await next(name))
  await settle()
  assert.equal(begun.length, 0)
  machine.end()
  others[0]!.go()
  await over
  a.go()
  others[1]!.go()
  ;(await next('d')).go()
  for (const id of ids) assert.equal((await ended(world, id)).record.job.status, 'done')
})

test('a wait that ends while others of its step go on works with a place only', async (t) => {
  const { type, begun, next } = stage()
  const world = jobsFor(t, [type({ concurrency: 1 })])
  const ids = [await create(world, { names: ['a'] }), await create(world, { names: ['b'] }), await create(world, { names: ['c'] })]
  const a = await next('a')
  const machines = [wait(), wait(), wait()] as const
  const back: number[] = []
  const waits = machines.map(({ work }, at) => a.context.whileWaiting(work).then(() => void back.push(at)))
  const b = await next('b')
  machines[1].end()
  await settle()
  assert.deepEqual(back, [], 'the second wait goes on beside the job that has its place')
  machines[0].end()
  await settle()
  assert.deepEqual(back, [])
  // The step has something to do when its place is there, so this is no reason to leave again.
  const late = wait()
  const idle = a.context.whileWaiting(late.work)
  b.go()
  await Promise.all(waits.slice(0, 2))
  await settle()
  assert.deepEqual([back, begun.length], [[1, 0], 0], 'it works with its place, and the third wait goes on')
  const again = wait()
  const more = a.context.whileWaiting(again.work)
  const c = await next('c')
  machines[2].end()
  late.end()
  await settle()
  assert.deepEqual(back, [1, 0])
  c.go()
  await Promise.all([...waits, idle])
  again.end()
  await more
  a.go()
  for (const id of ids) assert.equal((await ended(world, id)).record.job.status, 'done')
})

test('a run goes on with the place of a job that joins it when the job that waited for one leaves', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type({ concurrency: 1 }), type({ type: 'other', concurrency: 1 })])
  const first = await create(world, { names: ['a'], shared: 'x' })
  const a = await next('a')
  const rest = await create(world, { names: ['b'] })
  const machine = wait()
  const over = a.context.whileWaiting(machine.work)
  const b = await next('b')
  machine.end()
  await settle()
  const { record } = await world.jobs.create({ type: 'other', params: { names: ['a'], shared: 'x' }, meta: {} })
  await settle()
  await world.jobs.cancel(first)
  await over
  a.go()
  assert.equal((await ended(world, record.job.id)).record.job.status, 'done')
  b.go()
  await ended(world, rest)
})

test('a job that a limit of its maker holds says so, gives its place away, and goes on; one that the limit never allows fails', async (t) => {
  const { type, stepOf, next } = stage()
  const quota = wait()
  const held = new Failure('QUOTA_EXCEEDED', 'It is free again on 1 December 2026 at 00:00.', { retryAfterSeconds: 3_600 })
  const never = new Failure('QUOTA_EXCEEDED', 'The limit is 1 minute of sound a day, and this may need 9 minutes.')
  const rests: number[] = []
  let attempts = 0
  const limited = (name: string, attempt: () => Promise<void>) =>
    stepOf(name, undefined, {
      async run() {
        const rest = (ms: number) => {
          rests.push(ms)
          return quota.work()
        }
        await whenAllowed(attempt, { rest })
        return stepOutput({ ok: true })
      },
    })
  const once = async () => {
    if (++attempts === 1) throw held
  }
  const refused = async () => {
    throw never
  }
  const steps = ({ names }: Params) =>
    names.map((name) => [name === 'limited' ? limited(name, once) : name === 'too much' ? limited(name, refused) : stepOf(name)])
  const world = jobsFor(t, [type({ concurrency: 1, steps })])
  const waiting = await create(world, { names: ['first', 'limited'] })
  ;(await next('first')).go()
  const other = await create(world, { names: ['b'] })
  const b = await next('b')
  const view = await world.jobs.get(waiting)
  assert.deepEqual([view?.record.job.status, view?.heldBy?.message, view?.progress], ['running', held.message, 0.5])
  assert.deepEqual(rests, [60_000], 'it looks again every minute, because limits change')
  quota.end()
  b.go()
  assert.equal((await ended(world, waiting)).record.job.status, 'done')
  assert.equal((await ended(world, other)).record.job.status, 'done')
  assert.equal(attempts, 2)
  const failed = await ended(world, await create(world, { names: ['too much'] }))
  assert.deepEqual([failed.record.job.failure?.code, failed.record.job.failure?.message], ['QUOTA_EXCEEDED', never.message])
  await assert.rejects(
    whenAllowed(() => Promise.reject(held), { rest: () => assert.fail('a caller that waits for an answer') }),
    held,
  )
})
