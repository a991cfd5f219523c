// Events that are added to jobs, also to those that have ended.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '#shared/protocol/failure.ts'
import { framesOf, stage } from '#test/support/doubles/job-stage.ts'
import { ended, jobsFor } from '#test/support/doubles/jobs.ts'

const coded = (code: string) => (error: unknown) => error instanceof Failure && error.code === code

test('an event of a job that has ended follows its last one, and the job stays as it ended', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type({ framing: 'sse' })])
  const { id } = (await world.jobs.create({ type: 'test', params: { names: ['a'] }, meta: {} })).record.job
  const { go } = await next('a')
  assert.equal(await world.jobs.append(id, { type: 'early' }), true, 'a running job takes it, too')
  go()
  await ended(world, id)
  const before = (await world.jobs.get(id))!.record
  assert.equal(await world.jobs.append(id, { type: 'found', n: 1 }), true)
  const after = (await world.jobs.get(id))!.record
  assert.deepEqual({ ...after, lastSeq: before.lastSeq }, before)
  assert.equal(after.lastSeq, before.lastSeq + 1)
  const followed: string[] = []
  for await (const { payload } of await world.jobs.follow(id, 0, new AbortController().signal)) followed.push(payload)
  assert.deepEqual(
    framesOf(followed.map((payload) => ({ payload }))).map((frame) => frame.type),
    ['early', 'done', 'found'],
  )
  assert.equal(await world.jobs.append('unknown', { type: 'found' }), false)
  await assert.rejects(world.jobs.append(id, { type: 'found', text: 'x'.repeat(300_000) }), coded('BODY_TOO_LARGE'))
})

test('appended events have ascending numbers without gaps, also where the id is used again', async (t) => {
  const { type, next } = stage()
  const world = jobsFor(t, [type()])
  let [n, steps] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('append', 'again'), { minLength: 1, maxLength: 12 }), async (actions) => {
      const id = `job-${n++}`
      const run = async () => {
        const name = `step ${++steps}`
        await world.jobs.create({ type: 'test', params: { names: [name] }, meta: {}, id })
        const { go } = await next(name)
        go()
        await ended(world, id)
      }
      await run()
      let expected = 0
      let since = (await world.jobs.get(id))!.record.lastSeq
      const waiting: Promise<unknown>[] = []
      for (const action of actions) {
        if (action === 'append') {
          expected++
          waiting.push(world.jobs.append(id, { type: 'found', n: expected }))
        } else {
          await Promise.all(waiting.splice(0))
          await run()
          expected = 0
          since = (await world.jobs.get(id))!.record.lastSeq
        }
      }
      await Promise.all(waiting)
      const events = (await world.jobs.events(id, since, 100)).map(({ seq }) => seq)
      assert.deepEqual(
        events,
        Array.from({ length: expected }, (_, at) => since + at + 1),
      )
      assert.equal((await world.jobs.get(id))!.record.lastSeq, since + expected)
    }),
    { numRuns: 25 },
  )
})
