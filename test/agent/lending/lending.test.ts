// Joining, switching and leaving, with studios that accept, refuse or stay silent.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createIdentityFile } from '#agent/connection/identity.ts'
import { createStudioLending, type LendingDeps } from '#agent/lending/lending.ts'
import { createSwitchFile } from '#agent/lending/switch-file.ts'
import { createStudioLinks } from '#shared/link/client/studio-links.ts'
import { RATES } from '#shared/link/port/admission.ts'
import { createAgentListener, type ListenerLimits } from '#shared/link/port/listener.ts'
import type { SessionRefusal } from '#shared/link/port/preamble.ts'
import type { Link } from '#shared/link/rpc.ts'
import { formatAddress } from '#shared/link/transport/address.ts'
import { createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { readRequest } from '#shared/pki/request.ts'
import { encodeJoinCode } from '#shared/protocol/codes/join-code.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { type Clock, systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createTestAuthority, issueTestIdentity } from '#test/support/doubles/link-certificates.ts'
import { eventually } from '#test/support/doubles/link-pair.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { heldBy, offer } from '../inbound/open-inbound.ts'
import { createPlayedMachine } from '../tenancy/played-machine.ts'

/** A studio that enrols every caller. Its answer to a session can be changed; by default it accepts the session and calls describe. */
async function openStudio(t: TestContext, name: string, port: { readonly limits?: Partial<ListenerLimits>; readonly clock?: Clock } = {}) {
  const authority = await createTestAuthority(name)
  const own = await issueTestIdentity(authority, 'studio', 'studio')
  const links = createStudioLinks({ ...own, authority: authority.certificatePem, log, clock })
  const pins = new Map<string, string>()
  const sockets: Socket[] = []
  const accepted: Link[] = []
  let answer: SessionRefusal | 'ok' | 'mute' = 'ok'
  let claimsOnly = false
  let enrolled = 0
  let renewals = 0
  let aheadMs = 0
  let losesAnswers = false
  let announced: string[] = []
  const nonces: string[] = []
  const certify = (id: string, publicKeyPem: string): Wire<'Identity'> => {
    const serial = createSerial(random.hex(16))
    return {
      worker_id: id,
      certificate_pem: issueLeaf({ authority, publicKeyPem, role: 'worker', id, now: clock.now() + aheadMs, hours: 24, serial }),
      authority_pem: authority.certificatePem,
      studio_pins: [own.pin],
      studio_name: name,
      generation: 1,
      endpoints: announced,
    }
  }
  const listener = createAgentListener({
    enrolment: {
      async redeem({ csr_pem }) {
        const { publicKeyPem, pin } = readRequest(csr_pem)
        const id = `${name}-${++enrolled}`
        pins.set(id, pin)
        return certify(id, publicKeyPem)
      },
      async renew({ worker_id, csr_pem, nonce }) {
        if (answer === 'revoked' && !claimsOnly) throw new Failure('WORKER_REVOKED', 'The studio has removed this machine.')
        renewals++
        nonces.push(nonce)
        if (losesAnswers) throw new Failure('NOT_READY', 'The answer is lost.')
        return certify(worker_id, readRequest(csr_pem).publicKeyPem)
      },
    },
    enrolmentTls: { key: own.key, certificateChain: own.certificate + authority.certificatePem },
    admit: async () => (answer === 'mute' ? 'ok' : answer),
    async onSession(socket, { workerId }) {
      sockets.push(socket)
      if (answer === 'mute') return
      const link = links.adopt(socket, { workerId, pins: new Set([pins.get(workerId)!]) })
      await link.describe({ studio_version: '0', features: [] }).catch(() => {})
      await link.consent({ consent_id: 'yes' }).catch(() => {})
      accepted.push(link)
    },
    log,
    clock,
    ...port,
  })
  const address = await listener.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => {
    listener.close()
    links.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    accepted,
    sockets,
    /** `claimsOnly`: before TLS only, like anybody at the address of the studio. */
    answers: (with_: typeof answer, more = { claimsOnly: false }) => {
      answer = with_
      claimsOnly = more.claimsOnly
    },
    renewals: () => renewals,
    nonces,
    loseAnswers(loses: boolean) {
      losesAnswers = loses
    },
    announce(addresses: string[]) {
      announced = addresses
    },
    setClock(ms: number) {
      aheadMs = ms
    },
    code: (id = 'code') =>
      encodeJoinCode({
        id,
        secret: 'secret',
        endpoints: [formatAddress(address)],
        pins: [pinOf(authority.certificatePem)],
        expiresAtSeconds: clock.now() / 1000 + 60,
      }),
  }
}

function openLending(t: TestContext, more: Partial<LendingDeps> = {}, folder = temporaryFolder(t)) {
  const { machine, turns: _, ...limited } = createPlayedMachine(2, folder)
  const lending = createStudioLending({
    machine,
    identityFile: createIdentityFile(folder),
    switchFile: createSwitchFile(folder),
    pinned: null,
    daemon: false,
    pid: 1,
    retry: { baseMs: 10, capMs: 50 },
    clock,
    random,
    log,
    lifecycle: null,
    ...more,
  })
  t.after(() => lending.stop(0))
  const onDisk = () => JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8')).workerId as string
  return { ...limited, folder, lending, onDisk }
}

test('a studio that enrols and then refuses the machine changes nothing for the earlier studio', async (t) => {
  const [home, cold] = [await openStudio(t, 'home'), await openStudio(t, 'cold')]
  const { lending, running, onDisk } = openLending(t)
  await lending.start()
  assert.deepEqual([lending.status().enabled, lending.status().enrolled], [false, false])
  const joined = await lending.join(home.code())
  assert.deepEqual([joined.worker_id, joined.connected, joined.enabled, joined.studio_name], ['home-1', true, true, 'home'])
  await eventually('the studio has its link', () => home.accepted.length === 1)
  const task = offer(home.accepted[0]!, 'a')
  await eventually('it runs', () => running.length === 1)

  cold.answers('revoked')
  await assert.rejects(lending.join(cold.code()), { code: 'CONFLICT', message: 'The studio has removed this machine.' })
  const view = lending.status()
  assert.deepEqual([view.worker_id, view.connected, view.last_error], ['home-1', true, 'The studio has removed this machine.'])
  assert.equal(onDisk(), 'home-1')
  running[0]!.end()
  await eventually('it is done', () => task.facts().includes('completed'))
})

test('a studio that accepts replaces the old one, which gets its work back, and cannot read its attempts', async (t) => {
  const [home, next] = [await openStudio(t, 'home'), await openStudio(t, 'next')]
  const { lending, running, onDisk } = openLending(t)
  await lending.join(home.code())
  await eventually('the studio has its link', () => home.accepted.length === 1)
  const task = offer(home.accepted[0]!, 'same')
  await eventually('it runs', () => running.length === 1)
  const joined = await lending.join(next.code())
  assert.deepEqual([joined.worker_id, joined.last_error, onDisk()], ['next-1', '', 'next-1'])
  assert.ok(task.facts().includes('failed'), 'handed back')
  await home.accepted[0]!.closed
  await eventually('the other has its link', () => next.accepted.length === 1)
  const stranger = offer(next.accepted[0]!, 'same', { from_seq: 1 })
  assert.match(String(await stranger.ended), /no longer holds/)
})

test('a stop during a join takes effect at once and leaves no trace of the join', async (t) => {
  const mute = await openStudio(t, 'mute')
  const { lending, folder } = openLending(t)
  mute.answers('mute')
  const joining = assert.rejects(lending.join(mute.code()), { code: 'CONFLICT', message: /stopped before/ })
  await eventually('it has dialled', () => mute.sockets.length > 0)
  await lending.stop(0)
  await joining
  assert.ok(!existsSync(join(folder, 'identity.json')))
})

test('lending again to a studio that removed the machine fails', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending } = openLending(t)
  await lending.join(home.code())
  await lending.lend(false)
  home.answers('revoked')
  await assert.rejects(lending.lend(true), { code: 'CONFLICT', message: 'The studio has removed this machine.' })
  const { enabled, connected, enrolled, last_error } = lending.status()
  assert.deepEqual([enabled, connected, enrolled, last_error], [false, false, true, 'The studio has removed this machine.'])
})

