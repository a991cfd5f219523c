// A machine that listens, used by several controllers at once.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { reachableHost } from '#agent/inbound/listening-address.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { parseConnectionString } from '#shared/protocol/codes/connection-string.ts'
import { eventually } from '#test/support/doubles/link-pair.ts'
import { freePort } from '#test/support/world/world.ts'
import { createController, heldBy, offer, openInbound } from './open-inbound.ts'

const DAY_MS = 24 * 3_600_000
const kinds = (world: Awaited<ReturnType<typeof openInbound>>) => world.inbound.view().events.map(({ kind, label }) => `${kind} ${label}`)

/** A listening machine with one attached controller for each name. */
async function openWithControllers(t: TestContext, names: readonly string[], permits = 1) {
  const world = await openInbound(t, { permits })
  const { port } = await world.listen()
  const controllers = []
  for (const name of names) {
    const { key_id: keyId, connection_string: text } = await world.inbound.issueKey(name)
    const controller = await createController(t)
    await controller.enrolWith(text)
    controllers.push({ ...controller, keyId, text, name, link: await controller.connect(port) })
  }
  return { world, port, controllers }
}

test('listening is off by default, can be switched at run time, and keys can only be issued while it is on', async (t) => {
  const world = await openInbound(t)
  await world.inbound.start()
  const before = world.inbound.view()
  assert.deepEqual(
    [before.enabled, before.running, before.bind, before.exposed, before.tls_fingerprint],
    [false, false, '127.0.0.1', false, ''],
  )
  await assert.rejects(world.inbound.issueKey('Ada'), { code: 'CONFLICT' })
  const on = await world.listen()
  assert.deepEqual([on.enabled, on.running, on.startup_error], [true, true, null])
  const issued = await world.inbound.issueKey('')
  assert.deepEqual([issued.label, issued.exposed, issued.shown_once], ['Panel', false, true])
  const { host, port, fingerprint } = parseConnectionString(issued.connection_string)
  assert.deepEqual([host, port, fingerprint], ['127.0.0.1', on.port, on.tls_fingerprint])
  const folder = join(world.dataDir, 'inbound')
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
  const off = await world.inbound.listen({ enabled: false, bind: '', port: 0 })
  assert.deepEqual([off.enabled, off.running], [false, false])
  assert.equal(JSON.parse(readFileSync(join(folder, 'listen.json'), 'utf8')).enabled, false)
  await world.restart()
  assert.deepEqual([world.inbound.view().running, world.inbound.view().tls_fingerprint], [false, fingerprint])
})

test('a controller redeems its string, runs work, redeems again with the same key, renews, and reconnects after a restart', async (t) => {
  const { world, port, controllers } = await openWithControllers(t, ['Ada'])
  const [ada] = controllers
  assert.equal(ada!.identity().studio_name, 'attic')
  assert.equal(ada!.identity().worker_id, ada!.keyId)
  const task = offer(ada!.link, 'a1')
  await eventually('it runs', () => world.running.length === 1)
  world.running[0]!.end()
  await eventually('it is done', () => task.facts().includes('completed'))
  const [session] = world.inbound.view().sessions
  assert.deepEqual([session!.label, session!.key_id, session!.tasks_run], ['Ada', ada!.keyId, 1])
  assert.match(session!.peer, /^127\.0\.0\.1:\d+$/)
  const [key] = world.inbound.view().keys
  assert.equal(key!.worker_id, ada!.keyId)
  assert.ok(key!.last_seen_at > 0 && key!.last_seen_peer === session!.peer)
  assert.equal((await ada!.enrolWith(ada!.text)).worker_id, ada!.keyId)
  assert.equal((await ada!.renew(port)).worker_id, ada!.keyId)
  const fingerprint = world.inbound.view().tls_fingerprint
  await world.restart()
  assert.equal(world.inbound.view().tls_fingerprint, fingerprint, 'the strings that were given out stay good')
  const link = await ada!.connect(world.inbound.view().port)
  assert.equal(link.isOpen, true)
})

test('a string that was stolen later is useless, and guessing is slowed down', async (t) => {
  const { world, controllers } = await openWithControllers(t, ['Ada'])
  const thief = await createController(t)
  await assert.rejects(thief.enrolWith(controllers[0]!.text), {
    message: 'Another studio already uses this connection string. Ask for a new one.',
  })
  const { key_id: keyId, connection_string: text } = await world.inbound.issueKey('Bob')
  const secret = parseConnectionString(text).secret
  for (let guess = 0; guess < 5; guess++)
    await assert.rejects(thief.enrolWith(text.replace(secret, `svcnode_${'x'.repeat(20)}${guess}`)), { code: 'AUTH_FAILED' })
  await assert.rejects(thief.enrolWith(text), { code: 'QUEUE_FULL', message: /wrong keys from this address\. Try again in \d+ s/ })
  world.advance(60_000)
  assert.equal((await thief.enrolWith(text)).worker_id, keyId)
  assert.ok(kinds(world).includes('rejected Ada'))
})

