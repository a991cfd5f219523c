// A pool of real machines and the studios that share it: real programs, links and engines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attach, openPool } from '#test/support/peers/pool.ts'
import { studio as studioCommand } from '#test/support/world/cli.ts'
import { cleanHistory, cleanSoFar, digestOf, slowly, startOn, tasksOf, timesBegun } from '#test/support/world/tasks.ts'
import { eventually, type Machine, openWorld, type World } from '#test/support/world/world.ts'

const relayed = async (pool: World) => (await tasksOf(pool)).toReversed()
const machineOf = (inside: readonly Machine[], id: string) => inside.find(({ workerId }) => workerId === id)!

test('studios use a pool as one machine', async (t) => {
  const { pool, inside } = await openPool(t, ['rack-01', 'rack-02'])
  const [ada, bob] = await Promise.all([openWorld(t, { remote: true }), openWorld(t, { remote: true })])
  const [ofAda, ofBob] = [await attach(pool, ada, 'Ada'), await attach(pool, bob, 'Bob')]
  const works = slowly(1_000)
  const attemptsOf = async (world: World) => (await tasksOf(world))[0]!.attempts.map(({ worker_id }) => worker_id)

  await t.test('nothing is sent before the studio has approved it', async () => {
    const reply = await ada.post('/workers/target', { target: ofAda })
    assert.equal(reply.json().active.remote, false)
    assert.equal((await relayed(pool)).length, 0)
  })

  await t.test('its machines make the bytes of this machine, and each studio sees one attempt', async () => {
    const local = await startOn(ada, 'local', { params: works })
    const digest = digestOf(await local.reply)
    for (const [world, id] of [
      [ada, ofAda],
      [bob, ofBob],
    ] as const) {
      await world.post(`/workers/${id}/consent`)
      const { reply } = await startOn(world, id, { params: works })
      assert.equal(digestOf(await reply), digest)
      assert.deepEqual(await attemptsOf(world), [id])
    }
    const tasks = await relayed(pool)
    assert.equal(tasks.length, 2)
    for (const { task_id, attempts } of tasks) {
      assert.equal(attempts.length, 1)
      assert.equal(timesBegun(machineOf(inside, attempts[0]!.worker_id).program, task_id), 1)
    }
  })

  await t.test('work of both goes to both machines', async () => {
    const started = await Promise.all(
      [ada, bob].map((world, at) =>
        Promise.all([1, 2, 3].map((seed) => world.task({ engine: 'tone', params: slowly(1_500, 10 * at + seed) }))),
      ),
    )
    assert.ok(started.flat().every(({ status }) => status === 200))
    const used = (await relayed(pool)).slice(2).map(({ attempts }) => attempts[0]!.worker_id)
    assert.deepEqual([used.length, new Set(used).size], [6, 2])
  })

  await t.test('a machine that is killed costs the pool an attempt and the studio none', async () => {
    const { reply } = await startOn(ada, ofAda, { params: slowly(4_000, 77) })
    const task = await eventually(async () => (await relayed(pool)).find(({ state }) => state === 'running'))
    const first = machineOf(inside, task.attempts[0]!.worker_id)
    await first.program.end('SIGKILL')
    assert.equal((await reply).status, 200)
    assert.deepEqual(await attemptsOf(ada), [ofAda])
    const ended = (await relayed(pool)).find(({ task_id }) => task_id === task.task_id)!
    assert.equal(ended.attempts.length, 2)
    assert.notEqual(ended.attempts[1]!.worker_id, first.workerId)
    inside[inside.indexOf(first)] = await first.restart()
  })

  await t.test('a task that is cancelled in the studio ends in the pool', async () => {
    const { id } = await startOn(ada, ofAda, { params: slowly(60_000, 5) })
    const task = await eventually(async () => (await relayed(pool)).find(({ state }) => state === 'running'))
    await ada.post(`/workers/tasks/${id}/cancel`)
    await eventually(async () => (await relayed(pool)).find(({ task_id, state }) => task_id === task.task_id && state === 'cancelled'))
  })

  await t.test('a withdrawn approval of the studio ends its work in the pool, and no other', async () => {
    const other = await startOn(bob, ofBob, { params: slowly(2_500, 6) })
    const { reply } = await startOn(ada, ofAda, { params: slowly(4_000, 7) })
    const running = await eventually(async () => {
      const all = (await relayed(pool)).filter(({ state }) => state === 'running')
      return all.length === 2 && all
    })
    await ada.delete(`/workers/${ofAda}/consent`)
    const ended = await eventually(async () =>
      (await relayed(pool)).find(({ task_id, state }) => state === 'cancelled' && running.some((one) => one.task_id === task_id)),
    )
    assert.equal((await reply).status, 200, 'it was done elsewhere')
    assert.notDeepEqual(await attemptsOf(ada), [ofAda])
    assert.equal((await other.reply).status, 200)
    assert.deepEqual(await attemptsOf(bob), [ofBob])
    assert.ok(running.some(({ task_id }) => task_id === ended.task_id))
    await ada.post(`/workers/${ofAda}/consent`)
  })

  await t.test('a machine that the operator no longer approves gets no byte of a studio', async () => {
    const [first, second] = inside
    await pool.delete(`/workers/${first!.workerId}/consent`)
    const from = (await relayed(pool)).length
    const { reply } = await startOn(ada, ofAda, { params: slowly(300, 8) })
    assert.equal((await reply).status, 200)
    assert.deepEqual(
      (await relayed(pool)).slice(from).map(({ attempts }) => attempts.map(({ worker_id }) => worker_id)),
      [[second!.workerId]],
    )
    await pool.approve(first!)
  })

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    await t.test(`a pool that ends with ${signal} in the middle finishes the work once`, async () => {
      const { reply } = await startOn(ada, ofAda, { params: slowly(5_000, signal.length) })
      const task = await eventually(async () => (await relayed(pool)).find(({ state }) => state === 'running'))
      await pool.restart(signal)
      assert.equal((await reply).status, 200)
      const here = (await tasksOf(ada))[0]!.attempts.map(({ worker_id }) => worker_id)
      const there = (await relayed(pool)).find(({ task_id }) => task_id === task.task_id)!
      // The studio came back to the same task, or did the work itself, and the pool ends what nothing reads.
      if (here.at(-1) === ofAda) assert.deepEqual([there.state, there.attempts.length], ['completed', 1])
    })

  await t.test('it serves its operator and has no library', async () => {
    assert.equal((await pool.get('/health')).status, 200)
    for (const command of ['status', 'workers']) {
      const { code, output, errors } = await studioCommand([command], { env: { STUDIO_PORT: new URL(pool.url).port } })
      assert.equal(code, 0, errors)
      assert.doesNotMatch(output, /Local +ready/)
    }
    assert.equal((await pool.post('/v1/audio/speech', { input: 'Hello.' })).status, 404)
    const view = (await ada.get('/workers')).json().workers.find(({ id }: { id: string }) => id === ofAda)
    assert.deepEqual([view.pool.operator, view.pool.places], ['Example University', ['France', 'Germany']])
    assert.equal(view.pool.machines, 2)
  })

  await cleanSoFar(ada)
  await cleanSoFar(bob)
  await cleanHistory(pool)
})
