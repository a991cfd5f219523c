// Studios connected to each other through their own routes: one lends to another with a join code, and one accepts connections from others.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { openListeningMachine } from '#test/control-plane/sessions/listening-machine.ts'
import { eventually, freePort, openWorld, sharedWorld, type World } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true })
const TEXT = { input: 'Good morning to everybody in both directions.', response_format: 'pcm' }

async function listening(world: World) {
  const port = await freePort()
  const reply = await world.post('/workers/inbound/enabled', { enabled: true, port })
  assert.equal(reply.status, 200, reply.body.toString())
  const node = reply.json()
  assert.deepEqual([node.running, node.bind, node.port, node.exposed], [true, '127.0.0.1', port, false])
  const keyFor = async (label: string) => {
    const key = await world.post('/workers/inbound/keys', { label })
    assert.equal(key.status, 200, key.body.toString())
    return key.json() as { key_id: string; connection_string: string; label: string }
  }
  return { port, keyFor, view: async () => (await world.get('/workers/inbound')).json() }
}

/** Connects `controller` to a listening machine and resolves with the id of the connected worker. */
async function connect(controller: World, text: string): Promise<string> {
  const reply = await controller.post('/workers/inbound/connections', { connection_string: text })
  assert.equal(reply.status, 200, reply.body.toString())
  const { endpoint } = reply.json()
  const { worker_id } = await eventually(async () =>
    (await controller.get('/workers/inbound'))
      .json()
      .connections.find((each: { endpoint: string; connected: boolean }) => each.endpoint === endpoint && each.connected),
  )
  return worker_id
}
const speak = (controller: World) => controller.post('/v1/audio/speech', TEXT)

