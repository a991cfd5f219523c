// A machine's identity over time, with the real programs: long offline periods, copied disks, and file permissions of keys.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { verifyAudit } from '#control-plane/audit/audit-log.store.ts'
import { createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { publicKeyOf } from '#shared/pki/key.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, type Machine, openWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const DAY = 24 * 3600_000
const identityOf = (dataDir: string) => join(dataDir, 'agent/identity.json')
const workerOf = async (world: World, { workerId }: Machine) =>
  (await world.get('/workers')).json().workers.find(({ id }: { id: string }) => id === workerId)

/** Simulates months offline: the certificate expired long ago. */
function sleepLong(world: World, { dataDir }: Machine) {
  const identity = JSON.parse(readFileSync(identityOf(dataDir), 'utf8'))
  const file = (name: string) => readFileSync(join(world.dataDir, 'authority', name), 'utf8')
  const certificatePem = issueLeaf({
    authority: { keyPem: file('authority.key'), certificatePem: file('authority.pem') },
    publicKeyPem: publicKeyOf(identity.keyPem),
    role: 'worker',
    id: identity.workerId,
    now: Date.now() - 90 * DAY,
    hours: 24,
    serial: createSerial(systemRandom.hex(16)),
  })
  writeFileSync(identityOf(dataDir), JSON.stringify({ ...identity, certificatePem }))
  return identity
}

test('identity', { timeout: 400_000 }, async (t) => {
  const world = await openWorld(t, { remote: true, ownAuthority: true })
  const machine = await world.machine('box')

  await t.test('keys and their folders are readable only by their owner', async () => {
    let keys = 0
    const walk = (folder: string) => {
      assert.equal(statSync(folder).mode & 0o077, 0, folder)
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) walk(path)
        else if (entry.isFile() && (/\.key$|identity|secret|provenance/.test(entry.name) || readFileSync(path).includes('PRIVATE KEY'))) {
          keys++
          assert.equal(statSync(path).mode & 0o777, 0o600, path)
        }
      }
    }
    walk(world.dataDir)
    assert.ok(keys >= 3, 'the authority, the studio and its own agent have one each')
    const before = keys
    walk(machine.dataDir)
    assert.equal(keys, before + 1)
  })

  await t.test('sending the name of a machine without its key does not cut its link', async () => {
    const port = Number((await world.get('/workers')).json().endpoint.split(':')[1])
    const from = world.studio.output().length
    for (let n = 0; n < 5; n++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.write(`SVA1 ${machine.workerId}\n`)
      assert.match(String((await once(socket, 'data'))[0]), /^SVA1 ok\n/)
      socket.write('this is no TLS')
      socket.resume()
      await once(socket, 'close')
    }
    assert.doesNotMatch(world.studio.output().slice(from), /a machine is gone/)
    const worker = await workerOf(world, machine)
    assert.deepEqual([worker.connected, worker.quarantine], [true, null])
  })

  await t.test('a machine that was offline for months reconnects with its key; only a removed one does not', async (t) => {
    const sleeper = await world.machine('sleeper')
    await sleeper.program.end()
    const path = identityOf(sleeper.dataDir)
    const asleep = () => sleepLong(world, sleeper)
    const before = asleep()
    const awake = await sleeper.restart()
    const after = JSON.parse(readFileSync(path, 'utf8'))
    assert.ok(validityOf(after.certificatePem).notAfter > Date.now())
    assert.deepEqual([after.keyPem, after.generation, after.renewalNonce], [before.keyPem, before.generation + 1, undefined])

    await awake.program.end()
    asleep()
    await world.delete(`/workers/${sleeper.workerId}`)
    const removed = startProgram(t, ['agent/main.ts'], { STUDIO_DATA_DIR: sleeper.dataDir })
    await removed.says(/The studio has removed this machine/)
    await removed.end()
  })

  await t.test('a copied machine: both copies are refused until a person decides', async (t) => {
    const original = await world.machine('original')
    await world.approve(original)
    const folder = temporaryFolder(t)
    cpSync(join(original.dataDir, 'agent'), join(folder, 'agent'), { recursive: true })
    const copy = startProgram(t, ['agent/main.ts'], { STUDIO_DATA_DIR: folder, STUDIO_DEVELOPMENT: '1' })

    const view = await eventually(async () => {
      const worker = await workerOf(world, original)
      return worker.quarantine !== null && !worker.connected && worker
    })
    assert.match(view.quarantine, /Two machines .* use this key/)
    assert.equal(view.consent_granted, true, 'earlier decisions are kept')
    const refused = /Two machines use the same key\. The owner of the studio must approve one of them/
    await Promise.all([copy.says(refused, { ms: 90_000 }), original.program.says(refused, { ms: 90_000 })])
    const target = (await world.get('/workers/target')).json().targets.find(({ id }: { id: string }) => id === original.workerId)
    assert.deepEqual([target.available, target.detail], [false, 'copied: two machines use this key'])
    for (const dataDir of [original.dataDir, folder])
      assert.equal(JSON.parse(readFileSync(identityOf(dataDir), 'utf8')).workerId, original.workerId, 'both copies keep their identity')

    await world.restart()
    assert.equal((await workerOf(world, original)).quarantine, view.quarantine, 'kept across a restart')
    await Promise.all([copy.end(), original.program.end()])
    const released = await world.post(`/workers/${original.workerId}/release`)
    assert.deepEqual([released.status, released.json().quarantine], [200, null])
    assert.equal((await world.post(`/workers/${original.workerId}/release`)).status, 200, 'twice is once')
    assert.equal((await world.post('/workers/0123456789ab/release')).status, 404)
    await original.restart()
    await world.post('/workers/target', { target: original.workerId })
    const reply = await world.task({ engine: 'tone', params: { segments: [{ text: 'back again' }] } })
    assert.equal(reply.status, 200, reply.body.toString())

    const { brokenAt, count } = await verifyAudit(join(world.dataDir, 'studio.db'))
    assert.ok(brokenAt === null && count > 5)
  })

  await t.test('while unauthenticated peers flood the port from the same address, an offline machine renews and reconnects', async () => {
    await machine.program.end()
    sleepLong(world, machine)
    const port = Number((await world.get('/workers')).json().endpoint.split(':')[1])
    let isOver = false
    let refused = 0
    const flood = async () => {
      while (!isOver) {
        const socket = connectTls({ port, host: '127.0.0.1', servername: 'studio', rejectUnauthorized: false })
        await new Promise<void>((resolve) => {
          socket.once('secureConnect', () => socket.destroy()).once('error', () => void refused++)
          socket.once('close', () => resolve())
        })
      }
    }
    const flooding = Promise.all(Array.from({ length: 20 }, flood))
    await eventually(() => refused > 20)
    await machine.restart()
    isOver = true
    await flooding
    assert.equal((await workerOf(world, machine)).connected, true)
  })
})
