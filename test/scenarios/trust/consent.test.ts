// Without consent no data is sent: measured on the wire, with tasks far larger than all other traffic of a link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { cleanSoFar, digestOf, idle, slowly, startOn, timesBegun } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const TEXT_BYTES = 90_000
/** Much larger than the snapshots and checks of a link in the same time. */
const wordy = (seed: number) => ({ segments: [{ text: 'w'.repeat(TEXT_BYTES), seed }], ms_per_part: 2_000 })

const open = sharedWorld({ remote: true })

test('without consent no byte of a task is sent', async (t) => {
  const world = await open()
  const network = await openNetwork(t, (await world.get('/workers')).json().endpoint)
  const box = await world.machine('box', {}, { endpoint: network.address })
  let again = box
  const consented = async () => (await world.get('/workers')).json().workers[0].consent_granted as boolean
  const run = async (seed: number) => {
    const before = network.passed()
    const reply = await world.task({ engine: 'tone', params: wordy(seed) })
    const after = network.passed()
    assert.equal(reply.status, 200, reply.body.toString())
    return {
      where: reply.json().attempts.map(({ worker_id }: { worker_id: string }) => worker_id),
      sent: after.down - before.down,
      received: after.up - before.up,
    }
  }

  await t.test('before the first approval', async () => {
    assert.equal(await consented(), false)
    for (const target of [box.workerId, 'auto']) {
      await world.post('/workers/target', { target })
      for (const seed of [1, 2, 3]) {
        const { where, sent, received } = await run(seed)
        assert.deepEqual(where, ['local'])
        assert.ok(sent < 10_000 && received < 10_000, `${sent} bytes went there, ${received} came back`)
      }
    }
    assert.doesNotMatch(box.program.output(), /attempt started/)
  })

  await t.test('with consent the same task is visible on the wire', async () => {
    await world.approve(box)
    await world.post('/workers/target', { target: box.workerId })
    const { where, sent, received } = await run(4)
    assert.deepEqual(where, [box.workerId])
    assert.ok(sent > TEXT_BYTES && received > 60_000, `${sent} bytes went there, ${received} came back`)
  })

  await t.test('consent withdrawn during a task: the machine stops and deletes its data, the task ends elsewhere', async () => {
    const reference = await world.task({ engine: 'tone', params: slowly(1) })
    const long = await startOn(world, box.workerId, { params: slowly(6_000) })
    const reply = await world.delete(`/workers/${box.workerId}/consent`)
    assert.equal(reply.json().consent_granted, false)
    await box.program.says(/"granted":false/)
    const after = network.passed().down
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
    assert.equal(timesBegun(box.program, long.id), 1)
    assert.match(box.program.output(), new RegExp(`"taskId":"${long.id}".*an attempt failed`))
    const { where } = await run(5)
    assert.deepEqual(where, ['local'])
    const sent = network.passed().down - after
    assert.ok(sent < 20_000, `${sent} bytes went there after the withdrawal`)
    await idle(world, box)
  })

  await t.test('consent is bound to the approved key, also after a restart of either side', async () => {
    await world.approve(box)
    await box.program.end()
    assert.equal(await world.studio.end(), 0, 'the studio stops cleanly')
    await world.restart()
    again = await box.restart()
    assert.equal(await consented(), true)
    const { where } = await run(6)
    assert.deepEqual(where, [box.workerId])
    await world.delete(`/workers/${box.workerId}/consent`)
    await world.restart()
    await eventually(async () => (await world.get('/workers')).json().workers[0].connected)
    assert.equal(await consented(), false)
    assert.deepEqual((await run(7)).where, ['local'])
  })
  await cleanSoFar(world)
  await world.remove(again)
})