test('an answer before TLS that the machine was removed ends no work; the studio itself can', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, running } = openLending(t)
  await lending.join(home.code())
  await eventually('the studio has its link', () => home.accepted.length === 1)
  offer(home.accepted[0]!, 'a')
  await eventually('it runs', () => running.length === 1)
  const refusals = () => lending.status().last_error === 'The studio has removed this machine.'
  home.answers('revoked', { claimsOnly: true })
  home.sockets[0]!.destroy()
  await eventually('it was refused', refusals)
  home.answers('ok')
  await eventually('the link is back', () => home.accepted.length === 2)
  assert.deepEqual(await heldBy(home.accepted[1]!), ['a running'])

  home.answers('revoked')
  home.sockets.at(-1)!.destroy()
  await eventually('its work is deleted', () => lending.status().held === 0)
})

test('a renewed certificate that is not valid yet here, because a clock is wrong, ends no work', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, running } = openLending(t)
  await lending.join(home.code())
  await eventually('the studio has its link', () => home.accepted.length === 1)
  offer(home.accepted[0]!, 'a')
  await eventually('it runs', () => running.length === 1)
  home.setClock(2 * 3_600_000)
  await assert.rejects(home.accepted[0]!.rotate({}, 10_000), /is not valid yet/)
  assert.equal(home.renewals(), 1)
  assert.deepEqual(await heldBy(home.accepted[0]!), ['a running'])
})

