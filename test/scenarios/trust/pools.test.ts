// A pool is one machine to its studio: approved for the terms that it declares, named with its machines, and asked again about other terms.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { wirePool, wirePoolMachine } from '#test/support/builders/wire.ts'
import { poolMachine } from '#test/support/peers/pool-machine.ts'
import { scriptedMachine } from '#test/support/peers/scripted-agent.ts'
import { commandsOf } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { slowly, startOn, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld, type World } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true })

async function openPool(t: TestContext) {
  const world = await open()
  const pool = await poolMachine(t, { runsOn: 'rack-02' })
  const id = await scriptedMachine(t, world, pool.service, 'lab pool')
  t.after(async () => {
    await world.delete(`/workers/${id}`)
    await world.post('/workers/target', { target: 'local' })
  })
  return { world, pool, id }
}
const workerOf = async (world: World, id: string) =>
  (await world.get('/workers')).json().workers.find((one: { id: string }) => one.id === id)
const lapsed = (world: World, id: string) => eventually(async () => (await workerOf(world, id)).lapsed)
const pooled = (names: readonly string[], fields: Partial<Wire<'Pool'>> = {}) =>
  wirePool({ machines: names.map((name) => wirePoolMachine({ name })), ...fields })

test('a pool shows what it declares, runs work, and each attempt names its machine', async (t) => {
  const { world, pool, id } = await openPool(t)
  const { pool: shown, lapsed: none, consent_granted: isApproved } = await workerOf(world, id)
  const { terms, ...declared } = shown
  assert.match(terms, /^[0-9a-f]{64}$/)
  assert.deepEqual(
    [declared, none, isApproved],
    [
      {
        ...{ name: 'lab pool', operator: 'Lab desk', contact: 'desk@lab.example', places: ['Germany'], reads_inputs: true, keeps: '' },
        ...{ machines: 1, newest_version: '0.6.0', oldest_version: '0.6.0', older: 0 },
      },
      null,
      true,
    ],
  )
  const { reply } = await startOn(world, id, { params: slowly(200) })
  assert.equal((await reply).json().attempts.at(-1).machine, 'rack-02')
  const [task] = (await world.get('/workers/tasks?limit=1')).json().tasks
  assert.deepEqual([task.attempts[0].worker_id, task.attempts[0].machine], [id, 'rack-02'])

  const view = async () => (await world.get(`/workers/${id}/pool`)).json()
  assert.deepEqual(await view(), { machines: [wirePoolMachine()], use: null }, 'a pool that says nothing of its use')
  const use = { own: 1, others: 13, free: 8, studios: 7, wait_ms: 3000 }
  pool.report(use)
  assert.deepEqual(await eventually(async () => (await view()).use), use)
  assert.equal((await world.get('/workers/local/pool')).status, 404)
})

test('other terms end the approval at once, also for a task under way, and the page is told what has changed', async (t) => {
  const { world, pool, id } = await openPool(t)
  const { terms } = (await workerOf(world, id)).pool
  const running = await startOn(world, id, { params: slowly(60_000) })
  pool.declare(wirePool({ operator: 'Other desk', places: ['Germany', 'France'] }))
  assert.deepEqual(await lapsed(world, id), {
    changed: ['operator', 'places'],
    was: { operator: 'Lab desk', places: ['Germany'], reads_inputs: true },
  })
  assert.equal((await workerOf(world, id)).consent_granted, false)
  const attempt = await eventually(async () => {
    const task = (await tasksOf(world)).find(({ task_id }) => task_id === running.id)!
    return task.attempts[0]!.state === 'lost' && task.attempts[0]
  })
  assert.equal(attempt.error?.code, 'CONSENT_MISSING')
  await world.post(`/workers/tasks/${running.id}/cancel`)
  await running.reply
  const before = pool.received.length
  await world.post('/workers/target', { target: id })
  assert.equal((await world.post('/v1/audio/speech', { model: 'tone', input: 'Here.', response_format: 'wav' })).status, 200)
  assert.equal(pool.received.length, before, 'nothing is sent on the ended approval')

  const approve = (shown = '') => world.post(`/workers/${id}/consent${shown}`)
  const refused = await approve(`?terms=${terms}`)
  assert.equal(refused.status, 409, 'a page that still shows the earlier terms')
  assert.equal((await approve(`?terms=${(await workerOf(world, id)).pool.terms}`)).json().lapsed, null)
  pool.declare(null)
  assert.deepEqual((await lapsed(world, id)).changed, ['kind'])
  assert.equal((await approve()).json().pool, null)
  pool.declare(wirePool())
  assert.deepEqual(await lapsed(world, id), { changed: ['kind'], was: null })
})

