// Equal keys name the same task: for concurrent callers, after the task has ended, and across both kinds of studio shutdown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanSoFar, slowly, startOn, tasksOf } from '#test/support/world/tasks.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true })

test('an idempotency key names one task permanently', async (t) => {
  const world = await open()
  const earlier = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
  const ownTasks = async () => (await tasksOf(world)).filter(({ task_id }) => !earlier.has(task_id))
  const task = (key: string, params: object = slowly(300)) => world.task({ engine: 'tone', params, idempotency_key: key })
  const speak = (key: string, input: string) =>
    world.send('POST', '/v1/audio/speech', { input, response_format: 'pcm' }, { 'idempotency-key': key })

  await t.test('20 concurrent callers', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => task('at-once')))
    for (const reply of replies) assert.equal(reply.status, 200, reply.body.toString())
    assert.equal(new Set(replies.map((reply) => reply.json().task_id)).size, 1)
    assert.equal((await ownTasks()).length, 1)

    const speeches = await Promise.all(Array.from({ length: 20 }, () => speak('at-once', 'All of us get the same.')))
    for (const { status, body } of speeches) {
      assert.equal(status, 200)
      assert.ok(body.length > 16_000 && body.equals(speeches[0]!.body))
    }
    assert.equal((await ownTasks()).length, 2, 'the routes have separate keys')
  })

  await t.test('another body is refused, and a failed task stays failed', async () => {
    for (const reply of [await task('at-once', slowly(301)), await speak('at-once', 'Something else.')]) {
      assert.equal(reply.status, 409)
      assert.match(reply.json().detail, /idempotency key was already used/)
    }
    const fault = { segments: [{ text: 'no' }], fault: { kind: 'fail', code: 'INVALID_TASK_PARAMS' } }
    const [failed, again] = [await task('failing', fault), await task('failing', fault)]
    assert.equal(failed.status, 502)
    assert.deepEqual([again.status, again.json()], [failed.status, failed.json()])
  })

  const ended = (await task('at-once')).json()
  const first = await speak('at-once', 'All of us get the same.')
  const say = () =>
    world.send('POST', '/v1/audio/speech', { input: 'Say it once, hear it twice.', response_format: 'wav' }, { 'idempotency-key': 'again' })
  const said = await say()
  assert.equal(said.status, 200, said.body.toString().slice(0, 200))
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    await t.test(`across ${signal} of the studio, for ended and running tasks`, async () => {
      const running = await startOn(world, 'local', { params: slowly(3_000), idempotency_key: `under way at ${signal}` })
      // The stored audio is read also before any machine has reconnected.
      await world.restart(signal, {}, false)
      const again = await say()
      assert.equal(again.status, 200, again.body.toString().slice(0, 200))
      assert.equal(again.body.readUInt32LE(24), said.body.readUInt32LE(24), 'samples a second')
      assert.ok(again.body.equals(said.body))
      assert.ok(again.headers.get('x-svc-routing-reason'), 'the substitute, or a notice that it is unknown, is reported')
      assert.deepEqual((await task('at-once')).json(), ended)
      assert.ok((await speak('at-once', 'All of us get the same.')).body.equals(first.body))
      const finished = await task(`under way at ${signal}`, slowly(3_000))
      assert.equal(finished.status, 200, finished.body.toString())
      assert.equal(finished.json().task_id, running.id)
    })

  await cleanSoFar(world)
  assert.equal((await ownTasks()).length, 6)
})