test('several controllers share fairly, and none can read the attempts of another', async (t) => {
  const { world, controllers } = await openWithControllers(t, ['Ada', 'Bob'])
  const [ada, bob] = controllers
  const first = offer(ada!.link, 'same')
  await eventually('it runs', () => first.facts().includes('running'))
  const second = offer(bob!.link, 'same')
  await eventually('it waits', () => second.facts().includes('loading'))
  assert.deepEqual([await heldBy(ada!.link), await heldBy(bob!.link)], [['same running'], ['same loading']])
  const stranger = offer(bob!.link, 'other', { from_seq: 1 })
  assert.match(String(await stranger.ended), /no longer holds/)
  await bob!.link.commit({ verdicts: [{ attempt_id: 'same', epoch: 1, committed: false }] })
  assert.deepEqual([await heldBy(ada!.link), await heldBy(bob!.link)], [['same running'], []])
  const third = offer(bob!.link, 'third')
  await eventually('it waits', () => third.facts().includes('loading'))
  world.running[0]!.end()
  await eventually('its turn has come', () => third.facts().includes('running'))
})

test('a disconnected controller is cut at once and refused for a minute, and its string stays valid', async (t) => {
  const { world, port, controllers } = await openWithControllers(t, ['Ada', 'Bob'], 2)
  const [ada, bob] = controllers
  offer(ada!.link, 'a')
  const kept = offer(bob!.link, 'b')
  await eventually('both run', () => world.running.length === 2)
  const session = world.inbound.view().sessions.find(({ label }) => label === 'Ada')!
  const after = await world.inbound.disconnect(session.session_id)
  assert.deepEqual(
    after.sessions.map(({ label }) => label),
    ['Bob'],
  )
  assert.equal((await ada!.link.closed).code, 'WORKER_DISCONNECTED')
  await eventually('its work is over', () => world.running.length === 1)
  await assert.rejects(world.inbound.disconnect(session.session_id), { code: 'NOT_FOUND' })
  await assert.rejects(ada!.connect(port), { code: 'NOT_READY', detail: { reason: 'busy' } })
  // The key is refused under any claimed name.
  await assert.rejects(ada!.connect(port, bob!.keyId))
  assert.equal(bob!.link.isOpen, true)
  world.advance(60_000)
  const again = await ada!.connect(port)
  assert.equal(again.isOpen, true)
  assert.deepEqual(kept.facts(), ['accepted', 'running'])
  assert.ok(kinds(world).includes('kicked Ada'))
})

test('a revoked controller is cut at once and its work is wiped, without effect on other controllers', async (t) => {
  const { world, port, controllers } = await openWithControllers(t, ['Ada', 'Bob'], 1)
  const [ada, bob] = controllers
  offer(ada!.link, 'a')
  await eventually('it runs', () => world.running.length === 1)
  const waits = offer(bob!.link, 'b')
  await eventually('it waits', () => waits.facts().includes('loading'))
  const view = await world.inbound.revokeKey(ada!.keyId)
  assert.deepEqual(
    view.keys.map(({ label, revoked }) => [label, revoked]),
    [
      ['Ada', true],
      ['Bob', false],
    ],
  )
  await ada!.link.closed
  await eventually('the permit is free for the other', () => waits.facts().includes('running'))
  await assert.rejects(world.inbound.revokeKey(ada!.keyId), { code: 'NOT_FOUND' })
  await assert.rejects(world.inbound.revokeKey('000000000000'), { code: 'NOT_FOUND' })
  for (const at of [() => port, () => world.inbound.view().port]) {
    await assert.rejects(ada!.connect(at()), { code: 'WORKER_REVOKED' })
    await assert.rejects(ada!.connect(at(), bob!.keyId))
    await assert.rejects(ada!.renew(at()), { code: 'WORKER_REVOKED' })
    await assert.rejects(ada!.enrolWith(ada!.text.replace(`:${port}?`, `:${at()}?`)), { code: 'WORKER_REVOKED' })
    if (at() === port) {
      assert.equal(bob!.link.isOpen, true)
      await world.restart()
    }
  }
})

test('an unknown controller is refused before TLS and recorded in the events', async (t) => {
  const { world, port, controllers } = await openWithControllers(t, ['Ada'])
  await assert.rejects(controllers[0]!.connect(port, 'unknown'), { code: 'AUTH_FAILED' })
  const { key_id: unused } = await world.inbound.issueKey('unused')
  await assert.rejects(controllers[0]!.connect(port, unused), { code: 'AUTH_FAILED' })
  assert.deepEqual(kinds(world).slice(0, 2), ['rejected unused', 'rejected '])
})