test('both directions', { timeout: 400_000 }, async (t) => {
  const [owner, first, second] = await Promise.all([openWorld(t), open(), openWorld(t, { remote: true })])

  await t.test('a studio lends to another one through its own routes, and a failed join changes nothing', async () => {
    const [lender, borrower] = [owner, first]
    const before = (await lender.get('/workers/agent')).json()
    assert.deepEqual([before.worker_mode, before.running, before.enrolled, before.env_pinned], [false, false, false, false])
    assert.equal((await lender.post('/workers/agent/join', { token: '  ' })).status, 422)
    assert.equal((await lender.post('/workers/agent/enabled', { enabled: true })).status, 409)

    const joined = await lender.post('/workers/agent/join', { token: await borrower.code({ label: 'lender' }) })
    assert.equal(joined.status, 200, joined.body.toString())
    const { worker_id, running, enrolled, worker_mode } = joined.json()
    assert.deepEqual([running, enrolled, worker_mode], [true, true, true])
    await borrower.post(`/workers/${worker_id}/consent`)
    await borrower.post('/workers/target', { target: worker_id })
    assert.equal((await speak(borrower)).status, 200)

    const used = await borrower.code()
    const refused = await lender.post('/workers/agent/join', { token: `${used.slice(0, -6)}` })
    assert.equal(refused.status, 409)
    assert.match(refused.json().detail, /malformed or truncated/)
    const after = (await lender.get('/workers/agent')).json()
    assert.deepEqual([after.worker_id, after.running], [worker_id, true])
    assert.match(after.last_error, /malformed or truncated/)
    assert.equal((await speak(borrower)).status, 200)

    assert.equal((await lender.post('/workers/agent/enabled', { enabled: false })).json().worker_mode, false)
    const isOurs = ({ id }: { id: string }) => id === worker_id
    await eventually(async () => (await borrower.get('/workers')).json().workers.find(isOurs).connected === false)
    assert.equal((await lender.post('/workers/agent/enabled', { enabled: true })).json().running, true)
    assert.equal((await lender.post('/workers/agent/enabled', { enabled: false })).json().running, false)
    assert.equal((await borrower.delete(`/workers/${worker_id}`)).status, 200)
  })

  await t.test('a listening machine serves two studios; revoking one does not affect the other', async () => {
    assert.equal((await owner.post('/workers/inbound/keys', {})).status, 409, 'nothing listens yet')
    const machine = await listening(owner)
    const [mine, yours] = [await machine.keyFor('Mine'), await machine.keyFor('')]
    assert.equal(yours.label, 'Panel')
    assert.doesNotMatch(JSON.stringify(await machine.view()), /svcnode_/)

    const ids = await Promise.all([connect(first, mine.connection_string), connect(second, yours.connection_string)])
    for (const [controller, id] of [
      [first, ids[0]!],
      [second, ids[1]!],
    ] as const) {
      await controller.post('/workers/target', { target: id })
      assert.match((await controller.get('/workers/target')).json().active.reason, /is not approved — running locally/)
      assert.equal((await controller.post(`/workers/${id}/consent`)).status, 200)
      const reply = await speak(controller)
      assert.equal(reply.status, 200)
    }

    // A hostile machine names the key of the approved one; it is a machine of its own, which has no consent.
    const approved = pinOf(publicKeyOf(readFileSync(join(owner.dataDir, 'inbound', 'machine.key'), 'utf8')))
    const hostile = await openListeningMachine(t, { claims: (own) => [approved, own] })
    assert.equal((await second.post('/workers/inbound/connections', { connection_string: hostile.text() })).status, 200)
    const isHostile = ({ endpoint, worker_id }: Record<string, unknown>) => endpoint === hostile.endpoint && worker_id
    const { worker_id: hostileId } = await eventually(async () => (await second.get('/workers/inbound')).json().connections.find(isHostile))
    const consents = (await second.get('/workers'))
      .json()
      .workers.map(({ id, consent_granted }: Record<string, unknown>) => [id, consent_granted])
    assert.deepEqual(Object.fromEntries(consents), { [ids[1]!]: true, [hostileId]: false })
    assert.equal((await second.delete(`/workers/inbound/connections/${encodeURIComponent(hostile.endpoint)}`)).status, 200)

    const { sessions, events } = await machine.view()
    assert.deepEqual(sessions.map(({ label, tasks_run }: { label: string; tasks_run: number }) => [label, tasks_run]).sort(), [
      ['Mine', 1],
      ['Panel', 1],
    ])
    assert.deepEqual(new Set(events.map(({ kind }: { kind: string }) => kind)), new Set(['connected']))

    const again = await first.post('/workers/inbound/connections', { connection_string: yours.connection_string })
    assert.equal(again.status, 200)
    assert.match(
      await eventually(async () => (await first.get('/workers/inbound')).json().connections[0].last_error || null),
      /Another studio already uses this connection string/,
    )
    await eventually(async () => (await first.get('/workers/inbound')).json().connections[0].connected)

    assert.equal((await owner.delete(`/workers/inbound/keys/${mine.key_id}`)).status, 200)
    await eventually(async () => /has revoked this access/.test((await first.get('/workers/inbound')).json().connections[0].last_error))
    assert.equal((await owner.delete(`/workers/inbound/keys/${mine.key_id}`)).status, 404)
    assert.equal((await speak(second)).status, 200)
    const { keys } = await machine.view()
    assert.deepEqual(
      keys.map(({ revoked }: { revoked: boolean }) => revoked),
      [true, false],
    )

    const [session] = (await machine.view()).sessions
    assert.equal((await owner.post(`/workers/inbound/sessions/${session.session_id}/disconnect`)).status, 200)
    await eventually(async () => !(await second.get('/workers/inbound')).json().connections[0].connected)
    assert.equal((await owner.post('/workers/inbound/sessions/unknown/disconnect')).status, 404)

    const endpoint = encodeURIComponent(`127.0.0.1:${machine.port}`)
    for (const each of [first, second])
      assert.deepEqual((await each.delete(`/workers/inbound/connections/${endpoint}`)).json(), { connections: [] })
    await first.post('/workers/target', { target: 'local' })
    assert.deepEqual((await second.get('/workers')).json().workers, [])
    assert.equal((await second.delete(`/workers/inbound/connections/${endpoint}`)).status, 200)
  })

  await t.test('invalid connection strings are refused with the reason, and nothing is dialled while remote machines are off', async () => {
    const world = owner
    const string = `svcnode://svcnode_${'a'.repeat(43)}@127.0.0.1:1?fingerprint=${'ab'.repeat(32)}`
    assert.equal((await world.post('/workers/inbound/connections', { connection_string: string })).status, 409)
    await world.post('/workers/enabled', { enabled: true })
    const bad = await world.post('/workers/inbound/connections', { connection_string: '10.0.0.7:7444' })
    assert.equal(bad.status, 400)
    assert.match(bad.json().detail, /looks like an address without a key/)
    assert.equal((await world.post('/workers/inbound/connections', { connection_string: '' })).status, 422)
    assert.equal((await world.post('/workers/inbound/connections', { connection_string: string })).status, 200)
    assert.match(
      await eventually(async () => (await world.get('/workers/inbound')).json().connections[0].last_error || null),
      /No machine answers at 127\.0\.0\.1:1/,
    )
  })
  for (const world of [owner, second]) assert.equal(await world.studio.end(), 0)
})
