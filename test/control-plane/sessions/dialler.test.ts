// The panel's side of a machine that listens. The machine is played here, over the real listener, certificates and links.

import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createDialler } from '#control-plane/sessions/dialler.ts'
import { type Connections, endpointOf, openConnections } from '#control-plane/trust/connections.ts'
import type { Worker } from '#control-plane/workers/worker.store.ts'
import { RATES } from '#shared/link/port/admission.ts'
import type { Link } from '#shared/link/rpc.ts'
import { createKey } from '#shared/pki/key.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Clock, systemClock as clock } from '#shared/runtime/clock.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'
import { openListeningMachine as openMachine } from './listening-machine.ts'

const ASKED_MS = 30_000

async function openPanel(t: TestContext, given: Connections | null = null, time: Partial<Clock> = {}) {
  const connections = given ?? (await openConnections(createFolderKeys(temporaryFolder(t)), log))
  const { workers } = openLedger(t)
  const links: { worker: Worker; link: Link }[] = []
  const waits: number[] = []
  const dialler = createDialler({
    connections,
    workers,
    onLink: async (worker, link) => {
      await link.describe({ studio_version: '0', features: [] })
      links.push({ worker, link })
    },
    controller: { name: 'panel', version: '0' },
    clock: {
      ...clock,
      ...time,
      sleep: (ms, signal) => {
        waits.push(ms)
        return clock.sleep(ms === ASKED_MS ? 10 : ms, signal)
      },
    },
    random: { ...random, unit: () => 0 },
    log,
  })
  t.after(() => dialler.stop())
  dialler.start()
  const paste = async (text: string) => {
    const connection = await connections.paste(text, await createKey())
    await dialler.redial(endpointOf(connection))
  }
  return { workers, links, waits, dialler, connections, paste }
}

test('a string creates a worker with a link; the link is restored with the same identity, without the string', async (t) => {
  const machine = await openMachine(t)
  const { links, workers, dialler, connections, paste } = await openPanel(t)
  await paste(machine.text())
  const first = await eventually(() => links[0])
  assert.deepEqual([first.worker.pin, first.worker.name, first.worker.consentId], [machine.leaf.pin, 'gpu-box', null])
  assert.equal(connections.get(machine.endpoint)?.pending, null)
  assert.equal(dialler.state(machine.endpoint).connected, true)
  first.link.close(new Failure('WORKER_DISCONNECTED', 'cut by the test'))
  const second = await eventually(() => links[1])
  assert.equal(second.worker.id, first.worker.id)
  assert.equal(machine.state.redeemed, 1)
  workers.revoke(first.worker.id)
  await paste(machine.text())
  const revived = await eventually(() => links[2])
  assert.deepEqual([revived.worker.id, revived.worker.consentId], [first.worker.id, null])
})

test('a machine at its limit is dialled again when it asked', async (t) => {
  let machineTime = 0
  const rates = { ...RATES, sessionsPerWorker: { burst: 1, perMinute: 2 } }
  const machine = await openMachine(t, { limits: { rates }, clock: { ...clock, mono: () => machineTime } })
  const { links, waits, dialler, paste } = await openPanel(t)
  await paste(machine.text())
  const { link } = await eventually(() => links[0])
  link.close(new Failure('WORKER_DISCONNECTED', 'cut by the test'))
  await eventually(() => waits.filter((ms) => ms === ASKED_MS).length > 1)
  assert.match(dialler.state(machine.endpoint).lastError, /too many connections/)
  machineTime += ASKED_MS
  await eventually(() => links[1])
})

