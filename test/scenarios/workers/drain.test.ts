// Taking a machine out of service without losing a task, and models that do not fit on a machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanSoFar, slowly, startOn } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const well = { engine: 'tone', params: { segments: [{ text: 'Hello.' }] } }

const open = sharedWorld({ remote: true })

test('machines and models that take no tasks', async (t) => {
  const world = await open()

  await t.test('a task whose model does not fit waits, and the list shows how much memory is missing', async () => {
    const waiting = world.task({ ...well, model_id: 'vast' })
    const task = await eventually(async () => {
      const [newest] = (await world.get('/workers/tasks?limit=1')).json().tasks
      return newest?.waiting_for.length > 0 && newest
    })
    assert.equal(task.waiting_for[0].worker_id, 'local')
    assert.match(task.waiting_for[0].reason, /^not enough memory: it needs 1048576\.0 GiB of memory, \d+\.\d GiB is free$/)
    await world.post(`/workers/tasks/${task.task_id}/cancel`)
    assert.equal((await waiting).status, 409)
  })

  await t.test('a draining machine finishes its tasks, accepts no new ones across a restart, and works again after resume', async () => {
    const machine = await world.machine('box')
    await world.approve(machine)
    const path = `/workers/${machine.workerId}/drain`
    const workerView = async () => (await world.get('/workers')).json().workers[0]
    const newest = async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0]

    const running = await startOn(world, machine.workerId, { params: slowly(3000) })
    assert.equal(running.workerId, machine.workerId)
    const reply = await world.post(path, {})
    assert.deepEqual([reply.status, reply.json().id], [200, machine.workerId])
    assert.equal((await workerView()).draining, true)
    const { targets } = (await world.get('/workers/target?op=tts')).json()
    assert.deepEqual([targets[1].available, targets[1].detail], [false, 'drained'])
    assert.equal((await running.reply).status, 200)

    await machine.program.end('SIGKILL')
    const again = await machine.restart()
    assert.equal((await workerView()).draining, true, 'the drain state was sent after the reconnect')
    const local = await world.task(well)
    assert.deepEqual([local.status, local.json().attempts[0].worker_id], [200, 'local'], 'meanwhile the tasks of this target run locally')

    await again.program.end('SIGKILL')
    assert.equal((await world.post(path, { drain: false })).status, 200, 'while it is away')
    const last = await again.restart()
    assert.equal((await workerView()).draining, false)
    const done = await world.task(well)
    assert.deepEqual([done.status, done.json().attempts[0].worker_id], [200, machine.workerId])

    const long = await startOn(world, machine.workerId, { params: slowly(60_000) })
    await world.post(path, { drain: true, deadline_seconds: 0.5 })
    const moved = await eventually(async () => {
      const task = await newest()
      return task.state === 'queued' && task
    })
    assert.equal(moved.task_id, long.id)
    assert.deepEqual(
      moved.attempts.map(({ state, error }: { state: string; error: { code: string } }) => [state, error.code]),
      [['failed', 'WORKER_DRAINING']],
    )
    assert.deepEqual((await eventually(async () => ((await newest()).waiting_for.length > 0 ? newest() : null))).waiting_for.at(-1), {
      worker_id: machine.workerId,
      reason: 'drained',
    })
    assert.deepEqual((await workerView()).breakers, [], 'no breaker is charged')
    await world.post(`/workers/tasks/${long.id}/cancel`)
    assert.equal((await long.reply).status, 409)

    for (const body of [{ drain: 'maybe' }, { deadline_seconds: -1 }, { deadline_seconds: 3601 }])
      assert.equal((await world.post(path, body)).status, 422, JSON.stringify(body))
    for (const id of ['0123456789ab', 'local']) assert.equal((await world.post(`/workers/${id}/drain`, {})).status, 404, id)
    await world.delete(`/workers/${machine.workerId}`)
    assert.equal((await world.post(path, {})).status, 404)
    await cleanSoFar(world)
    await world.remove(last)
  })
})