test('a new port takes effect at once without cutting sessions, and a taken one changes nothing', async (t) => {
  const world = await openInbound(t, { fixed: { port: null } })
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  t.after(() => taken.close())
  const { port: busy } = taken.address() as { port: number }
  await assert.rejects(world.inbound.listen({ enabled: true, bind: '', port: busy }), {
    code: 'CONFLICT',
    message: /another program uses this port/,
  })
  const failed = world.inbound.view()
  assert.deepEqual([failed.enabled, failed.running, failed.port], [true, false, busy])
  assert.match(failed.startup_error!, /another program uses this port/)

  const [first, second] = [await freePort(), await freePort()]
  await world.inbound.listen({ enabled: true, bind: '', port: first })
  const controller = await createController(t)
  await controller.enrolWith((await world.inbound.issueKey('Ada')).connection_string)
  const link = await controller.connect(first)
  const moved = await world.inbound.listen({ enabled: true, bind: '', port: second })
  assert.deepEqual([moved.port, moved.running, moved.startup_error, moved.sessions.length], [second, true, null, 1])
  assert.equal(link.isOpen, true)
  await link.commit({ verdicts: [] })
  await assert.rejects(controller.connect(first), { code: 'WORKER_UNREACHABLE' })
  await assert.rejects(world.inbound.listen({ enabled: true, bind: '', port: busy }), { code: 'CONFLICT' })
  const still = world.inbound.view()
  assert.deepEqual([still.port, still.running, still.startup_error], [second, true, null])
  const again = await controller.connect(second)
  await world.inbound.listen({ enabled: false, bind: '', port: 0 })
  await Promise.all([link.closed, again.closed])
  assert.equal(world.inbound.view().sessions.length, 0)
})

test('the certificate of the machine is renewed for the same key while sessions stay open', async (t) => {
  const { world, port, controllers } = await openWithControllers(t, ['Ada'])
  const leaf = () =>
    new Promise<{ to: string; pin: string }>((resolve) => {
      const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
        const certificate = socket.getPeerX509Certificate()!
        resolve({ to: certificate.validTo, pin: pinOf(certificate) })
        socket.destroy()
      })
      socket.on('error', () => {})
    })
  const before = await leaf()
  world.advance(30 * DAY_MS)
  assert.deepEqual(await leaf(), before)
  world.advance(30 * DAY_MS)
  await eventually('it is another certificate', () => world.renewals() === 1)
  const after = await leaf()
  assert.ok(Date.parse(after.to) > Date.parse(before.to))
  assert.equal(after.pin, before.pin)
  assert.equal(controllers[0]!.link.isOpen, true)
})

test('a machine that starts while its clock is wrong listens when the clock is right again', async (t) => {
  const world = await openInbound(t)
  await world.listen()
  world.advance(-3 * DAY_MS)
  await world.restart()
  const wrong = world.inbound.view()
  assert.deepEqual([wrong.enabled, wrong.running], [true, false])
  assert.match(wrong.startup_error!, /not valid yet.* Check the clocks/)
  world.advance(0)
  await new Promise(setImmediate)
  assert.equal(world.inbound.view().running, false)
  world.advance(3 * DAY_MS)
  await eventually('it listens', () => world.inbound.view().running)
  assert.equal(world.inbound.view().startup_error, null)
})

test('a machine renews its certificate after checks with a wrong clock', async (t) => {
  const { world } = await openWithControllers(t, [])
  const wrongYears = 20 // longer than its authority
  world.advance(wrongYears * 365 * DAY_MS)
  await new Promise(setImmediate)
  world.advance(-wrongYears * 365 * DAY_MS + 60 * DAY_MS)
  await eventually('it is renewed', () => world.renewals() === 1)
  world.advance(5 * 365 * DAY_MS)
  await eventually('it is renewed for the years ahead', () => world.renewals() === 2)
  world.advance(-5 * 365 * DAY_MS)
  await eventually('one that is valid today replaces it', () => world.renewals() === 3)
})

test('a setting in the environment cannot be overridden', async (t) => {
  const world = await openInbound(t, { fixed: { enabled: true } })
  await world.inbound.start()
  assert.equal(world.inbound.view().running, true)
  await assert.rejects(world.inbound.listen({ enabled: false, bind: '', port: 0 }), { code: 'CONFLICT', message: /STUDIO_INBOUND_NODE/ })
})

test('a wildcard bind yields the network address and is reported as exposed', async (t) => {
  const world = await openInbound(t)
  await assert.rejects(world.inbound.listen({ enabled: true, bind: 'a b', port: 0 }), { code: 'BAD_REQUEST' })
  const view = await world.inbound.listen({ enabled: true, bind: '0.0.0.0', port: 0 })
  assert.equal(view.exposed, true)
  const issued = await world.inbound.issueKey('Ada')
  assert.equal(issued.exposed, true)
  assert.notEqual(parseConnectionString(issued.connection_string).host, '0.0.0.0')
  const lan = { address: '192.168.1.7', family: 'IPv4', internal: false }
  const loopback = { address: '127.0.0.1', family: 'IPv4', internal: true }
  const interfaces = { lo: [loopback], eth0: [{ address: 'fe80::1', family: 'IPv6', internal: false }, lan] } as unknown as ReturnType<
    typeof networkInterfaces
  >
  assert.deepEqual(
    ['::', '0.0.0.0', '*', '10.0.0.1', 'box.lan'].map((bind) => reachableHost(bind, interfaces)),
    ['192.168.1.7', '192.168.1.7', '192.168.1.7', '10.0.0.1', 'box.lan'],
  )
  assert.equal(reachableHost('::', {}), '127.0.0.1')
})