test('each failure has its message, and a working identity is kept', async (t) => {
  const machine = await openMachine(t)
  const { links, dialler, paste } = await openPanel(t)
  const lastError = () => dialler.state(machine.endpoint).lastError
  await paste(machine.text('cd'.repeat(32)))
  await eventually(() => /key is not the one in the connection string/.test(lastError()))
  assert.equal(machine.state.redeemed, 0, 'the secret was not told to a stranger')
  await paste(machine.text())
  const { link } = await eventually(() => links[0])
  machine.state.refuse = new Failure('AUTH_FAILED', 'This string was used by another panel already.')
  await paste(machine.text())
  await eventually(() => links[1])
  assert.equal(link.isOpen, false, 'the paste dialled again')
  machine.state.answer = 'revoked'
  links[1]!.link.close(new Failure('WORKER_DISCONNECTED', 'cut by the test'))
  await eventually(() => /has revoked this access/.test(lastError()))
  await paste(machine.text().replace(/:\d+\?/, ':1?'))
  await eventually(() => /No machine answers at 127.0.0.1:1/.test(dialler.state('127.0.0.1:1').lastError))
})

test('a machine that claims the key of another one becomes a worker of its own, without its consent', async (t) => {
  const honest = await openMachine(t)
  const { workers, links, paste } = await openPanel(t)
  await paste(honest.text())
  const { worker } = await eventually(() => links[0])
  workers.grant(worker.id)
  await workers.settled()
  const hostile = await openMachine(t, { claims: (own) => [honest.leaf.pin, own] })
  await paste(hostile.text())
  const { worker: other } = await eventually(() => links[1])
  assert.notEqual(other.id, worker.id)
  assert.deepEqual([other.pin, other.consentId], [hostile.leaf.pin, null])
  assert.equal(links[0]!.link.isOpen, true)

  workers.revoke(worker.id)
  await paste((await openMachine(t, { claims: () => [honest.leaf.pin] })).text())
  await eventually(() => links[2])
  assert.notEqual(workers.required(worker.id).revokedAt, null, 'a removed machine is not reinstated by another one')
})

test('a stored connection that names the worker of another machine opens no link for it', async (t) => {
  const [honest, hostile] = [await openMachine(t), await openMachine(t)]
  const { links, dialler, connections, paste } = await openPanel(t)
  await paste(honest.text())
  const { worker } = await eventually(() => links[0])
  await paste(hostile.text())
  await eventually(() => links[1])
  await connections.bound(hostile.endpoint, worker.id, connections.get(hostile.endpoint)!.identity!)
  await dialler.redial(hostile.endpoint)
  await eventually(() => /does not match its pin/.test(dialler.state(hostile.endpoint).lastError))
  assert.equal(links.length, 2)
})

test('a clock that is behind costs neither the pasted string nor a certificate that is valid', async (t) => {
  const machine = await openMachine(t)
  machine.state.aheadMs = 2 * 3_600_000
  let aheadMs = 0
  const { links, dialler, paste } = await openPanel(t, null, { now: () => clock.now() + aheadMs })
  await paste(machine.text())
  await eventually(() => /is not valid yet/.test(dialler.state(machine.endpoint).lastError))
  machine.state.aheadMs = 0
  const { link } = await eventually(() => links[0])

  aheadMs = 45 * 60_000 // the certificate is valid for one hour
  machine.state.refuse = new Failure('QUEUE_FULL', 'Try again later.')
  link.close(new Failure('WORKER_DISCONNECTED', 'cut by the test'))
  await eventually(() => links[1])
  assert.ok(machine.state.renewals > 0)
  assert.match(dialler.state(machine.endpoint).lastError, /Try again later/)
})

test('dialling stops at once while a string is redeemed at an address that does not answer', async (t) => {
  const connected = Promise.withResolvers<Socket>()
  const silent = createServer((socket) => connected.resolve(socket.on('error', () => {})))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const machine = await openMachine(t)
  const { dialler, connections, paste } = await openPanel(t, null, { after: () => () => {} })
  await paste(machine.text().replace(/:\d+\?/, `:${(silent.address() as AddressInfo).port}?`))
  ;(await connected.promise).resume()
  await dialler.stop()
  assert.ok(connections.all()[0]?.pending, 'the string can still be redeemed')
})
