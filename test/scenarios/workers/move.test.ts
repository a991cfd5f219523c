// A studio moves to another address: connected machines learn of it before, and one that was away joins again without losing its place.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addressOf, studio as command, commandsOf } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { tasksOf } from '#test/support/world/tasks.ts'
import { eventually, freePort, type Machine, openWorld } from '#test/support/world/world.ts'

type Row = { readonly id: string; readonly connected: boolean; readonly consent_granted: boolean }

test('a studio moves, and its machines keep their names, approvals and work', { timeout: 400_000 }, async (t) => {
  const world = await openWorld(t, { remote: true, withoutAgent: true })
  const [attic, cellar, barn] = (await Promise.all(['attic', 'cellar', 'barn'].map((name) => world.machine(name)))) as [
    Machine,
    Machine,
    Machine,
  ]
  for (const machine of [attic, cellar, barn]) await world.approve(machine)
  const rows = async (): Promise<Row[]> => (await world.get('/workers')).json().workers
  const before = await rows()
  const endpointsOf = (machine: Machine): object[] =>
    JSON.parse(readFileSync(join(machine.dataDir, 'agent/identity.json'), 'utf8')).endpoints
  const connected = (machine: Machine) => async () => (await rows()).some(({ id, connected: is }) => id === machine.workerId && is)
  const port = await freePort()
  const [old] = endpointsOf(attic) as [{ readonly port: number }]
  const [from, to] = [`127.0.0.1:${old.port}`, `127.0.0.1:${port}`]

  await t.test('an address that is none is refused, and none are named by default', async () => {
    for (const endpoints of [['http://studio.lan/'], ['a b'], [''], ['a:99999'], Array.from({ length: 5 }, (_, at) => `host${at}`)]) {
      const { status } = await world.put('/workers/endpoints', { endpoints })
      assert.ok(status === 400 || status === 422, `${endpoints}: ${status}`)
    }
    const view = (await world.get('/workers/endpoints')).json()
    assert.deepEqual(view, { endpoints: [], own: from, behind: [] })
  })

  await t.test('connected machines learn the new address, and the studio names the one that does not know it', async () => {
    await barn.program.end('SIGKILL')
    await eventually(async () => !(await connected(barn)()))
    const named = await commandsOf(world)('workers', 'address', to, from)
    assert.equal(named.code, 0, named.errors)
    await eventually(async () => (await world.get('/workers/endpoints')).json().behind.length === 1)
    const shown = await commandsOf(world)('workers', 'address')
    assert.match(
      shown.output,
      new RegExp(`^Machines reach this studio at ${to}, then ${from}\\.\nNot received yet:\n {2}${barn.workerId} {2}barn\n`),
    )
    for (const machine of [attic, cellar]) assert.deepEqual(endpointsOf(machine), [{ host: '127.0.0.1', port }, old])
    const { e } = JSON.parse(Buffer.from((await world.code()).slice('svcj_'.length), 'base64url').toString())
    assert.deepEqual(e, [to, from], 'a join code has them all')
  })

  await t.test('after the move they come back by themselves', async () => {
    await world.restart('SIGTERM', { STUDIO_WORKER_PORT: String(port) })
    for (const machine of [attic, cellar]) await eventually(connected(machine))
    await world.put('/workers/endpoints', { endpoints: [to] })
    await eventually(async () => endpointsOf(attic).length === 1)
    assert.deepEqual(endpointsOf(attic), [{ host: '127.0.0.1', port }], 'a link through the new address drops the old one')
  })

  await t.test('one that was away stays itself with a new code, stopped or running, and the code can still be used', async () => {
    const code = await world.code()
    const env = { STUDIO_DATA_DIR: barn.dataDir, STUDIO_DEVELOPMENT: '1' }
    const stopped = await command(['agent', 'join', code], { env })
    assert.equal(stopped.code, 0, stopped.errors)
    assert.match(stopped.output, new RegExp(`This machine stays ${barn.workerId} of .*, which it reaches at ${to} now`))
    startProgram(t, ['agent/main.ts'], env)
    await eventually(connected(barn))
    const running = await command(['agent', 'join', code], { env })
    assert.equal(running.code, 0, running.errors)
    const identity = JSON.parse(readFileSync(join(barn.dataDir, 'agent/identity.json'), 'utf8'))
    assert.equal(identity.workerId, barn.workerId)
    assert.deepEqual(
      (await rows()).map(({ id, consent_granted }) => [id, consent_granted]),
      before.map(({ id }) => [id, true]),
    )
    await world.post('/workers/target', { target: barn.workerId })
    assert.equal((await world.post('/v1/audio/speech', { input: 'Moved.', response_format: 'pcm' })).status, 200)
    assert.equal((await tasksOf(world))[0]!.attempts[0]!.worker_id, barn.workerId)
    const loft = await world.join(code)
    assert.notEqual(loft.workerId, barn.workerId)
  })

  await t.test('a machine that was removed joins as a new one', async () => {
    await world.delete(`/workers/${cellar.workerId}`)
    const code = await world.code({ label: 'cellar again' })
    const again = await command(['agent', 'join', code], { env: { ...addressOf(world), STUDIO_DATA_DIR: cellar.dataDir } })
    assert.equal(again.code, 0, again.errors)
    await eventually(async () => (await rows()).some(({ id, connected: is }) => is && !before.some((row) => row.id === id)))
    assert.notEqual(JSON.parse(readFileSync(join(cellar.dataDir, 'agent/identity.json'), 'utf8')).workerId, cellar.workerId)
  })
})
