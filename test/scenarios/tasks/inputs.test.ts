// Inputs of tasks: they arrive complete on a borrowed machine, are sent only with consent and only once, and survive a kill.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { allEnded, cleanSoFar, digestOf, idle, slowly, startOn, timesBegun } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const BYTES = 700_000
/** Bytes that are unique for a seed, and the expected output of the test voice: the same bytes. */
function blob(seed: number) {
  const bytes = Buffer.from(Uint8Array.from({ length: BYTES }, (_, at) => (Math.imul(at + seed * 1_000_003, 2_654_435_761) >>> 24) & 0xff))
  return { inputs: { blob: bytes.toString('base64') }, digest: createHash('sha256').update(bytes).digest('hex') }
}
const plain = { engine: 'tone', params: { segments: [{ text: 'x' }] } }

const open = sharedWorld({ remote: true })

test('inputs on a borrowed machine', async (t) => {
  const world = await open()
  const network = await openNetwork(t, (await world.get('/workers')).json().endpoint)
  const box = await world.machine('box', {}, { endpoint: network.address })
  let again = box

  await t.test('without consent no byte of an input is sent', async () => {
    for (const target of [box.workerId, 'auto']) {
      await world.post('/workers/target', { target })
      const before = network.passed().down
      const { inputs, digest } = blob(1)
      const reply = await world.task({ ...plain, inputs })
      assert.equal(reply.status, 200, reply.body.toString())
      assert.equal(reply.json().attempts[0].worker_id, 'local')
      assert.equal(digestOf(reply), digest)
      assert.ok(network.passed().down - before < 10_000, `${network.passed().down - before} bytes went there`)
    }
    assert.doesNotMatch(box.program.output(), /attempt started/)
  })

  await t.test('with consent inputs arrive unchanged and are sent once', async () => {
    await world.approve(box)
    await world.post('/workers/target', { target: box.workerId })
    const before = network.passed().down
    const { inputs, digest } = blob(2)
    const reply = await world.task({ ...plain, inputs })
    assert.equal(reply.json().attempts[0].worker_id, box.workerId, reply.body.toString())
    assert.equal(digestOf(reply), digest)
    const sent = network.passed().down - before
    assert.ok(sent > BYTES && sent < 1.2 * BYTES, `${sent} bytes for an input of ${BYTES}`)
  })

  await t.test('a link that breaks while the machine works does not cause a second transfer', async () => {
    const { inputs, digest } = blob(3)
    const before = network.passed().down
    const long = await startOn(world, box.workerId, { params: slowly(3_000), inputs })
    const from = world.studio.output().length
    assert.ok(network.cut() > 0)
    await world.studio.says(new RegExp(`"workerId":"${box.workerId}".*a machine is connected`), { from })
    const ended = await long.reply
    assert.equal(digestOf(ended), digest)
    assert.equal(timesBegun(box.program, long.id), 1)
    const sent = network.passed().down - before
    assert.ok(sent < 1.3 * BYTES, `${sent} bytes for an input of ${BYTES}`)
  })

  await t.test('an interrupted transfer continues where it stopped', async () => {
    const { inputs, digest } = blob(4)
    await world.post('/workers/target', { target: box.workerId })
    network.pace(400_000)
    const before = network.passed().down
    const reply = world.task({ ...plain, inputs })
    await eventually(() => network.passed().down - before > 250_000)
    network.cut()
    network.pace(Number.POSITIVE_INFINITY)
    const ended = await reply
    assert.equal(digestOf(ended), digest, ended.body.toString())
    assert.deepEqual(
      ended.json().attempts.map(({ worker_id }: { worker_id: string }) => worker_id),
      [box.workerId],
    )
  })

  await t.test('a killed studio still has the inputs after its restart', async () => {
    const { inputs, digest } = blob(5)
    const long = await startOn(world, box.workerId, { params: slowly(2_000), inputs })
    await world.restart('SIGKILL')
    const task = (await allEnded(world)).find(({ task_id }) => task_id === long.id)!
    assert.equal(task.state, 'completed', JSON.stringify(task))
    assert.ok(task.result_ref!.endsWith(digest))
  })

  await t.test('a killed machine receives the inputs again', async () => {
    const { inputs, digest } = blob(6)
    const long = await startOn(world, box.workerId, { params: slowly(2_500), inputs })
    await box.program.end('SIGKILL')
    again = await box.restart()
    const ended = await long.reply
    assert.equal(digestOf(ended), digest, ended.body.toString())
  })

  await idle(world, box)
  await cleanSoFar(world)
  await world.remove(again)
})