test('a machine whose clock is before the start of the authority says so, and lends once the clock is right', async (t) => {
  const home = await openStudio(t, 'home')
  const joined = openLending(t)
  await joined.lending.join(home.code())
  await joined.lending.stop(0)
  let aheadMs = -86_400_000
  const { lending } = openLending(t, { clock: { ...clock, now: () => clock.now() + aheadMs } }, joined.folder)
  await lending.start()
  await eventually('it says so', () => /is not valid yet: .* Check the clocks of both machines/.test(lending.status().last_error))
  aheadMs = 0
  await eventually('it lends', () => lending.status().connected)
  assert.equal(lending.status().last_error, '')
})

test('lending again after finish continues', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, running } = openLending(t)
  await lending.join(home.code())
  await eventually('the studio has its link', () => home.accepted.length === 1)
  offer(home.accepted[0]!, 'a')
  await eventually('it runs', () => running.length === 1)
  assert.deepEqual([(await lending.finish()).draining, lending.status().held], [true, 1])
  const declined = offer(home.accepted[0]!, 'b')
  await eventually('it is declined', () => declined.facts().includes('declined'))
  assert.equal((await lending.lend(true)).draining, false)
  const taken = offer(home.accepted[0]!, 'c')
  await eventually('it is taken', () => taken.facts().includes('running'))
})

test('a studio at its limit is dialled again when it asked, not with the backoff', async (t) => {
  let studioTime = 0
  const rates = { ...RATES, sessionsPerWorker: { burst: 1, perMinute: 2 } }
  const home = await openStudio(t, 'home', { limits: { rates }, clock: { ...clock, mono: () => studioTime } })
  const asked: number[] = []
  const sleep: typeof clock.sleep = (ms, signal) => {
    const isAsked = ms >= 30_000 && ms < 60_000 // 30 s and a random part of as many again
    if (isAsked) asked.push(ms)
    return clock.sleep(isAsked ? 10 : ms, signal)
  }
  const { lending } = openLending(t, { clock: { ...clock, sleep } })
  await lending.join(home.code())
  await eventually('the studio has its link', () => home.accepted.length === 1)
  asked.length = 0
  home.sockets[0]!.destroy()
  await eventually('it waits as asked each time', () => asked.length > 1)
  assert.equal(home.accepted.length, 1)
  studioTime += 30_000
  await eventually('the link is restored', () => home.accepted.length === 2)
})

test('damaged files do not prevent a new join', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, folder } = openLending(t)
  for (const name of ['identity.json', 'lending.json']) writeFileSync(join(folder, name), '{"enabled":')
  await lending.start()
  assert.match(lending.status().last_error, /is damaged\. Join the studio again/)
  const joined = await lending.join(home.code())
  assert.deepEqual([joined.connected, joined.last_error], [true, ''])
  const left = await lending.leave()
  assert.deepEqual([left.enrolled, left.enabled], [false, false])
  assert.ok(!existsSync(join(folder, 'identity.json')))
})

test('an identity whose authority is damaged does not prevent a new join', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, folder } = openLending(t)
  await lending.join(home.code())
  await lending.stop(0)
  const path = join(folder, 'identity.json')
  const identity = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...identity, authorityPem: '-----BEGIN CERTIFICATE-----\n0\n-----END CERTIFICATE-----\n' }))
  const again = openLending(t, {}, folder)
  await again.lending.start()
  assert.equal((await again.lending.join(home.code())).worker_id, 'home-2')
})

test('a machine that lends again after a lost answer to its own studio is no copy of itself', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, folder } = openLending(t)
  await lending.join(home.code())
  await lending.lend(false)
  home.loseAnswers(true)
  await assert.rejects(lending.join(home.code()), { message: 'The answer is lost.' })
  assert.equal(JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8')).renewalNonce, home.nonces[0], 'stored before it was sent')
  home.loseAnswers(false)
  assert.equal((await lending.join(home.code())).worker_id, 'home-1')
  assert.equal(home.nonces.length, 2)
  assert.equal(home.nonces[1], home.nonces[0], 'the same request again')
})

test('the address that answers is kept, however many mistyped ones are announced', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, folder } = openLending(t)
  const endpoints = () => JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8')).endpoints as { port: number }[]
  await lending.join(home.code())
  const [answers] = endpoints()
  await eventually('the studio has its link', () => home.accepted.length === 1)
  for (const attempt of [1, 2, 3]) {
    home.announce([1, 2, 3, 4].map((at) => `mistyped-${attempt}-${at}:1`))
    await home.accepted[0]!.rotate({}, 10_000)
    assert.deepEqual(endpoints()[4], answers)
    assert.equal(endpoints().length, attempt === 1 ? 5 : 8)
  }
})

test('a code decides where its studio is, even if the studio announces its address of before', async (t) => {
  const home = await openStudio(t, 'home')
  const { lending, folder } = openLending(t)
  await lending.join(home.code())
  const [before] = JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8')).endpoints
  home.announce([formatAddress(before)])
  const alias = { host: 'localhost', port: before.port }
  const code = JSON.parse(Buffer.from(home.code().slice('svcj_'.length), 'base64url').toString())
  await lending.join(`svcj_${Buffer.from(JSON.stringify({ ...code, e: [formatAddress(alias)] })).toString('base64url')}`)
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8')).endpoints, [before, alias])
})
