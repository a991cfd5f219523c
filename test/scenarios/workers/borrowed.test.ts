// Two borrowed machines, from join code to removal: the owner chooses the machine, and a machine that leaves loses no task.
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { studio } from '#test/support/world/cli.ts'
import { cleanSoFar, digestOf, slowly, startOn, tasksOf, timesBegun } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const HELLO = { input: 'Hello from the other machine.', response_format: 'pcm' }
const LONG = { input: 'A listener hears this to the end. '.repeat(40), model: 'tone', response_format: 'pcm' }

const open = sharedWorld({ remote: true })

test('two machines join, work by choice, and leave during a task', async (t) => {
  const world = await open()
  const network = await openNetwork(t, (await world.get('/workers')).json().endpoint)
  const [box, desk] = await Promise.all([world.machine('box', {}, { endpoint: network.address }), world.machine('desk')])
  const lastAttempts = async () => (await tasksOf(world))[0]!.attempts.map(({ worker_id }) => worker_id)
  const choose = async (target: string) => (await world.post('/workers/target', { target })).json().active

  await t.test('an unapproved machine is listed, cannot be chosen and is not used', async () => {
    const { targets } = (await world.get('/workers/target')).json()
    assert.deepEqual(targets.map(({ label, available, detail }: Record<string, unknown>) => [label, available, detail]).sort(), [
      ['Local', true, ''],
      ['box', false, 'not approved'],
      ['desk', false, 'not approved'],
    ])
    const active = await choose(box.workerId)
    assert.deepEqual([active.remote, active.reason], [false, 'box is not approved — running locally'])
    assert.equal((await world.post('/v1/audio/speech', HELLO)).status, 200)
    assert.deepEqual(await lastAttempts(), ['local'])
    const refused = await world.post('/models/verify', { repo_id: 'silero', target: box.workerId })
    assert.deepEqual([refused.status, refused.json().detail], [503, 'The chosen machine is not approved.'])
    assert.doesNotMatch(box.program.output(), /attempt started/)
  })

  await t.test('an approved machine speaks when it is chosen, with the same bytes as this machine', async () => {
    await choose('local')
    const local = await world.post('/v1/audio/speech', HELLO)
    await Promise.all([world.approve(box), world.approve(desk)])
    for (const machine of [box, desk]) {
      const active = await choose(machine.workerId)
      assert.deepEqual([active.remote, active.worker_id, active.reason], [true, machine.workerId, 'chosen'])
      const remote = await world.post('/v1/audio/speech', HELLO)
      assert.equal(remote.status, 200)
      assert.ok(remote.body.equals(local.body))
      assert.deepEqual(await lastAttempts(), [machine.workerId])
      assert.equal(timesBegun(machine.program, (await tasksOf(world))[0]!.task_id), 1)
    }
    assert.equal((await choose('local')).remote, false)
    assert.equal((await world.post('/v1/audio/speech', HELLO)).status, 200)
    assert.deepEqual(await lastAttempts(), ['local'])
  })

  await t.test('a model of a machine is verified there, and the report names neither the machine nor its user', async () => {
    const env = { STUDIO_PORT: new URL(world.url).port }
    const verified = await studio(['models', 'verify', 'rnnoise', '--worker', 'BOX'], { env })
    assert.deepEqual([verified.code, verified.errors], [0, ''])
    assert.match(verified.output, /^Verification of rnnoise\nResult: {4}PASS: 4 of 4 checks pass, 0 differ\n/)
    assert.match(verified.output, /^Machine: {3}borrowed machine, /m)
    assert.deepEqual(await lastAttempts(), [box.workerId])
    for (const name of ['box', box.workerId, box.dataDir, hostname()]) assert.ok(!verified.output.includes(name), name)
    const unknown = await studio(['models', 'verify', 'rnnoise', '--worker', 'attic'], { env })
    assert.equal(unknown.code, 5)
    assert.match(unknown.errors, /^studio: There is no machine named attic\. The machines are: /)
    const missing = await studio(['models', 'verify', 'kokoro', '--worker', 'box'], { env })
    assert.equal(missing.code, 1)
    assert.match(missing.errors, /^studio: The model onnx-community\/Kokoro-82M-v1\.0-ONNX is not installed on box\. Install it/)
  })

  await t.test('with auto every approved machine gets a share of the tasks', async () => {
    await choose('auto')
    const replies = await Promise.all(Array.from({ length: 12 }, () => world.task({ engine: 'tone', params: slowly(3_000) })))
    for (const reply of replies) assert.equal(reply.status, 200, reply.body.toString())
    const places = new Set(replies.map((reply) => reply.json().attempts[0].worker_id))
    assert.deepEqual(places, new Set(['local', box.workerId, desk.workerId]))
  })

  await t.test('SIGTERM: the machine finishes its tasks, accepts no new ones, and exits', async () => {
    const held = await startOn(world, desk.workerId, { params: slowly(2_000) })
    const from = world.studio.output().length
    desk.program.signal('SIGTERM')
    await desk.program.says(/agent stopping/)
    await choose('auto')
    const later = await Promise.all(Array.from({ length: 6 }, () => world.task({ engine: 'tone', params: slowly(200) })))
    for (const reply of later) {
      assert.equal(reply.status, 200, reply.body.toString())
      assert.notEqual(reply.json().attempts.at(-1).worker_id, desk.workerId)
    }
    const ended = await held.reply
    assert.equal(ended.status, 200, ended.body.toString())
    assert.deepEqual(
      ended.json().attempts.map(({ worker_id }: { worker_id: string }) => worker_id),
      [desk.workerId],
    )
    assert.equal(await desk.program.ended, 0)
    await world.studio.says(new RegExp(`"workerId":"${desk.workerId}".*a machine is gone`), { from })
  })

  await t.test('DELETE during a task: the link is cut at once, and the listener receives the complete audio', async () => {
    await choose('local')
    const whole = await world.post('/v1/audio/speech', LONG)
    const reference = await world.task({ engine: 'tone', params: slowly(1) })
    network.pace(150_000)
    const long = await startOn(world, box.workerId, { params: slowly(9_000) })
    const pending = world.post('/v1/audio/speech', LONG)
    await eventually(async () => (await tasksOf(world)).some(({ engine, task_id }) => engine === 'tone' && task_id !== long.id))
    const before = network.passed().up
    await eventually(() => network.passed().up > before + 100_000)
    const from = performance.now()
    const gone = box.program.says(/link closed/, { from: box.program.output().length }).then(() => performance.now())
    assert.equal((await world.delete(`/workers/${box.workerId}`)).status, 200)
    const tookMs = (await gone) - from
    assert.ok(tookMs < 10_000, `the link stood for ${tookMs} ms, as if its silence had ended it`)
    t.diagnostic(`link cut ${Math.round(tookMs)} ms after the request`)

    await box.program.says(/the studio no longer accepts this machine/)
    await box.program.says(new RegExp(`"taskId":"${long.id}".*The studio has removed this machine`))
    const reply = await pending
    assert.equal(reply.status, 200)
    assert.ok(reply.body.equals(whole.body), 'the listener received the complete audio')
    const ended = await long.reply
    assert.equal(ended.status, 200, ended.body.toString())
    assert.equal(digestOf(ended), digestOf(reference))
    assert.deepEqual(
      ended.json().attempts.map(({ worker_id, state }: Record<string, unknown>) => [worker_id, state]),
      [
        [box.workerId, 'lost'],
        ['local', 'committed'],
      ],
    )
    assert.equal((await world.get('/workers')).json().workers.length, 1)
  })
  await cleanSoFar(world)
  await box.program.end()
  await world.remove(desk)
})