test('a change of machines is shown and asks nothing', async (t) => {
  const { world, pool, id } = await openPool(t)
  pool.declare(pooled(['rack-01', 'rack-02', 'rack-03']))
  const shown = await eventually(async () => {
    const worker = await workerOf(world, id)
    return worker.pool.machines === 3 && worker
  })
  assert.deepEqual([shown.consent_granted, shown.lapsed], [true, null])
})

test('a voice that stays here is never sent to a pool', async (t) => {
  const { world, pool, id } = await openPool(t)
  const profile = (
    await world.post('/profiles', form({ name: 'Home', ref_audio: spokenWav({ hz: 330, seconds: 3 }), ref_text: 'At home.' }))
  ).json().id
  await world.put(`/profiles/${profile}`, { stays_here: true })
  for (const target of [id, 'auto']) {
    await world.post('/workers/target', { target })
    const before = pool.received.length
    const reply = await world.post('/v1/audio/speech', { model: 'tone', input: 'Said here.', voice: profile, response_format: 'wav' })
    assert.equal(reply.status, 200, reply.body.toString())
    assert.match(reply.headers.get('x-svc-routing-reason')!, /stays on this machine/)
    assert.deepEqual([pool.received.length, (await tasksOf(world))[0]!.attempts.map(({ worker_id }) => worker_id)], [before, ['local']])
  }
  await world.delete(`/profiles/${profile}`)
})

test('the commands show a pool, and approve it only after its terms', async (t) => {
  const { world, pool, id } = await openPool(t)
  const run = commandsOf(world)
  pool.report({ own: 1, others: 13, free: 8, studios: 7, wait_ms: 3000 })
  await eventually(async () => (await world.get(`/workers/${id}/pool`)).json().use)
  const shown = await run('workers', 'show', 'lab pool')
  assert.equal(shown.code, 0, shown.errors)
  for (const line of ['Operator:  Lab desk, desk@lab.example', 'Location:  Germany', 'Wait:      usually 3.0 s'])
    assert.ok(shown.output.includes(`${line}\n`), shown.output)
  assert.match(shown.output, /^Your use: {2}1 of 22 places, 13 used by others, 8 free$/m)
  assert.match(shown.output, /^rack-01 +ready +0\/2 +0\.6\.0 +H100 80 GB$/m)

  pool.declare(wirePool({ operator: 'Other\u001b[2Jdesk', reads_inputs: false }))
  await lapsed(world, id)
  const listed = await run('workers')
  assert.match(listed.output, /Pool of 1 machines?, run by Other/)
  assert.match(listed.output.replaceAll(/\s+/g, ' '), /Its operator is now Other.*no longer reads what is sent\. Its approval has ended\./)
  assert.ok(!listed.output.includes('\u001b'))
  const unasked = await run('workers', 'approve', 'lab pool')
  assert.notEqual(unasked.code, 0)
  assert.match(unasked.errors, /Can read: {2}nothing, says the operator[\s\S]*--yes/)
  assert.equal((await workerOf(world, id)).consent_granted, false)
  assert.match((await run('workers', 'approve', 'lab pool', '--yes')).output, /^Approved lab pool\./)
  assert.equal((await workerOf(world, id)).consent_granted, true)
})
